import { getCargo } from '@waystation/contract/parcels/cargo.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import { useCargoWords } from './words.ts';
import type { CargoField } from './words.ts';

const Overview = ({ cargo }: { cargo: Cargo }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useCargoWords();
  const shown: readonly CargoField[] = [
    'name',
    'type',
    'provider',
    'priority',
    'banned',
    'banned_reason',
    'status',
  ];
  return (
    <Facts
      facts={[
        ...shown.map((key) => ({
          key,
          label: words[key].label,
          value: shownValue(words[key], cargo[key]),
          wide: key === 'banned_reason',
        })),
        { key: 'used_count', label: t('cargos.used_long'), value: format.number(cargo.used_count) },
        { key: 'id', label: 'ID', value: cargo.id },
        { key: 'created_at', label: t('lists.created'), value: format.moment(cargo.created_at) },
        { key: 'updated_at', label: t('lists.updated'), value: format.moment(cargo.updated_at) },
      ]}
    />
  );
};

/** The drawer of one goods kind, with its facts and its change history. */
export const CargoDrawer = ({
  list,
  switching,
}: {
  list: List<Cargo>;
  switching: StatusSwitching;
}) => {
  const { t } = useTexts();
  const words = useCargoWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getCargo, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const cargo = data?.id === opened ? data : list.openedRow;
  return (
    <RecordDrawer
      list={list}
      title={cargo?.name ?? t('shell.loading')}
      reading={{ ready: cargo !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: cargo && <Overview cargo={cargo} />,
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: cargo && (
            <AuditTab key={cargo.id} subject="cargos" id={cargo.id} words={words} />
          ),
        },
      ]}
      actions={
        cargo && (
          <>
            <Button type="primary" onClick={() => list.openForm(cargo.id)}>
              {t('lists.edit')}
            </Button>
            <StatusSwitch row={cargo} name={cargo.name} switching={switching} />
          </>
        )
      }
    />
  );
};
