import { billBuckets } from '@waystation/contract/money/reconciliation.ts';
import type {
  BillBucket,
  BillRow,
  Reconciliation,
  ReconciliationStatus,
} from '@waystation/contract/money/reconciliation.ts';
import { searchNumbers } from '@waystation/contract/shell/search.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { Clock } from '#platform/clock.ts';
import { beginsWith, contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { Listed, Paging } from '#platform/db/paging.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { columnsOf, getRow, listRows, lockRow, namedRows } from '#platform/db/rows.ts';
import type { Wire } from '#platform/db/rows.ts';
import { fail } from '#platform/fail.ts';
import type { ListSlots } from '#platform/list-slots.ts';
import type { Log } from '#platform/log.ts';

/** The parts of the application that reading and matching a bill need. */
export interface BillContext {
  db: Db;
  clock: Clock;
  log: Log;
  /** Shows whether users are reading lists. The reading of a bill pauses for that time. */
  listSlots: Pick<ListSlots, 'isBusy'>;
}

/** A stored bill. Times are ISO 8601. */
export type Bill = Wire<RowOf<'reconciliations'>>;

/**
 * Locks a bill until the transaction ends. Fails with `bill_status` unless the bill has one of
 * these states.
 */
export const lockBill = async (
  work: Work,
  id: number,
  statuses: readonly ReconciliationStatus[],
): Promise<Bill> => {
  const bill = await lockRow(work, 'reconciliations', id);
  return statuses.includes(bill.status) ? bill : fail('bill_status');
};

interface Sums {
  reconciliation_id: number;
  bucket: BillBucket;
  count: number;
  open: number;
  within_tolerance: number;
  accepted: number;
  disputed: number;
  ours_amount: number;
  theirs_amount: number;
  owed_amount: number;
}

/**
 * SQL that is true for lines that we must pay: accepted lines, and lines that agree with our
 * figures.
 */
const owed = sql`bucket <> 'only_ours' and (decision = 'accepted'
  or (decision = 'settled' and bucket = 'equal'))`;

const sumsOf = async (work: Work, ids: readonly number[]): Promise<Sums[]> => {
  const { rows } = await sql<Sums>`select reconciliation_id, bucket, count(*) as count,
    count(*) filter (where decision = 'open') as open,
      count(*) filter (where within_tolerance = 1) as within_tolerance,
        count(*) filter (where decision = 'accepted') as accepted,
      count(*) filter (where decision = 'disputed') as disputed,
        coalesce(sum(our_amount) filter (where bucket <> 'otherwise'),
        0)::bigint as ours_amount,
      coalesce(sum(their_amount) filter (where bucket <> 'otherwise'),
        0)::bigint as theirs_amount, coalesce(sum(their_amount) filter (where ${owed}),
        0)::bigint as owed_amount
    from reconciliation_rows where reconciliation_id = any(${ids}::bigint[])
      and bucket is not null group by 1, 2`.execute(work.tx);
  return rows;
};

export const owedAmount = async (work: Work, id: number): Promise<number> =>
  (await sumsOf(work, [id])).reduce((sum, { owed_amount }) => sum + owed_amount, 0);

export const paidAmount = async (work: Work, id: number): Promise<number> =>
  firstOf(
    (
      await sql<{ paid: number }>`select coalesce(sum(amount), 0)::bigint as paid
    from reconciliation_payments where reconciliation_id = ${id}`.execute(work.tx)
    ).rows,
  ).paid;

const billColumns = [
  'id period provider file_name file_bytes status reason rows_read rows_total columns mapping weight_unit weight_tolerance amount_tolerance stated_amount created_at',
  'version',
].join(' ');
const bills = namedRows(
  `${billColumns} created_by_name paid_amount`,
  sql`(select ${columnsOf('c', billColumns)}, a.nickname as created_by_name,
    (select coalesce(sum(p.amount), 0)::bigint from reconciliation_payments p
      where p.reconciliation_id = c.id) as paid_amount
  from reconciliations c left join accounts a on a.id = c.created_by)`,
);
type ShownColumn =
  | (
      | 'id'
      | 'period'
      | 'provider'
      | 'file_name'
      | 'file_bytes'
      | 'status'
      | 'reason'
      | 'rows_read'
      | 'rows_total'
      | 'columns'
      | 'mapping'
      | 'weight_unit'
    )
  | ('weight_tolerance' | 'amount_tolerance' | 'stated_amount' | 'created_at' | 'version');
type Shown = Pick<Bill, ShownColumn> & { created_by_name: string | null; paid_amount: number };

const none = {
  count: 0,
  open: 0,
  within_tolerance: 0,
  accepted: 0,
  disputed: 0,
  ours_amount: 0,
  theirs_amount: 0,
};

const withSums = (bill: Shown, sums: readonly Sums[]): Reconciliation => {
  const mine = sums.filter(({ reconciliation_id }) => reconciliation_id === bill.id);
  const total = (field: 'theirs_amount' | 'owed_amount'): number =>
    mine.reduce((sum, one) => sum + one[field], 0);
  const buckets = (Object.keys(billBuckets) as BillBucket[]).map((bucket) => ({
    ...none,
    ...mine.find((one) => one.bucket === bucket),
    bucket,
  }));
  return {
    ...bill,
    buckets,
    theirs_amount: total('theirs_amount'),
    owed_amount: total('owed_amount'),
  };
};

export const billOf = async (work: Work, id: number): Promise<Reconciliation> =>
  withSums(await getRow<Shown>(work, bills, id), await sumsOf(work, [id]));

export interface BillFilters extends Paging {
  period?: string | undefined;
  provider?: string | undefined;
  status?: ReconciliationStatus | undefined;
  q?: string | undefined;
}

/** Matches a part of a bill's file name, or the beginning of its month. */
export const billText = (q: string): Condition =>
  sql<boolean>`(${contains('r.file_name')(q)} or ${beginsWith('r.period')(q)})`;

export const listBills = async (
  work: Work,
  { period, provider, status, q, ...paging }: BillFilters,
): Promise<Listed<Reconciliation>> => {
  const conditions = filterConditions(
    { period, provider, status, q },
    { period: equal, provider: equal, status: equal, q: billText },
  );
  const found = await listRows<Shown>(work, bills, {
    conditions,
    paging,
    sortable: ['-created_at', 'period', 'provider', 'file_name', 'status'],
  });
  const sums = await sumsOf(
    work,
    found.items.map(({ id }) => id),
  );
  return { ...found, items: found.items.map((bill) => withSums(bill, sums)) };
};

export interface RowFilters extends Paging {
  id: number;
  bucket?: BillBucket | undefined;
  decision?: BillRow['decision'] | undefined;
  within_tolerance?: 0 | 1 | undefined;
  station_id?: number | undefined;
  q?: string | undefined;
}

const lineColumns = [
  'id no bucket decision problem delivery_id express_id station_id customer_code our_customer_code their_weight our_weight their_amount our_amount within_tolerance',
  'effect_amount note decided_at total_weight',
].join(' ');

/**
 * Returns one page of the lines of a bill, with the total number of lines. The lines are counted
 * and read again for each page (docs/decisions/0035). This is possible because a bill has at most
 * `mostLines` lines from its file and the missing parcels of its month.
 */
export const listLines = async (
  work: Work,
  { id, ...filters }: RowFilters,
): Promise<Listed<BillRow>> => {
  await getRow(work, namedRows('id', sql`reconciliations`), id);
  const lines = namedRows(
    `${lineColumns} order_id station_name decided_by_name`,
    sql`(select ${columnsOf('l', lineColumns)}, e.order_id, s.name as station_name,
      a.nickname as decided_by_name from reconciliation_rows l
    left join expresses e on e.id = l.express_id left join stations s on s.id = l.station_id
      left join accounts a on a.id = l.decided_by
    where l.reconciliation_id = ${id} and l.bucket is not null)`,
  );
  const conditions = filterConditions(filters, {
    bucket: equal,
    decision: equal,
    within_tolerance: equal,
    station_id: equal,
    q: (q) => sql<boolean>`r.delivery_id = any(${searchNumbers(q)}::text[])`,
  });
  const found = await listRows<BillRow>(work, lines, {
    conditions,
    paging: filters,
    sortable: ['id', 'their_amount', 'total_weight', 'effect_amount'],
  });
  return {
    ...found,
    items: found.items.map((line) => ({ ...line, customer_code: line.customer_code || null })),
  };
};

/** Sets matched bills to `settled` if they have no open line, otherwise to `ready`. */
export const refreshStatus = async (work: Work, ids: readonly number[]): Promise<void> => {
  await sql`with now as (select c.id, case when exists (select 1 from reconciliation_rows r
    where r.reconciliation_id = c.id and r.decision = 'open' and r.bucket is not null)
        then 'ready' else 'settled' end as status from reconciliations c
          where c.id = any(${ids}::bigint[]) and c.status in ('ready', 'settled'))
    update reconciliations c set status = now.status, version = c.version + 1,
      updated_at = clock_timestamp() from now where c.id = now.id
      and c.status <> now.status`.execute(work.tx);
};
