import { sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';

/**
 * Exact numbers of parcels, from stored sums and from the steps of the last minute that are not
 * added yet (docs/decisions/0039). There are sums per clerk, per station and of the whole network.
 * A user who sees several stations reads one row per station; a user who sees everything reads one
 * row.
 */

const isOfClerk = (work: Scoped): boolean =>
  work.scope.kind === 'stations' && work.scope.account !== null;

/**
 * SQL condition for the stored sums of the stations in scope. An unrestricted scope reads the sums
 * of the whole network (station 0); with `each`, it reads the sums of every station.
 */
const kept = (work: Scoped, each: boolean) => {
  if (work.scope.kind === 'all') return each ? sql`station_id > 0` : sql`station_id = 0`;
  return scopeCondition(work, 'station_id');
};

/**
 * Reads, in one SQL statement, the stored sums and the steps that are not added to them yet. A task
 * moves steps into the sums, and the snapshot of one statement contains each step once.
 */
const withSteps = (sums: ReturnType<typeof sql>, steps: ReturnType<typeof sql>) => sql`(${sums}
  union all ${steps})`;

const dayColumns = sql`station_id, day, what, n`;

/**
 * SQL: a table in parentheses with the numbers of parcels by day in scope: station_id, day, what,
 * n. Several rows may be about the same day. `each`: true if the caller filters or groups by
 * station_id, which has no meaning otherwise.
 */
export const parcelsByDay = (work: Scoped, each = false) =>
  isOfClerk(work)
    ? sql`(select ${dayColumns} from express_days
      where ${scopeCondition(work, 'station_id', 'user_id')})`
    : withSteps(
        sql`select ${dayColumns} from express_day_sums where ${kept(work, each)}`,
        sql`select ${dayColumns} from express_days where fresh
          and ${scopeCondition(work, 'station_id')}`,
      );

const countColumns = sql`station_id, state_code, waybill, n, post_amount, weight,
  package_count`;

/**
 * SQL: the sums of the parcels in scope by state, in the same form as `parcelsByDay`. With
 * `user_id`, only the parcels that this account created.
 */
export const parcelsByState = (work: Scoped, each = false, user_id?: number) => {
  const own = sql`select ${countColumns} from express_counts
    where ${scopeCondition(work, 'station_id', 'user_id')}`;
  if (user_id !== undefined) return sql`(${own} and user_id = ${user_id})`;
  return isOfClerk(work)
    ? sql`(${own})`
    : withSteps(
        sql`select ${countColumns}
    from express_count_sums where ${kept(work, each)}`,
        sql`${own}
    and fresh`,
      );
};

/**
 * SQL condition that is true when all earlier parcels are in the sums of lanes and of promised
 * times. Before that, the sums are not read.
 */
export const lanesAreFilled = sql`and not exists (select from express_lane_fill)`;

/**
 * SQL: the number of parcels of all stations that used something in the thirty business days up to
 * `at`. `id` is a column of the query. It is the id of a template, a carrier account or a delivery
 * time, or the value that an insurance tier insures. For a region, it is a template's id followed
 * by the six digits of the region. For goods, it is the number that `express_goods_key` returns.
 * Four kinds count for a delivery time (server/sql/express-uses.sql). `signed` counts the
 * parcels signed for, and `signed_minutes` the minutes from order to signature. `due` counts the
 * parcels promised for these days, and `on_time` those delivered by then. `due` and `on_time` are
 * zero while they are filled for the first time. `before` leaves out the last day, whose promised
 * times may not have passed.
 */
type UseKind =
  | 'voucher'
  | 'merchant'
  | 'area'
  | 'guarantee'
  | 'goods'
  | 'promise'
  | 'signed'
  | 'signed_minutes'
  | 'due'
  | 'on_time'
  | 'picked_up';
export const usesLately = (
  what: UseKind,
  id: string | ReturnType<typeof sql>,
  at: ReturnType<typeof sql>,
  before = false,
) =>
  sql<number>`(select coalesce(sum(u.n), 0)::bigint from express_uses u where u.what = ${what}
    and u.of_id = ${typeof id === 'string' ? sql.ref(id) : id}
    and u.day between business_day(${at}) - ${sql.lit(before ? 30 : 29)}
      and business_day(${at}) - ${sql.lit(before ? 1 : 0)}
    ${what === 'due' || what === 'on_time' ? lanesAreFilled : sql``})`;
