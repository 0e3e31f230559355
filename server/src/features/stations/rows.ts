import { parcelsByDay } from '#domain/express/express-reads.ts';
import { lowLimit } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { columnsOf, namedRows } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';

export const isOffice = ({ role }: Actor): boolean => role === 'super' || role === 'admin';

const columns = [
  'id name province city county address discount northeast_discount money freeze available fixed_freeze low_balance credit_limit status allow_print has_amount allow_select',
  'profit fixed_profit enable_profit profit_limit fixed_profit_limit project_id sender_name sender_phone version created_at updated_at',
].join(' ');
const added = 'low_limit claim_amount parent_id parent_name project_name level children users parcels_30d blocked last_active_at';

/**
 * Stations as an actor sees them, in parentheses: with parent, level and children inside its scope alone, and what goes on in them.
 * A parent above the scope is none. The last parcel is taken by the station's own index: "between" rather than "=" keeps the planner from the index of all
 * parcels by time, where a station that is silent would be looked for in everything newer. Whose account a station's parcels use is for super and admin.
 */
export const stationsFor = (actor: Actor, scope: Scope, at: Date) =>
  namedRows(
    `${columns} ${added}${isOffice(actor) ? ' customer_code' : ''}`,
    sql`(
  select ${columnsOf('s', columns)}, ${lowLimit('s')} as low_limit,
    (select coalesce(sum(c.amount), 0)::bigint from station_claims c where c.station_id = s.id and c.amount > 0) as claim_amount, ${isOffice(actor) ? sql`s.customer_code, ` : sql``} p.id as parent_id, p.name as parent_name, j.name as project_name,
    (with recursive up as (
        select s.parent_id as above, 1 as level
        union all select u.parent_id, up.level + 1 from stations u join up on u.id = up.above where ${scopeCondition(scope, 'u.id')})
      select max(level) from up) as level,
    (select count(*) from stations c where c.parent_id = s.id and ${scopeCondition(scope, 'c.id')}) as children,
    (select count(*) from accounts a where a.station_id = s.id and a.status = 1 and ${scopeCondition(scope, 'a.station_id')}) as users,
    (select coalesce(sum(d.n), 0)::bigint from ${parcelsByDay(scope, true)} d where d.station_id = s.id and d.what = 'ordered'
      and d.day > ${businessDay(daysBefore(at, 30))}::date) as parcels_30d,
    (select count(*) from ledger_blocks b where b.station_id = s.id and b.cleared_at is null and ${scopeCondition(scope, 'b.station_id')}) as blocked,
    (select e.created_at from expresses e where e.station_id between s.id and s.id and ${scopeCondition(scope, 'e.station_id')}
      order by e.station_id, e.created_at desc, e.id desc limit 1) as last_active_at
  from stations s left join stations p on p.id = s.parent_id and ${scopeCondition(scope, 'p.id')} left join projects j on j.id = s.project_id
  where ${scopeCondition(scope, 's.id')})`,
  );
