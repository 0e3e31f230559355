import type { Contact } from '@waystation/contract/people/contact.ts';
import { usePersonName } from '#base/person-name.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { Phone } from '#ui/values/waybill.tsx';
import { placeText } from '#ui/fields/address-cascader.tsx';
import { actionsWidth } from '#resource/table/fitted-width.ts';
import type { Column } from '#resource/table/column.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { RowCard } from '#resource/table/row-card.tsx';
import styles from './contacts.module.css';
import { useContactWords } from './words.ts';

export const useContactColumns = (
  actions: readonly RowAction<Contact>[],
  switching: StatusSwitching,
  open: (row: Contact) => void,
): Column<Contact>[] => {
  const { t } = useTexts();
  const words = useContactWords();
  const several = useSeveralStations();
  const nameOf = usePersonName();
  const station: Column<Contact> = {
    key: 'station_name',
    title: words.station_id.label,
    width: 136,
    sort: 'station_name',
    ...textColumn((row: Contact) => row.station_name),
  };
  return [
    {
      key: 'name',
      title: words.name.label,
      width: 132,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <NameCell name={nameOf(row.name)} onOpen={() => open(row)} />,
    },
    {
      key: 'kind',
      title: words.kind.label,
      width: 88,
      sort: 'kind',
      cell: (row) => words.kind.show(row.kind),
    },
    {
      key: 'phone',
      title: words.phone.label,
      width: 132,
      cell: (row) => <Phone number={row.phone} />,
    },
    {
      key: 'place',
      title: t('contacts.region'),
      width: 160,
      sort: 'province',
      ...textColumn((row: Contact) => placeText(row)),
    },
    {
      key: 'address',
      title: words.address.label,
      width: 150,
      grow: true,
      cell: (row) => <TextCell text={row.address} />,
    },
    ...(several ? [station] : []),
    {
      key: 'status',
      title: words.status.label,
      width: 112,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.name} switching={switching} />,
    },
    {
      key: 'updated_at',
      title: t('lists.updated'),
      width: 112,
      sort: 'updated_at',
      cell: (row) => <TimeCell at={row.updated_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: actionsWidth(
        t('lists.actions'),
        actions.map(({ label }) => label),
      ),
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

/** A contact of the address book as a card, for narrow screens. */
export const ContactCard = ({ row }: { row: Contact }) => {
  const words = useContactWords();
  const nameOf = usePersonName();
  return (
    <RowCard>
      <div>
        <strong>{nameOf(row.name)}</strong>
        <Phone number={row.phone} />
        <span className={styles['end']}>
          {words.kind.show(row.kind)} · {words.status.show(row.status)}
        </span>
      </div>
      <div className={primitives['quiet']}>
        {placeText(row)} {row.address}
      </div>
    </RowCard>
  );
};
