import { mostExpectedParcels, mostMissingNamed } from '@waystation/contract/base/limits.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { MissingParcel } from '@waystation/contract/parcels/handover.ts';
import { isUndecided, stateList } from '#domain/express/express-reads.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { Work } from '#platform/db/db.ts';
import type { HandoverRow } from './row.ts';

type Visit = Pick<HandoverRow, 'station_id' | 'provider' | 'only_user_id'>;

/**
 * The newest parcels that meet the condition and belong to the hand-over's station, carrier and
 * user.
 */
const parcelsWhere = ({ station_id, provider, only_user_id }: Visit, condition: Condition) => sql`
  (select e.id, e.delivery_id, e.package_count, e.created_at from expresses e
  where e.station_id = ${station_id} and ${condition}
    and e.provider = ${provider} and e.delivery_id is not null and e.intercepting = 0
    and e.cancel_requested_at is null and not (${isUndecided})
    and ${only_user_id === null ? sql`true` : sql`e.user_id = ${only_user_id}`}
  order by e.created_at desc, e.id desc limit ${sql.lit(mostExpectedParcels + 1)})`;

/**
 * The newest parcels of the station and carrier that await pickup or of which packages were left
 * behind. Each has the number of packages that no hand-over has given. A parcel is left out if its
 * cancel is requested or its waybill is not decided yet.
 */
const awaiting = (visit: Visit) => sql`
  (select e.id as express_id, e.delivery_id, e.package_count, e.created_at,
    greatest(e.package_count - (select count(distinct x.package_no)::int from handover_scans x
      where x.express_id = e.id and x.result = 'given' and x.taken_back_at is null), 0) as missing
  from (${parcelsWhere(visit, sql`e.state_code in (${stateList([stateCode.awaitingPickup])})`)}
    union all
    ${parcelsWhere(visit, sql`e.exception = 'left_behind' and e.handled_at is null`)}) e
  order by e.created_at desc, e.id desc limit ${sql.lit(mostExpectedParcels + 1)})`;

export interface Expected {
  /**
   * The number of packages that are expected but not handed over; `missing_parcels` is the number
   * of their parcels.
   */
  missing: number;
  missing_parcels: number;
  is_capped: 0 | 1;
}

/**
 * Counts the missing parcels and packages of an open hand-over. Reads as the system, because
 * packages may have been given in a hand-over of another user. The hand-over itself was already
 * found in scope.
 */
export const expectedOf = (work: Work, visit: Visit): Promise<Expected> =>
  work.asSystem('expected parcels of a hand-over', (system) =>
    oneRow(
      system,
      sql<Expected>`select coalesce(sum(a.missing), 0)::int as missing,
        (count(*) filter (where a.missing > 0))::int as missing_parcels,
        (count(*) > ${mostExpectedParcels})::int as is_capped from ${awaiting(visit)} a`,
    ),
  );

/**
 * The first missing parcels with their waybill numbers, newest first, and the number of all missing
 * parcels and packages.
 */
export const missingOf = (
  work: Work,
  visit: Visit,
): Promise<{
  parcels: number;
  packages: number;
  items: (MissingParcel & { express_id: number })[];
}> =>
  work.asSystem('missing parcels of a hand-over', async (system) => {
    const { rows } = await sql<
      MissingParcel & { express_id: number; parcels: number; packages: number }
    >`select a.express_id, a.delivery_id, a.missing, a.package_count,
        (count(*) over ())::int as parcels, (sum(a.missing) over ())::int as packages
      from ${awaiting(visit)} a
      where a.missing > 0 order by a.created_at desc, a.express_id desc
      limit ${sql.lit(mostMissingNamed)}`.execute(system.tx);
    return {
      parcels: rows[0]?.parcels ?? 0,
      packages: rows[0]?.packages ?? 0,
      items: rows.map(({ express_id, delivery_id, missing, package_count }) => ({
        express_id,
        delivery_id,
        missing,
        package_count,
      })),
    };
  });
