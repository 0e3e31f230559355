import type { Condition } from '#platform/db/conditions.ts';
import { sqlDayStart } from '#platform/db/days.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { StatementFilters } from './statement-list.ts';
import { longestWait, ofStations } from './statement-sums.ts';

/**
 * SQL: a transfer of station `n` that bounds a range in time. `first`: the lowest transfer near the
 * station's first statement from this time on. `last`: the highest transfer near its last statement
 * before this time.
 */
const about = (moment: RawBuilder<Date>, which: 'first' | 'last') => {
  const [beyond, direction, furthest] =
    which === 'first' ? [sql`>=`, sql`asc`, sql`min`] : [sql`<`, sql`desc`, sql`max`];
  const from = which === 'first' ? sql`p.at` : sql`p.at - ${longestWait}`;
  return sql`(select (select ${furthest}(s.transfer_id) from statements s
    where s.station_id = n.id and s.posted_at >= ${from}
    and s.posted_at <= ${from} + ${longestWait}) as t
    from (select s.posted_at as at from statements s where s.station_id = n.id
      and s.posted_at ${beyond} ${moment} order by s.posted_at ${direction} limit 1) p)`;
};

/**
 * The bounds of a range of transfers that contains all statements of some days. A bound is null if
 * the range is open on that side.
 */
export interface Between {
  first: number | null;
  last: number | null;
}

/**
 * The first and the last transfer that may have statements on the filtered days. Returns 'none' if
 * there are no such statements, and null if no days are filtered. The transfers are searched
 * station by station, so that the cost depends neither on the time range nor on the length of the
 * history.
 */
export const linesOfDays = async (
  work: Work,
  filters: StatementFilters,
): Promise<Between | 'none' | null> => {
  const { posted_from, posted_to } = filters;
  if (!posted_from && !posted_to) return null;
  const nothing = sql`(select null::bigint as t)`;
  const from = posted_from ? about(sqlDayStart(posted_from), 'first') : nothing;
  const to = posted_to ? about(sqlDayStart(posted_to, 1), 'last') : nothing;
  const between = await oneRow(
    work,
    sql<Between>`select min(f.t) as first, max(l.t) as last from stations n left
      join lateral ${from} f on true
      left join lateral ${to} l on true where ${scopeCondition(work, 'n.id')}
        and ${ofStations(work, 'n.id', filters)}`,
  );
  return (posted_from && between.first === null) || (posted_to && between.last === null)
    ? 'none'
    : between;
};

/**
 * SQL conditions on the statements `s`. `inOrder`: true for a page, which is read in the order of
 * transfers. For a page, the upper bound compares two columns. With two plain bounds whose values
 * are unknown, PostgreSQL expects few rows, and reads and sorts them all.
 */
export const betweenTransfers = (
  between: Between | 'none' | null,
  inOrder: boolean,
): Condition[] => {
  if (between === null) return [];
  if (between === 'none') return [sql<boolean>`false`];
  const { first, last } = between;
  const upper = inOrder
    ? sql<boolean>`(s.transfer_id, s.id) <= (${last},
    9223372036854775807)`
    : sql<boolean>`s.transfer_id <= ${last}`;
  return [
    ...(first === null ? [] : [sql<boolean>`s.transfer_id >= ${first}`]),
    ...(last === null ? [] : [upper]),
  ];
};
