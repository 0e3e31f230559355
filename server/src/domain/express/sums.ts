import { sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';

/**
 * Exact figures of parcels from sums that are kept of each clerk, each station and the whole network, and from the steps of the last minute
 * (docs/decisions/0039). A reader of several stations takes one row a station, a reader of everything one row in all.
 */

const isOfClerk = (scope: Scope): boolean => scope.kind === 'stations' && scope.account !== null;

/** Of the sums, those of the stations in scope; where everything is in scope those of the network (station 0), unless `each` station is wanted. */
const kept = (scope: Scope, each: boolean) => {
  if (scope.kind === 'all') return each ? sql`station_id > 0` : sql`station_id = 0`;
  return scopeCondition(scope, 'station_id');
};

/** Sums and steps in one statement: the roll-up moves steps into the sums, and a snapshot has each of them once. */
const withSteps = (sums: ReturnType<typeof sql>, steps: ReturnType<typeof sql>) => sql`(${sums} union all ${steps})`;

const dayColumns = sql`station_id, day, what, n`;

/**
 * Parcels by day within a scope, as a table in parentheses: station_id, day, what, n, several rows of which may be about the same day. `each`: the reader
 * narrows or groups by station_id, which says nothing otherwise.
 */
export const parcelsByDay = (scope: Scope, each = false) =>
  isOfClerk(scope)
    ? sql`(select ${dayColumns} from express_days where ${scopeCondition(scope, 'station_id', 'user_id')})`
    : withSteps(
        sql`select ${dayColumns} from express_day_sums where ${kept(scope, each)}`,
        sql`select ${dayColumns} from express_days where fresh and ${scopeCondition(scope, 'station_id')}`,
      );

const countColumns = sql`station_id, state_code, waybill, n, post_amount, weight, package_count`;

/** Parcels by state within a scope, with their sums, as `parcelsByDay`; with `user_id` those of one account. */
export const parcelsByState = (scope: Scope, each = false, user_id?: number) => {
  const own = sql`select ${countColumns} from express_counts where ${scopeCondition(scope, 'station_id', 'user_id')}`;
  if (user_id !== undefined) return sql`(${own} and user_id = ${user_id})`;
  return isOfClerk(scope) ? sql`(${own})` : withSteps(sql`select ${countColumns} from express_count_sums where ${kept(scope, each)}`, sql`${own} and fresh`);
};

/**
 * How many parcels of all stations used something on the thirty business days up to `at`. `id` is a column of the reader's query: the id of a template, a carrier
 * account or a delivery time, the value that an insurance tier insures, or a template's id followed by the six digits of a region; of goods it is the number that
 * `express_goods_key` gives. Of a delivery time also what was signed for on those days, the minutes from order to signature together, and what had a promised time and
 * kept it (server/sql/express-uses.sql).
 */
type UseKind = 'voucher' | 'merchant' | 'area' | 'guarantee' | 'goods' | 'promise' | 'signed' | 'signed_minutes' | 'due' | 'on_time' | 'picked_up';
export const usesLately = (what: UseKind, id: string | ReturnType<typeof sql>, at: ReturnType<typeof sql>) =>
  sql<number>`(select coalesce(sum(u.n), 0)::bigint from express_uses u where u.what = ${what} and u.of_id = ${typeof id === 'string' ? sql.ref(id) : id}
    and u.day > business_day(${at}) - 30 and u.day <= business_day(${at}))`;
