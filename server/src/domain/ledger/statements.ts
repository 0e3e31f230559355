import { searchLimit, searchNumbers } from '@waystation/contract/shell/search.ts';
import { statementOfReference } from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { waybillOf } from '@waystation/contract/parcels/waybill-number.ts';
import { all, equalIn, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import {
  countedOf,
  cursorOf,
  limitOfCount,
  limitOfPage,
  pageOfRows,
  pageWindow,
  readCursor,
} from '#platform/db/paging.ts';
import type { Counted, Counting, Listed } from '#platform/db/paging.ts';
import { columnsOf, inOrder } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { linesOfDays } from './line-days.ts';
import { allLines, firstLines, isOfShares, stationsOf } from './rare-lines.ts';
import { closedMonths, stripOf } from './statement-list.ts';
import type { StatementFilters, StatementPaging, Strip } from './statement-list.ts';
import { monthSums, ofStations, sumsOfFilters } from './statement-sums.ts';

interface StatementCounts extends Counted {
  strip: Strip | null;
  sums: { in: number; out: number; freeze_amount: number } | null;
}

type Row = Omit<Statement, 'created_at' | 'updated_at' | 'posted_at'> & {
  transfer_id: number | null;
  created_at: Date;
  updated_at: Date;
  posted_at: Date | null;
};

/** SQL: the time of a statement; of a request that is not posted, the time of the request. */
const moment = sql.raw('coalesce(s.posted_at, s.created_at)');

/**
 * SQL condition for the statements of one or several waybills. The parcels are searched too,
 * because a hold is posted before the waybill is known.
 */
const numbersCondition = (work: Scoped, q: string): Condition | null => {
  const reference = statementOfReference(q);
  if (reference !== null) return sql<boolean>`(s.id = ${reference} and s.type = 'top_up')`;
  const numbers = searchNumbers(q);
  if (numbers.length > searchLimit.numbers)
    fail('too_many_numbers', { limit: searchLimit.numbers, count: numbers.length });
  if (numbers.length === 0) return q.trim() === '' ? null : sql<boolean>`false`;
  // Each half is read by its own index, because an "or" of both would read every statement.
  return sql<boolean>`s.id in (select w.id from statements w
    where w.delivery_id = any(${numbers}::text[]) and ${scopeCondition(work, 'w.station_id')}
      union select p.id from statements p where p.express_id in (select e.id from expresses e
        where (e.delivery_id = any(${numbers}::text[])
          or e.order_id = any(${numbers}::text[]))
          and ${scopeCondition(work, 'e.station_id')})
          and ${scopeCondition(work, 'p.station_id')})`;
};

/**
 * SQL condition for the statements with this waybill, and for all statements of its parcel. A hold
 * is posted before the waybill is known, so its statement may lack the waybill.
 */
const linesOfWaybill = (work: Scoped, number: string): Condition =>
  sql<boolean>`(s.delivery_id = ${number} or s.express_id in (select e.id from expresses e
    where e.delivery_id = ${number} and ${scopeCondition(work, 'e.station_id')}))`;

/** Charges of parcels that a bill contains (1) or none contains (0), except discarded bills. */
const billedCondition = (billed: 0 | 1): Condition => sql<boolean>`(s.type in ('charge',
  'reweigh', 'surcharge') and s.express_id is not null
  and exists (select 1 from reconciliation_rows r
    join reconciliations c on c.id = r.reconciliation_id and c.status <> 'discarded'
    where r.express_id = s.express_id and r.no is not null) = ${billed === 1})`;

const equal = equalIn('s');

/**
 * SQL condition for a status, written like the conditions of the two partial indexes: for requests,
 * which have posted nothing, and for reversed statements.
 */
const statusCondition = (status: NonNullable<StatementFilters['status']>): Condition =>
  status === 'pending' || status === 'declined'
    ? sql<boolean>`(s.status = ${status}
    and s.transfer_id is null)`
    : sql<boolean>`s.status = ${sql.lit(status)}`;

const conditionsOf = (
  work: Scoped,
  filters: StatementFilters,
  closed: readonly string[],
): Condition[] => [
  scopeCondition(work, 's.station_id'),
  ...filterConditions(filters, { q: (q) => numbersCondition(work, q) }),
  ofStations(work, 's.station_id', filters),
  ...filterConditions(filters, {
    type: (types) => sql<boolean>`s.type = any(${types}::text[])`,
    status: statusCondition,
    earned_from: (station_id) =>
      sql<boolean>`(s.profit <> 0 and exists (select 1 from ledger_transfers t
        where t.id = s.transfer_id and t.station_id = ${station_id}
        and ${scopeCondition(work, 't.station_id')}))`,
    express_id: equal,
    delivery_id: (number) => linesOfWaybill(work, waybillOf(number) ?? number),
    amount_from: (amount) => sql<boolean>`abs(s.amount) >= ${amount}`,
    amount_to: (amount) => sql<boolean>`abs(s.amount) <= ${amount}`,
    sign: (sign) => (sign === 'in' ? sql<boolean>`s.amount > 0` : sql<boolean>`s.amount < 0`),
    period: equal,
    closed: (is) => sql<boolean>`(s.period = any(${closed}::text[])) = ${is === 1}`,
    billed: billedCondition,
    posted_from: fromDay(moment),
    posted_to: untilDay(moment),
  }),
];

/** True if a value can be the transfer id in a cursor: an integer, or null for a request. */
const isPlace = (transfer_id: unknown): boolean =>
  transfer_id === null || Number.isSafeInteger(transfer_id);

/**
 * SQL condition for the statements after the cursor. Requests, which have no transfer yet, come
 * first, and then the other statements by descending transfer. In ascending order, all this is
 * reversed.
 */
const afterCursor = (cursor: string | undefined, descending: boolean): Condition[] => {
  if (cursor === undefined) return [];
  const { value: transfer_id, id } = readCursor(cursor, isPlace);
  if (transfer_id === null)
    return [
      descending
        ? sql<boolean>`(s.transfer_id is not null
      or s.id < ${id})`
        : sql<boolean>`(s.transfer_id is null
      and s.id > ${id})`,
    ];
  return [
    descending
      ? sql<boolean>`(s.transfer_id, s.id) < (${transfer_id}, ${id})`
      : sql<boolean>`((s.transfer_id, s.id) > (${transfer_id}, ${id})
        or s.transfer_id is null)`,
  ];
};

/** The columns of a statement that `answered` needs. */
const lineColumns = columnsOf(
  's',
  [
    'id transfer_id station_id seq type status express_id delivery_id amount freeze_amount pre_amount discount discount_amount guarantee_amount post_amount available',
    'balance profit description period created_at updated_at posted_at account_id decided_by decision_reason',
  ].join(' '),
);

/**
 * Returns the statements in `picked` with the fields of the contract. The names of parcels and
 * accounts that are not in the reader's scope are left out.
 */
const answered = async (
  work: Work,
  picked: ReturnType<typeof sql>,
  direction: 'asc' | 'desc',
): Promise<Row[]> => {
  const order = sql.raw(
    direction === 'desc' ? 's.transfer_id desc nulls first, s.id desc' : 's.transfer_id, s.id',
  );
  const { rows } = await sql<Row>`
    with s as (${picked})
    select s.id, s.transfer_id, s.station_id, n.name as station_name, s.seq, s.type, s.status,
      e.id as express_id, coalesce(s.delivery_id, e.delivery_id) as delivery_id, s.amount,
      s.freeze_amount, s.pre_amount, s.discount, s.discount_amount, s.guarantee_amount,
        s.post_amount, s.available, s.balance, s.profit, s.description, s.period,
      s.created_at, s.updated_at, s.posted_at,
        coalesce(nullif(a.nickname, ''), a.username) as account_nickname, a.id as account_id,
      (s.status = 'pending' and s.type = 'top_up'
        and exists (select 1 from request_approvals r
        where r.statement_id = s.id))::int as first_approved,
      coalesce(nullif(d.nickname, ''), d.username) as decided_nickname, s.decision_reason
    from s join stations n on n.id = s.station_id left join accounts a on a.id = s.account_id
      and ${scopeCondition(work, 'a.station_id')}
    left join accounts d on d.id = s.decided_by and ${scopeCondition(work, 'd.station_id')}
      left join expresses e on e.id = s.express_id
      and ${scopeCondition(work, 'e.station_id')}
    order by ${order}`.execute(work.tx);
  return rows;
};

const statementOf = ({ transfer_id: _transfer, ...row }: Row): Statement => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  posted_at: row.posted_at?.toISOString() ?? null,
});

/**
 * Limits the list of a month to the transfers from its first to its last statement. The upper bound
 * compares two columns. With two plain bounds whose values are unknown at planning, PostgreSQL
 * expects very few rows, and reads and sorts all rows.
 */
const monthBounds = (work: Scoped, { period, ...filters }: StatementFilters): Condition[] => {
  if (period === undefined) return [];
  const sums = monthSums(work, filters, { kind: 'one', period });
  return [
    sql<boolean>`s.transfer_id >= (select min(x.first_transfer) from ${sums} x)`,
    sql<boolean>`(s.transfer_id, s.id) <= ((select max(x.last_transfer) from ${sums} x),
      9223372036854775807)`,
  ];
};

/**
 * Limits a list of profit shares to the transfers from the first to the last share. Otherwise all
 * statements of a station without shares would be read. A request is no share.
 */
const shareBounds = (work: Scoped, { period, ...filters }: StatementFilters): Condition[] => {
  if (period !== undefined || !isOfShares(filters)) return [];
  const sums = monthSums(work, filters, { kind: 'all' });
  return [
    sql<boolean>`s.transfer_id >= (select min(x.first_transfer) from ${sums} x
      where x.type = 'profit')`,
    sql<boolean>`(s.transfer_id, s.id) <= ((select max(x.last_transfer) from ${sums} x
      where x.type = 'profit'), 9223372036854775807)`,
  ];
};

const filterConditionsOf = async (work: Work, filters: StatementFilters): Promise<Condition[]> =>
  conditionsOf(work, filters, filters.closed === undefined ? [] : await closedMonths(work));

/** Resolves the filters: the stations that they select, and the transfers of the filtered days. */
const wantedOf = async (work: Work, filters: StatementFilters) => ({
  filters,
  stations: await stationsOf(work, filters),
  days: await linesOfDays(work, filters),
});

/**
 * One page of the statements in scope, in the order of posting. `countStatements` counts them
 * (docs/decisions/0035).
 */
export const listStatements = async (
  work: Work,
  filters: StatementPaging,
): Promise<Listed<Statement>> => {
  const descending = filters.sort !== 'posted_at';
  const direction = descending ? 'desc' : 'asc';
  const order = sql.raw(
    descending ? 's.transfer_id desc nulls first, s.id desc' : 's.transfer_id, s.id',
  );
  const { size, offset } = pageWindow(filters);
  const after = [
    ...monthBounds(work, filters),
    ...shareBounds(work, filters),
    ...afterCursor(filters.cursor, descending),
  ];
  const closed = filters.closed === undefined ? [] : await closedMonths(work);
  const matching = (only: StatementFilters): Condition[] => [
    ...conditionsOf(work, only, closed),
    ...after,
  ];
  const byTransfer = { column: 'transfer_id', descending, direction: sql.raw(direction) };
  const first = firstLines(await wantedOf(work, filters), matching, byTransfer, offset + size + 1);
  const picked = sql`select ${lineColumns} from statements s
    where ${first ?? all(matching(filters))} and ${scopeCondition(work, 's.station_id')}
    order by ${order} ${limitOfPage(filters)}`;
  const { items, last } = pageOfRows(await answered(work, picked, direction), size);
  return {
    items: items.map(statementOf),
    total: null,
    total_is_capped: 0,
    next_cursor: last && cursorOf(last.transfer_id, last.id),
  };
};

const addedColumns = sql.raw('s.amount, s.freeze_amount, s.seq is not null as posted');

type LineSums = { n: number } & NonNullable<StatementCounts['sums']>;

/** The names of filters for which sums are stored. */
const summed = new Set([
  'station_id',
  'with_children',
  'type',
  'period',
  'posted_from',
  'posted_to',
  'exact',
  'countUpTo',
  'page',
  'page_size',
  'cursor',
  'sort',
]);

/**
 * The stored sums that match the filters, plus the number of matching requests, which are not
 * posted. Null if no sums are stored for a filter, or if there are more requests than the counting
 * limit.
 */
const keptSums = async (
  work: Work,
  filters: StatementFilters & Counting,
  conditions: readonly Condition[],
): Promise<LineSums | null> => {
  if (
    Object.entries(filters).some(
      ([name, value]) => value !== undefined && value !== '' && !summed.has(name),
    )
  )
    return null;
  const sums = sumsOfFilters(work, filters);
  if (sums === null) return null;
  // A request belongs to no month.
  const requests = sql`select s.id from statements s where s.transfer_id is null
    and ${filters.period === undefined ? all(conditions) : sql`false`} ${limitOfCount(filters)}`;
  const { waiting, ...lines } = await oneRow(
    work,
    sql<LineSums & { waiting: number }>`select (select count(*) from (${requests}) r) as waiting,
      coalesce(sum(x.n), 0)::bigint as n, coalesce(sum(x."in"), 0)::bigint as "in",
      coalesce(sum(x."out"), 0)::bigint as "out",
        coalesce(sum(x.freeze_amount), 0)::bigint as freeze_amount
    from ${sums} x
      where ${filters.type === undefined ? sql`true` : sql`x.type = any(${filters.type}::text[])`}`,
  );
  return countedOf(waiting, filters).total_is_capped === 1
    ? null
    : { ...lines, n: lines.n + waiting };
};

/**
 * The number of statements that match the filters, and their sums. Opening and closing balance are
 * added if the filters select all statements of their stations and time.
 */
export const countStatements = async (
  work: Work,
  filters: StatementFilters & Counting,
): Promise<StatementCounts> => {
  const conditions = await filterConditionsOf(work, filters);
  const kept = await keptSums(work, filters, conditions);
  const strip = await stripOf(work, filters);
  if (kept !== null) {
    const { n: total, ...whole } = kept;
    return { total, total_is_capped: 0, sums: whole, strip };
  }
  const { n, ...sums } = await oneRow(
    work,
    sql<LineSums>`
    select count(*) as n, coalesce(sum(t.amount) filter (where t.posted and t.amount > 0),
      0)::bigint as "in",
      coalesce(-sum(t.amount) filter (where t.posted and t.amount < 0), 0)::bigint as "out",
        coalesce(sum(t.freeze_amount) filter (where t.posted), 0)::bigint as freeze_amount
    from (${allLines(addedColumns, await wantedOf(work, filters), conditions)} ${limitOfCount(filters)}) t`,
  );
  const counted = countedOf(n, filters);
  return { ...counted, sums: counted.total_is_capped === 1 ? null : sums, strip };
};

/**
 * The ids of the statements that match the filters, in the order of posting. Returns one id more
 * than the counting limit, to show whether there are more.
 */
export const statementIds = async (
  work: Work,
  filters: StatementPaging & Counting,
): Promise<number[]> => {
  const order = sql.raw(
    filters.sort === 'posted_at'
      ? 'x.transfer_id, x.id'
      : 'x.transfer_id desc nulls first, x.id desc',
  );
  const conditions = await filterConditionsOf(work, filters);
  const found = sql`${allLines(sql.raw('s.id, s.transfer_id'), await wantedOf(work, filters), conditions)} ${limitOfCount(filters)}`;
  // The ids are sorted after the search, so that no plan reads all statements in the order of
  // posting.
  const { ids } = await oneRow(
    work,
    sql<{ ids: number[] }>`select array(select x.id
    from (${found}) x order by ${order}) as ids`,
  );
  return ids;
};

/** The statements with these ids that are in scope, in the order of the ids. */
export const statementsOf = async (work: Work, ids: readonly number[]): Promise<Statement[]> => {
  const picked = sql`select ${lineColumns} from statements s
    where s.id = any(${ids}::bigint[]) and ${scopeCondition(work, 's.station_id')}`;
  return inOrder(ids, await answered(work, picked, 'desc')).map(statementOf);
};

/** One statement; fails if it is not in scope. */
export const statementIn = async (work: Work, id: number): Promise<Statement> => {
  const rows = await answered(
    work,
    sql`select ${lineColumns} from statements s
    where s.id = ${id} and ${scopeCondition(work, 's.station_id')}`,
    'desc',
  );
  return rows[0] ? statementOf(rows[0]) : fail('not_found');
};
