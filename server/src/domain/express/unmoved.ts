import { liveStates } from '@waystation/contract/parcels/express-states.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { stateList } from './row.ts';

/**
 * SQL condition: the last movement of the parcel `alias` was before a given time. It is the
 * carrier's last report, else the order, else the creation. The condition tests for null, because
 * row-level security would keep `coalesce` out of the index condition of `expresses_moved`.
 */
export const movedBefore = (alias: string, moment: Date): Condition => {
  const [event, ordered, created] = ['last_event_at', 'ordered_at', 'created_at'].map((column) =>
    sql.ref(`${alias}.${column}`),
  );
  return sql<boolean>`(${event} < ${moment}
    or (${event} is null and (${ordered} < ${moment}
    or (${ordered} is null and ${created} < ${moment}))))`;
};

/**
 * The conditions of `movedBefore` for a parcel `x`, as separate cases. If they were joined by "or",
 * PostgreSQL might read all parcels under way.
 */
const casesOf = (moment: Date): Condition[] => [
  sql<boolean>`x.last_event_at < ${moment}`,
  sql<boolean>`x.last_event_at is null and x.ordered_at < ${moment}`,
  sql<boolean>`x.last_event_at is null and x.ordered_at is null and x.created_at < ${moment}`,
];

/**
 * SQL: a table in parentheses with `id` and `station_id` of the parcels in scope that are under way
 * and have not moved since `since`. The parcels are searched per station, so that no other parcel
 * is read. The transaction has `plan: 'custom'`: with a generic plan, a partner's page read 30,701
 * rows of a million instead of 287 (24 November). `of`: a condition on the stations `n`.
 */
export const unmovedParcels = (work: Scoped, since: Date, of: Condition) => {
  const cases = casesOf(since).map(
    (moved) => sql`select x.id from expresses x where x.station_id = n.id
      and x.state_code in (${stateList(liveStates)}) and ${moved}`,
  );
  return sql`(select u.id, n.id as station_id from stations n
    cross join lateral (${sql.join(
      cases,
      sql`
    union all `,
    )} offset 0) u
    where ${scopeCondition(work, 'n.id')} and ${of})`;
};

/** SQL condition: the parcel `e` is among `unmovedParcels`. */
export const unmovedIn = (work: Scoped, since: Date, station_id?: number): Condition =>
  sql<boolean>`e.id = any(array(select u.id
    from ${unmovedParcels(work, since, station_id === undefined ? sql`true` : sql`n.id = ${station_id}`)} u))`;
