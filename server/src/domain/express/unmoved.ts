import { liveStates } from '@waystation/contract/express-states.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
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

/** A parcel `alias` that is under way and has not moved since a moment. */
export const unmovedSince = (alias: string, since: Date): Condition =>
  sql<boolean>`(${sql.ref(`${alias}.state_code`)} in (${stateList(liveStates)}) and ${movedBefore(alias, since)})`;

/** The same of parcels `e` for a reader: found station by station, so that none is read that moved. */
export const unmovedIn = (scope: Scope, since: Date, station_id?: number): Condition =>
  sql<boolean>`e.id = any(array(select u.id from stations n cross join lateral (select x.id from expresses x where x.station_id = n.id and ${unmovedSince('x', since)} offset 0) u
    where ${scopeCondition(scope, 'n.id')} and ${station_id === undefined ? sql`true` : sql`n.id = ${station_id}`}))`;
