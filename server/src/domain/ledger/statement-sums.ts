import type { StatementType } from '@waystation/contract/money/statement.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { all } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { columnsOf } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';

/**
 * Sums of statements by month, day and type. `statement_months` and `statement_days` include every
 * statement up to the last one in `statement_rolled`; later statements are added from their table.
 * The sums are exact at every moment, because one SQL statement reads both (docs/decisions/0039).
 */

/**
 * The longest time that a posting may wait for its station's lock. The time of its statement is set
 * before the wait, so its statement may come after statements with a later time.
 */
export const longestWait = sql.raw("interval '10 minutes'");

export interface OfStations {
  station_id?: number | undefined;
  with_children?: 0 | 1 | undefined;
}

/**
 * SQL condition for the rows of the requested station, optionally with the stations below it. It is
 * true for all rows if no station is requested.
 */
export const ofStations = (
  work: Scoped,
  column: string,
  { station_id, with_children }: OfStations,
) => {
  if (station_id === undefined) return sql<boolean>`true`;
  if (with_children !== 1) return sql<boolean>`${sql.ref(column)} = ${station_id}`;
  return sql<boolean>`${sql.ref(column)} in (with recursive down as (
      select d.id from stations d where d.id = ${station_id}
        and ${scopeCondition(work, 'd.id')}
      union all select d.id from stations d join down u on d.parent_id = u.id
        where ${scopeCondition(work, 'd.id')})
    select down.id from down)`;
};

/**
 * SQL condition for the stored sums of the filtered stations. For all stations together, the sums
 * of the whole network (station 0) are read, unless `each` asks for the sums of every station.
 */
const ofKept = (work: Scoped, of: OfStations, each: boolean): Condition => {
  if (work.scope.kind !== 'all')
    return all([scopeCondition(work, 'k.station_id'), ofStations(work, 'k.station_id', of)]);
  if (of.station_id !== undefined) return ofStations(work, 'k.station_id', of);
  return each ? sql<boolean>`k.station_id > 0` : sql<boolean>`k.station_id = 0`;
};

const summedColumns = columnsOf(
  'l',
  'station_id period posted_at type amount freeze_amount seq transfer_id',
);

/**
 * The statements after the stored sums, found station by station; the lateral join with `offset 0`
 * allows no other plan. The number after which they begin is calculated in a separate query:
 * `coalesce` is not leakproof, so row-level security would keep it out of the index condition.
 */
const behind = (work: Scoped, of: OfStations) => sql`(select n.id, coalesce(r.seq, 0) as seq
    from stations n left join statement_rolled r on r.station_id = n.id
      and ${scopeCondition(work, 'r.station_id')}
    where ${scopeCondition(work, 'n.id')} and ${ofStations(work, 'n.id', of)} offset 0) n
  cross join lateral (select ${summedColumns} from statements l where l.station_id = n.id
    and l.seq > n.seq offset 0) l where true`;

const lineSums = sql.raw(
  `1::bigint as n, greatest(l.amount, 0) as "in", greatest(-l.amount, 0) as "out", l.freeze_amount`,
);

/** The months to read: all months together, one month, or one month and all later months. */
export type Months = { kind: 'all' } | { kind: 'one' | 'from'; period: string };

const ofMonths = (column: string, months: Months): Condition => {
  if (months.kind === 'all') return sql<boolean>`true`;
  return months.kind === 'one'
    ? sql<boolean>`${sql.ref(column)} = ${months.period}`
    : sql<boolean>`${sql.ref(column)} >= ${months.period}`;
};

/**
 * SQL: a table in parentheses with station_id, period, type, n, in, out, freeze_amount, first_seq,
 * first_transfer and last_transfer. Several rows may have the same station, month and type. `each`:
 * true if the caller groups by station_id, which has no meaning otherwise.
 */
export const monthSums = (work: Scoped, of: OfStations, months: Months, each = false) => sql`(
  select k.station_id, k.period, k.type, k.n, k."in", k."out", k.freeze_amount, k.first_seq,
    k.first_transfer, k.last_transfer from statement_months k
    where ${ofKept(work, of, each)}
      and ${months.kind === 'all' ? sql`k.period = ''` : ofMonths('k.period', months)}
  union all select l.station_id, l.period, l.type, ${lineSums}, l.seq, l.transfer_id,
    l.transfer_id from ${behind(work, of)} and ${ofMonths('l.period', months)})`;

/**
 * SQL: a table in parentheses with the columns station_id, day, type, n, in, out and freeze_amount,
 * like `monthSums`. `from` and `to` are days as `YYYY-MM-DD`, both included.
 */
export const daySums = (
  work: Scoped,
  of: OfStations,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) => {
  const between = (day: ReturnType<typeof sql>) =>
    sql`${from === undefined ? sql`true` : sql`${day} >= ${from}::date`}
      and ${to === undefined ? sql`true` : sql`${day} <= ${to}::date`}`;
  return sql`(
  select k.station_id, k.day, k.type, k.n, k."in", k."out", k.freeze_amount
    from statement_days k where ${ofKept(work, of, false)} and ${between(sql.raw('k.day'))}
  union all select l.station_id, business_day(l.posted_at), l.type, ${lineSums}
    from ${behind(work, of)} and ${between(sql.raw('business_day(l.posted_at)'))})`;
};

interface Filters extends OfStations {
  type?: readonly StatementType[] | undefined;
  period?: string | undefined;
  posted_from?: string | undefined;
  posted_to?: string | undefined;
}

/**
 * SQL: the stored sums that match the filters: the sums of months, of days, or of all time. Null if
 * the filters contain both a month and days.
 */
export const sumsOfFilters = (work: Scoped, filters: Filters) => {
  const { period, posted_from: from, posted_to: to } = filters;
  const hasDays = from !== undefined || to !== undefined;
  if (period !== undefined)
    return hasDays ? null : monthSums(work, filters, { kind: 'one', period });
  return hasDays ? daySums(work, filters, { from, to }) : monthSums(work, filters, { kind: 'all' });
};

/** Task: adds the statements of the last minutes to the sums. Returns true if there may be more. */
export const rollUpStatements = async (work: Work): Promise<boolean> => {
  const { rows } = await sql<{ added: number }>`select statement_roll_up() as added`.execute(
    work.tx,
  );
  return firstOf(rows).added > 0;
};
