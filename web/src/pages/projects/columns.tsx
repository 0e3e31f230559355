import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import type { Project } from '@waystation/contract/network/project.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import styles from './projects.module.css';
import { useProjectWords } from './words.ts';

export const useProjectColumns = (
  actions: readonly RowAction<Project>[],
  switching: StatusSwitching,
  open: (row: Project) => void,
): Column<Project>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useProjectWords();
  const english = language === 'en';
  const figure = (value: number) => <span className="tabular">{format.number(value)}</span>;
  return [
    {
      key: 'name',
      title: words.name.label,
      width: 168,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <NameCell name={row.name} onOpen={() => open(row)} />,
    },
    {
      key: 'percent_type',
      title: words.percent_type.label,
      width: fittedWidth(words.percent_type.label, { sorts: true, least: 112 }),
      sort: 'percent_type',
      cell: (row) => words.percent_type.show(row.percent_type),
    },
    {
      key: 'voucher_count',
      title: t('projects.vouchers'),
      width: fittedWidth(t('projects.vouchers'), { sorts: true, least: 80 }),
      align: 'end',
      sort: 'voucher_count',
      cell: (row) => figure(row.voucher_count),
    },
    {
      key: 'station_count',
      title: t('projects.stations'),
      width: fittedWidth(t('projects.stations'), { sorts: true, least: 80 }),
      align: 'end',
      sort: 'station_count',
      cell: (row) => figure(row.station_count),
    },
    {
      key: 'status',
      title: words.status.label,
      width: 112,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.name} switching={switching} />,
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
      key: 'changed_by',
      title: t('projects.changed_by'),
      width: 120,
      aside: true,
      ...textColumn((row: Project) => row.changed_by ?? ''),
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

/** A freight scheme as a card, for narrow screens. */
export const ProjectCard = ({ row }: { row: Project }) => {
  const { t } = useTexts();
  const words = useProjectWords();
  return (
    <RowCard>
      <div>
        <strong>{row.name}</strong>
        <span className={styles['end']}>{words.status.show(row.status)}</span>
      </div>
      <div className={styles['quiet']}>
        <Joined
          of={[
            words.percent_type.show(row.percent_type),
            `${t('projects.vouchers')} ${row.voucher_count}`,
            `${t('projects.stations')} ${row.station_count}`,
          ]}
        />
      </div>
    </RowCard>
  );
};
