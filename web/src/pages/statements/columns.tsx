import { statementTypes } from '@waystation/contract/money/statement.ts';
import { fittedWidth } from '#resource/table/fitted-width.ts';
import { Fragment } from 'react';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { topUpReference } from '@waystation/contract/money/statement.ts';
import type { Statement, countStatements } from '@waystation/contract/money/statement.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import type { Column } from '#resource/table/column.ts';
import { signedYuan, yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { useRowTab } from '#ui/row-tab.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import styles from './statements.module.css';
import { movedFen } from './moved-fen.ts';
import { lineName, useLineWords } from './words.ts';

/**
 * The reference to show for a pending top-up request that has no text; '' for other transactions.
 */
const referenceOf = ({ id, type, status }: Statement): string =>
  type === 'top_up' && status === 'pending' ? topUpReference(id) : '';

/** The parcel of a transaction, as a link if the user may see it. */
export const ParcelLink = ({ row, tabIndex }: { row: Statement; tabIndex?: number }) => {
  const { delivery_id, express_id, description } = row;
  if (delivery_id === null && express_id === null) {
    const reference = referenceOf(row);
    return description === '' && reference !== '' ? (
      <CodeText code={reference} />
    ) : (
      <TextCell text={description} />
    );
  }
  const words = delivery_id === null ? description : <Waybill number={delivery_id} copy={false} />;
  const shown =
    express_id === null ? (
      words
    ) : (
      <a href={screenHref('ExpressTable', { id: express_id })} tabIndex={tabIndex}>
        {words}
      </a>
    );
  return delivery_id === null ? <>{shown}</> : <CodeText code={delivery_id}>{shown}</CodeText>;
};

const ParcelCell = ({ row }: { row: Statement }) => <ParcelLink row={row} tabIndex={useRowTab()} />;

/** The types of transactions whose price has an explanation: charges and later differences. */
export const explained = new Set<Statement['type']>(['charge', 'reweigh', 'surcharge']);

type Requests = 'pending' | 'declined' | null;

/**
 * The columns of a request. They show who made the request, who decided it, and the reason if it
 * was declined.
 */
const useDeciderColumns = (requests: Requests): Column<Statement>[] => {
  const { t } = useTexts();
  const person = (
    key: 'account_nickname' | 'decided_nickname',
    title: string,
    shown: boolean,
  ): Column<Statement> => ({
    key,
    title,
    width: fittedWidth(title, { least: 112 }),
    aside: !shown,
    ...textColumn((row: Statement) => row[key] ?? ''),
  });
  return [
    person('account_nickname', t('statements.asked_by'), requests !== null),
    person('decided_nickname', t('statements.decided_by'), requests === 'declined'),
    {
      key: 'decision_reason',
      title: t('statements.decision_reason'),
      width: 144,
      grow: true,
      aside: requests !== 'declined',
      cell: (row) => <TextCell text={row.decision_reason} />,
    },
  ];
};

interface Columns {
  actions: readonly RowAction<Statement>[];
  /** True if the transactions belong to more than one station. */
  several: boolean;
  /**
   * If set, only requests of this status are shown. The columns of requester and decider replace
   * those of balances and prices.
   */
  requests: Requests;
  /** The sums over all matching transactions; undefined until they are known. */
  every: OutputOf<typeof countStatements>['sums'] | undefined;
  open: (row: Statement) => void;
}

/**
 * Null for pending and declined requests, because they have posted nothing. The sums over all
 * matching rows exclude them too.
 */
const moved = (key: 'amount' | 'freeze_amount' | 'profit') => (row: Statement) =>
  row.status === 'posted' || row.status === 'reversed' ? row[key] : null;

/** The columns of amounts: the change of the balance, and the change of the held amount. */
const useMoveColumns = ({
  requests,
  several,
  every,
}: Pick<Columns, 'requests' | 'several' | 'every'>): Column<Statement>[] => {
  const { t } = useTexts();
  return [
    {
      key: 'amount',
      title: t('statements.change'),
      width: 104,
      align: 'end',
      fen: (row) => row.amount,
      sum: {
        of: requests === null ? moved('amount') : (row) => row.amount,
        show: signedYuan,
        every: every && requests === null ? every.in - every.out : null,
      },
      cell: (row) => <Money fen={movedFen(row)} signed />,
    },
    {
      key: 'freeze_amount',
      title: t('statements.frozen_change'),
      width: 104,
      align: 'end',
      // The column is hidden by default if the list shows several stations, because it would not
      // fit.
      aside: requests !== null || several,
      fen: (row) => row.freeze_amount,
      sum: { of: moved('freeze_amount'), show: signedYuan, every: every?.freeze_amount ?? null },
      cell: (row) => <Money fen={row.freeze_amount} signed />,
    },
  ];
};

/**
 * The columns of a list of transactions. The balance and its changes are shown large, so that rows
 * can be compared.
 */
export const useStatementColumns = ({
  actions,
  several,
  requests,
  every,
  open,
}: Columns): Column<Statement>[] => {
  const { t, language } = useTexts();
  const words = useLineWords();
  const deciders = useDeciderColumns(requests);
  const money = (
    key: 'pre_amount' | 'post_amount' | 'available' | 'balance' | 'profit',
    title: string,
  ): Column<Statement> => ({
    key,
    title,
    width: 100,
    align: 'end',
    aside:
      requests !== null ||
      (key !== 'available' && key !== 'post_amount' && (several || key !== 'balance')),
    fen: (row) => row[key],
    ...(key === 'profit' && { sum: { of: moved('profit'), show: yuan } }),
    cell: (row) => <Money fen={key === 'profit' && row.profit === 0 ? null : row[key]} />,
  });
  return [
    {
      key: 'type',
      title: t('statements.type'),
      width: fittedWidth(t('statements.type'), {
        texts: Object.values(statementTypes).map((words) => words[language]),
      }),
      pin: 'start',
      fixed: true,
      cell: (row) => <NameCell name={words.type(row)} onOpen={() => open(row)} />,
    },
    {
      key: 'posted_at',
      title: t('statements.time'),
      width: 104,
      sort: 'posted_at',
      aside: requests !== null,
      cell: (row) => <TimeCell at={row.posted_at} />,
    },
    {
      key: 'created_at',
      title: requests !== null ? t('statements.asked_at') : t('lists.created'),
      width: 112,
      aside: requests === null,
      cell: (row) => <TimeCell at={row.created_at} />,
    },
    ...(several
      ? [
          {
            key: 'station_name',
            title: t('common.station'),
            width: 112,
            grow: true,
            ...textColumn((row: Statement) => row.station_name),
          },
        ]
      : []),
    {
      key: 'delivery_id',
      title: t('statements.waybill'),
      width: 144,
      grow: true,
      cell: (row) => <ParcelCell row={row} />,
    },
    ...useMoveColumns({ requests, several, every }),
    money('available', t('statements.available')),
    money('balance', t('statements.balance')),
    money('pre_amount', t('statements.pre')),
    {
      key: 'discount',
      title: t('statements.discount'),
      width: fittedWidth(t('statements.discount'), { least: 68 }),
      aside: true,
      cell: (row) => <TextCell text={row.discount === null ? '' : words.rate(row.discount)} />,
    },
    money('post_amount', t('statements.post')),
    money('profit', t('statements.profit')),
    {
      key: 'status',
      title: t('statements.status'),
      width: 76,
      cell: (row) => (
        <span data-status={row.status} className={styles['status']}>
          {words.status(row)}
        </span>
      ),
    },
    ...deciders,
    {
      key: 'description',
      title: t('statements.description'),
      width: 144,
      grow: true,
      aside: true,
      cell: (row) => <TextCell text={row.description} />,
    },
    {
      key: 'seq',
      title: t('statements.no'),
      width: 72,
      align: 'end',
      aside: true,
      cell: (row) => <span className="tabular">{row.seq ?? '—'}</span>,
    },
    {
      key: 'period',
      title: t('statements.period'),
      width: 88,
      aside: true,
      cell: (row) => <span className="tabular">{row.period ?? '—'}</span>,
    },
    {
      key: 'discount_amount',
      title: t('statements.discount_amount'),
      width: fittedWidth(t('statements.discount_amount'), { least: 104 }),
      align: 'end',
      aside: true,
      fen: (row) => row.discount_amount,
      cell: (row) => <Money fen={row.discount_amount} />,
    },
    {
      key: 'guarantee_amount',
      title: t('statements.guarantee_amount'),
      width: fittedWidth(t('statements.guarantee_amount'), { least: 104 }),
      align: 'end',
      aside: true,
      fen: (row) => row.guarantee_amount,
      cell: (row) => <Money fen={row.guarantee_amount} />,
    },
    {
      key: 'updated_at',
      title: t('lists.updated'),
      width: 112,
      aside: true,
      cell: (row) => <TimeCell at={row.updated_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: 140,
      pin: 'end',
      fixed: true,
      exports: [],
      cell: (row) => (
        <RowActions row={row} name={lineName(row, words.type(row))} actions={actions} />
      ),
    },
  ];
};

/** A transaction as a card, for narrow screens. */
export const StatementCard = ({ row }: { row: Statement }) => {
  const { t } = useTexts();
  const words = useLineWords();
  const about =
    row.delivery_id === null ? (
      row.description || referenceOf(row)
    ) : (
      <Waybill number={row.delivery_id} copy={false} />
    );
  return (
    <RowCard>
      <div>
        <strong>{words.type(row)}</strong>
        <span className={styles['sum']}>
          <Money fen={row.amount === 0 ? row.freeze_amount : row.amount} signed />
        </span>
      </div>
      <div className={styles['quiet']}>
        <Joined
          of={[
            <TimeCell key="time" at={row.posted_at ?? row.created_at} />,
            about,
            row.status !== 'posted' && words.status(row),
          ]}
        />
      </div>
      <div className={styles['quiet']}>
        <Joined
          of={[
            row.station_name,
            row.available === null ? (
              row.account_nickname
            ) : (
              <Fragment key="available">
                {t('statements.available')} <Money fen={row.available} />
              </Fragment>
            ),
          ]}
        />
      </div>
    </RowCard>
  );
};
