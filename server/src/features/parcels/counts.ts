import type { App } from '#app.ts';
import { rollUpMoney } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** Task: adds up the counting steps of parcels and the daily ones of money, so that reading them stays short. Readers see either the steps or their sum, never both. */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(systemScope('counts'), async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('express_counts'))`.execute(tx);
    await sql`with gone as (delete from express_counts returning *)
      insert into express_counts (station_id, user_id, state_code, waybill, n, tree_id)
      select station_id, user_id, state_code, waybill, sum(n), tree_id from gone group by 1, 2, 3, 4, 6 having sum(n) <> 0`.execute(tx);
    // By day there are many rows: only those that have new steps are added up again.
    await sql`with steps as (delete from express_days where fresh returning *),
        touched as (select distinct what, day, station_id, user_id, tree_id from steps),
        sums as (delete from express_days d using touched t where not d.fresh
          and (d.what, d.day, d.station_id, d.user_id, d.tree_id) = (t.what, t.day, t.station_id, t.user_id, t.tree_id) returning d.*)
      insert into express_days (day, station_id, user_id, what, n, fresh, tree_id)
      select day, station_id, user_id, what, sum(n), false, tree_id from (select * from steps union all select * from sums) s
      group by 1, 2, 3, 4, 7 having sum(n) <> 0`.execute(tx);
    await rollUpMoney(tx);
  });
};
