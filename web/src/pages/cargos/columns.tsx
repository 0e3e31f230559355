import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { cargoTypes } from '@waystation/contract/parcels/cargo.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TextCell, TimeCell } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import styles from './cargos.module.css';
import { useCargoWords } from './words.ts';

/** A mark on goods that may not be shipped, with the reason. */
const Banned = ({ cargo }: { cargo: Cargo }) => {
  const { t } = useTexts();
  if (cargo.banned === 0) return t('cargos.allowed');
  return (
    <>
      <span className={styles['banned']}>{t('cargos.banned_tag')}</span>
      <TextCell text={cargo.banned_reason} />
    </>
  );
};

export const useCargoColumns = (
  actions: readonly RowAction<Cargo>[],
  switching: StatusSwitching,
  open: (row: Cargo) => void,
): Column<Cargo>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useCargoWords();
  const english = language === 'en';
  const providerNames = Object.values(providers).map((provider) => provider[language]);
  return [
    {
      key: 'name',
      title: t('cargos.name'),
      width: 148,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <NameCell name={row.name} onOpen={() => open(row)} />,
    },
    {
      key: 'priority',
      title: t('cargos.priority'),
      width: 84,
      align: 'end',
      sort: 'priority',
      cell: (row) => <span className="tabular">{row.priority}</span>,
    },
    {
      key: 'type',
      title: words.type.label,
      width: fittedWidth(words.type.label, {
        sorts: true,
        texts: Object.values(cargoTypes).map((type) => type[language]),
        least: 96,
      }),
      sort: 'type',
      cell: (row) => words.type.show(row.type),
    },
    {
      key: 'provider',
      title: words.provider.label,
      width: fittedWidth(words.provider.label, { sorts: true, texts: providerNames, least: 96 }),
      sort: 'provider',
      cell: (row) => words.provider.show(row.provider),
    },
    {
      key: 'banned',
      title: t('cargos.shipping'),
      width: fittedWidth(t('cargos.shipping'), { least: 136 }),
      grow: true,
      exports: [
        { key: 'banned', title: words.banned.label },
        { key: 'banned_reason', title: words.banned_reason.label },
      ],
      cell: (row) => <Banned cargo={row} />,
    },
    {
      key: 'status',
      title: words.status.label,
      width: 112,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.name} switching={switching} />,
    },
    {
      key: 'used_count',
      title: t('cargos.used'),
      width: fittedWidth(t('cargos.used'), { sorts: true, least: 80 }),
      align: 'end',
      sort: 'used_count',
      cell: (row) => <span className="tabular">{format.number(row.used_count)}</span>,
    },
    {
      key: 'created_at',
      title: t('lists.created'),
      width: 112,
      aside: english,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
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
      width: rowActionsWidth(t('lists.actions'), actions),
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

/** A goods kind as a card, for narrow screens. */
export const CargoCard = ({ row }: { row: Cargo }) => {
  const { t } = useTexts();
  const words = useCargoWords();
  return (
    <RowCard>
      <div>
        <strong>{row.name}</strong>
        {row.banned === 1 && <span className={styles['banned']}>{t('cargos.banned_tag')}</span>}
        <span className={`${styles['quiet']} ${styles['end']}`}>
          {words.status.show(row.status)}
        </span>
      </div>
      <div className={styles['quiet']}>
        <Joined
          of={[
            words.provider.show(row.provider),
            words.type.show(row.type),
            `${words.priority.label} ${row.priority}`,
          ]}
        />
      </div>
    </RowCard>
  );
};
