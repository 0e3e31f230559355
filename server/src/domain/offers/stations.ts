import type { Actor } from '#platform/auth/actor.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { StationRule } from './choice.ts';
import type { StationTerms } from './terms.ts';

/**
 * The station for which an actor orders, quotes or imports. Super admins and admins must give one.
 * Partners may give a station below their own. Station managers and clerks always have their own
 * station; any other one is a 404.
 */
export const stationFor = async (
  work: Work,
  actor: Pick<Actor, 'role' | 'station_id'>,
  wanted: number | undefined,
): Promise<StationTerms & StationRule> => {
  if (wanted === undefined && actor.station_id === null)
    failFields({ station_id: { code: 'required' } });
  const station_id = wanted ?? actor.station_id!;
  if ((actor.role === 'station' || actor.role === 'user') && station_id !== actor.station_id)
    fail('not_found');
  const [row] = await rowsAtOnce(
    work,
    sql<StationTerms & StationRule>`select id, name, status, money, "freeze", available, has_amount,
      credit_limit, allow_select, allow_print, project_id, customer_code,
      offer_rule, offer_carriers, offer_fallback from stations where id = ${station_id} and ${scopeCondition(work, 'id')}`,
  );
  return row ?? fail('not_found');
};

/** Like `stationFor`, but fails if the station is disabled; used for orders and edits. */
export const activeStationFor = async (
  work: Work,
  actor: Pick<Actor, 'role' | 'station_id'>,
  wanted: number | undefined,
): Promise<StationTerms & StationRule> => {
  const station = await stationFor(work, actor, wanted);
  if (station.status !== 1) fail('station_disabled');
  return station;
};
