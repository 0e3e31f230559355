import { liveStates } from '@waystation/contract/express-states.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { plannedForValues } from '#platform/db/prepared.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { stateList } from './row.ts';

/**
 * The last movement of a parcel `alias` was before a moment: the carrier's last report, without one the order, or else the making. By null and not by `coalesce`, which row-level
 * security would keep out of the condition of `expresses_moved`.
 */
export const movedBefore = (alias: string, moment: Date): Condition => {
  const [event, ordered, created] = ['last_event_at', 'ordered_at', 'created_at'].map((column) => sql.ref(`${alias}.${column}`));
  return sql<boolean>`(${event} < ${moment} or (${event} is null and (${ordered} < ${moment} or (${ordered} is null and ${created} < ${moment}))))`;
};

/** What `movedBefore` says of parcels `x`, each of its cases by itself: of an "or" PostgreSQL may read all that are under way. */
const casesOf = (moment: Date): Condition[] => [
  sql<boolean>`x.last_event_at < ${moment}`,
  sql<boolean>`x.last_event_at is null and x.ordered_at < ${moment}`,
  sql<boolean>`x.last_event_at is null and x.ordered_at is null and x.created_at < ${moment}`,
];

/**
 * A table in parentheses with the `id` and `station_id` of the parcels in scope that are under way and have not moved since: found station by station, so that none is read
 * that moved; planned for the moment, since a partner's page by a plan for any moment read 30,701 rows instead of 287 of a million (24 November).
 * `of`: a condition on these stations `n`.
 */
export const unmovedParcels = (scope: Scope, since: Date, of: Condition) => {
  const cases = casesOf(since).map(
    (moved) => sql`select x.id from expresses x where x.station_id = n.id and x.state_code in (${stateList(liveStates)}) and ${moved}`,
  );
  return sql`(select ${sql.raw(plannedForValues)} u.id, n.id as station_id from stations n cross join lateral (${sql.join(cases, sql` union all `)} offset 0) u where ${scopeCondition(scope, 'n.id')} and ${of})`;
};

/** Of parcels `e`, those of `unmovedParcels`. */
export const unmovedIn = (scope: Scope, since: Date, station_id?: number): Condition =>
  sql<boolean>`e.id = any(array(select u.id from ${unmovedParcels(scope, since, station_id === undefined ? sql`true` : sql`n.id = ${station_id}`)} u))`;
