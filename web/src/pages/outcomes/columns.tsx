import { providers } from '@waystation/contract/network/provider.ts';
import type { OrderOutcome } from '@waystation/contract/parcels/order-outcome.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { useRowTab } from '#ui/row-tab.ts';
import { Money } from '#ui/values/money.tsx';
import styles from './outcomes.module.css';
import { useOutcomeWords } from './words.ts';

export const OutcomeTag = ({ is_open }: Pick<OrderOutcome, 'is_open'>) => {
  const say = useOutcomeWords();
  return (
    <span className={styles['status']} data-open={is_open === 1 || undefined}>
      {say(is_open === 1 ? 'open' : 'settled')}
    </span>
  );
};

const OrderCell = ({ row, onOpen }: { row: OrderOutcome; onOpen: () => void }) => {
  const tabIndex = useRowTab();
  return (
    <button
      type="button"
      className={`${primitives['linkButton']} tabular`}
      tabIndex={tabIndex}
      onClick={onOpen}
    >
      {row.order_id}
    </button>
  );
};

/**
 * Returns a short text with the reason why the outcome of an order is certain. The text is empty if
 * the outcome is not certain.
 */
const useCertain = (): ((row: OrderOutcome) => string) => {
  const say = useOutcomeWords();
  return ({ certainty }) => (certainty === null ? '' : say(`short_${certainty}`));
};

export const useOutcomeColumns = ({
  actions,
  open,
}: {
  actions: readonly RowAction<OrderOutcome>[];
  open: (row: OrderOutcome) => void;
}): Column<OrderOutcome>[] => {
  const { t, language } = useTexts();
  const say = useOutcomeWords();
  const certain = useCertain();
  return [
    {
      key: 'order_id',
      title: say('order'),
      width: 152,
      pin: 'start',
      fixed: true,
      cell: (row) => <OrderCell row={row} onOpen={() => open(row)} />,
    },
    {
      key: 'is_open',
      title: say('status'),
      width: 80,
      cell: (row) => <OutcomeTag is_open={row.is_open} />,
    },
    {
      key: 'since',
      title: say('since'),
      width: 112,
      cell: (row) => <TimeCell at={row.since} />,
    },
    {
      key: 'cause',
      title: say('reason'),
      width: 180,
      grow: true,
      ...textColumn((row: OrderOutcome) => say(`cause_${row.cause}`)),
    },
    {
      key: 'certainty',
      title: say('certain'),
      width: 128,
      grow: true,
      ...textColumn((row: OrderOutcome) => certain(row) || '—'),
    },
    {
      key: 'settled_at',
      title: say('until'),
      width: 112,
      cell: (row) => (row.settled_at === null ? '—' : <TimeCell at={row.settled_at} />),
    },
    {
      key: 'held_amount',
      title: say('held'),
      width: 96,
      align: 'end',
      cell: (row) =>
        row.held_status === 'open' && row.held_amount !== null ? (
          <Money fen={row.held_amount} />
        ) : (
          '—'
        ),
    },
    {
      key: 'station_name',
      title: t('common.station'),
      width: 120,
      grow: true,
      ...textColumn((row: OrderOutcome) => row.station_name),
    },
    {
      key: 'provider',
      title: say('carrier'),
      width: 104,
      ...textColumn((row: OrderOutcome) => wordOf(providers, row.provider, language)),
    },
    {
      key: 'delivery_id',
      title: say('waybill'),
      width: 152,
      aside: true,
      cell: (row) => <TextCell text={row.delivery_id ?? '—'} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: 72,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.order_id} actions={actions} />,
    },
  ];
};

/** An order outcome as a card with its known details, for narrow screens. */
export const OutcomeCard = ({ row }: { row: OrderOutcome }) => {
  const { language } = useTexts();
  const say = useOutcomeWords();
  const format = useFormat();
  const certain = useCertain();
  return (
    <RowCard>
      <div>
        <a
          className={`tabular ${styles['order']}`}
          href={screenHref('OutcomePage', { id: row.express_id })}
        >
          {row.order_id}
        </a>
        <OutcomeTag is_open={row.is_open} />
        <time className={`tabular ${styles['when']}`} dateTime={row.since}>
          {format.dateTime(row.since)}
        </time>
      </div>
      <div>{certain(row) || say(`cause_${row.cause}`)}</div>
      <div className={primitives['quiet']}>
        <Joined of={[row.station_name, wordOf(providers, row.provider, language)]} />
      </div>
    </RowCard>
  );
};
