import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/** SQL that joins the parcel `e` of a scan `x` if the reader may see the parcel. */
export const parcelOfScan = (work: Work) => sql`left join expresses e on e.id = x.express_id
  and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`;

const isShown = sql`(x.result = 'given' or x.express_id is null or e.id is not null)`;

/**
 * The answer to a scan as this reader may see it. The user who scanned may see more parcels: a
 * refused parcel that this reader may not see is shown as an unknown number.
 */
export const shownScan = sql`x.scan_id, x.number, x.at, e.id as express_id,
  case when ${isShown} then x.result else 'unknown' end as result,
  case when ${isShown} then x.delivery_id end as delivery_id,
  case when ${isShown} then x.package_no end as package_no,
  case when ${isShown} then x.package_count end as package_count,
  case when ${isShown} then x.detail else '{}' end as detail`;
