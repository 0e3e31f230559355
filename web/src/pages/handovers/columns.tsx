import { providers } from '@waystation/contract/network/provider.ts';
import { handoverStatuses } from '@waystation/contract/parcels/handover.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { useRowTab } from '#ui/row-tab.ts';
import styles from './handovers.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

export const HandoverStatusTag = ({ status }: Pick<Handover, 'status'>) => {
  const { language } = useTexts();
  return (
    <span className={styles['status']} data-status={status}>
      {wordOf(handoverStatuses, status, language)}
    </span>
  );
};

const IdCell = ({ row, onOpen }: { row: Handover; onOpen: () => void }) => {
  const tabIndex = useRowTab();
  return (
    <button
      type="button"
      className={`${primitives['linkButton']} tabular`}
      tabIndex={tabIndex}
      onClick={onOpen}
    >
      {row.id}
    </button>
  );
};

const Missing = ({ row }: { row: Handover }) => {
  const format = useFormat();
  return (
    <span className={`${styles['missing']} tabular`} data-bad={(row.missing ?? 0) > 0 || undefined}>
      {row.missing === null ? '—' : format.number(row.missing)}
    </span>
  );
};

export const useHandoverColumns = ({
  actions,
  several,
  open,
}: {
  actions: readonly RowAction<Handover>[];
  several: boolean;
  open: (row: Handover) => void;
}): Column<Handover>[] => {
  const { t, language } = useTexts();
  const say = useHandoverWords();
  const format = useFormat();
  const text = (key: keyof Handover & string, title: string, width: number): Column<Handover> => ({
    key,
    title,
    width,
    grow: true,
    ...textColumn((row: Handover) => String(row[key] ?? '')),
  });
  const count = (key: 'parcels' | 'packages', title: string): Column<Handover> => ({
    key,
    title,
    width: 72,
    align: 'end',
    cell: (row) => <span className="tabular">{format.number(row[key])}</span>,
  });
  return [
    {
      key: 'id',
      title: say('id'),
      width: 80,
      pin: 'start',
      fixed: true,
      cell: (row) => <IdCell row={row} onOpen={() => open(row)} />,
    },
    {
      key: 'opened_at',
      title: say('opened'),
      width: 112,
      sort: 'opened_at',
      cell: (row) => <TimeCell at={row.opened_at} />,
    },
    {
      key: 'status',
      title: say('status'),
      width: 80,
      cell: (row) => <HandoverStatusTag status={row.status} />,
    },
    {
      key: 'provider',
      title: say('carrier'),
      width: 104,
      ...textColumn((row: Handover) => wordOf(providers, row.provider, language)),
    },
    ...(several ? [text('station_name', t('common.station'), 120)] : []),
    text('user_nickname', say('user'), 88),
    count('parcels', say('parcels')),
    count('packages', say('packages')),
    {
      key: 'missing',
      title: say('missing'),
      width: 72,
      align: 'end',
      cell: (row) => <Missing row={row} />,
    },
    text('courier_name', say('courier'), 96),
    {
      key: 'ended_at',
      title: say('ended'),
      width: 112,
      aside: true,
      cell: (row) => (row.ended_at === null ? '—' : <TimeCell at={row.ended_at} />),
    },
    { ...text('ended_by_nickname', say('ended_by'), 88), aside: true },
    { ...text('note', say('note'), 120), aside: true },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: 120,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={say('title', { id: row.id })} actions={actions} />,
    },
  ];
};

/** A hand-over as a card, for narrow screens. */
export const HandoverCard = ({ row }: { row: Handover }) => {
  const { language } = useTexts();
  const say = useHandoverWords();
  const format = useFormat();
  return (
    <RowCard>
      <div>
        <strong>{say('title', { id: row.id })}</strong>
        <HandoverStatusTag status={row.status} />
        <time className={`tabular ${styles['when']}`} dateTime={row.opened_at}>
          {format.dateTime(row.opened_at)}
        </time>
      </div>
      <div>
        <Joined
          of={[
            wordOf(providers, row.provider, language),
            say('sums', { count: format.number(row.packages) }),
            row.missing !== null && row.missing > 0
              ? `${say('missing')} ${format.number(row.missing)}`
              : '',
          ]}
        />
      </div>
      <div className={primitives['quiet']}>
        <Joined of={[row.station_name, row.user_nickname, row.courier_name]} />
      </div>
    </RowCard>
  );
};
