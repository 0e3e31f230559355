import { parcelsByDay } from '#domain/express/express-reads.ts';
import { lowLimit } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { columnsOf, namedRows } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';

export const isOffice = ({ role }: Actor): boolean => role === 'super' || role === 'admin';

const columns = [
  'id name province city county address discount northeast_discount money freeze available fixed_freeze low_balance credit_limit status allow_print has_amount allow_select offer_rule offer_carriers offer_fallback',
  'profit fixed_profit enable_profit profit_limit fixed_profit_limit project_id sender_name sender_phone version created_at updated_at',
].join(' ');
const added =
  'low_limit claim_amount parent_id parent_name project_name level children users parcels_30d blocked last_active_at';

/**
 * A subquery of stations as an actor sees them, with their activity. Parent, level and children
 * count only within the actor's scope; a parent outside the scope is shown as none. The last parcel
 * is read from the station's own index. `between` instead of `=` keeps the planner from the index
 * of all parcels by time. In that index it would read every newer parcel to find the last parcel of
 * an inactive station. Only super and admin see which carrier account a station's parcels use.
 */
export const stationsFor = (actor: Actor, work: Scoped, at: Date) =>
  namedRows(
    `${columns} ${added}${isOffice(actor) ? ' customer_code' : ''}`,
    sql`(
  select ${columnsOf('s', columns)}, s.pinyin, ${lowLimit('s')} as low_limit,
    (select coalesce(sum(c.amount), 0)::bigint from station_claims c where c.station_id = s.id
      and c.amount > 0) as claim_amount,
      ${
        isOffice(actor)
          ? sql`s.customer_code,
      `
          : sql``
      } p.id as parent_id,
      p.name as parent_name, j.name as project_name,
    (with recursive up as (
        select s.parent_id as above, 1 as level
        union all select u.parent_id, up.level + 1 from stations u join up on u.id = up.above
          where ${scopeCondition(work, 'u.id')})
      select max(level) from up) as level,
    (select count(*) from stations c where c.parent_id = s.id
      and ${scopeCondition(work, 'c.id')}) as children,
    (select count(*) from accounts a where a.station_id = s.id and a.status = 1
      and ${scopeCondition(work, 'a.station_id')}) as users,
    (select coalesce(sum(d.n), 0)::bigint from ${parcelsByDay(work, true)} d
      where d.station_id = s.id and d.what = 'ordered'
      and d.day > ${businessDay(daysBefore(at, 30))}::date) as parcels_30d,
    (select count(*) from ledger_blocks b where b.station_id = s.id and b.cleared_at is null
      and ${scopeCondition(work, 'b.station_id')}) as blocked,
    (select e.created_at from expresses e
      where e.station_id between s.id and s.id and ${scopeCondition(work, 'e.station_id')}
      order by e.station_id, e.created_at desc, e.id desc limit 1) as last_active_at
  from stations s left join stations p on p.id = s.parent_id
    and ${scopeCondition(work, 'p.id')} left join projects j on j.id = s.project_id
  where ${scopeCondition(work, 's.id')})`,
  );
