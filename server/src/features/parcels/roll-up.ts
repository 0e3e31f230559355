import type { App } from '#app.ts';
import { rollUpMoney } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/**
 * Adds new steps to the sums of their keys; all other sums stay as they are. Each row that it deletes is in the sum that it inserts, and both happen in one
 * statement: readers see the steps or their sum, never both, also while another roll-up runs.
 */
const rollUpParcels = async (tx: Tx): Promise<void> => {
  await sql`with steps as (delete from express_counts where fresh returning *),
      touched as (select distinct station_id, user_id, state_code, waybill, tree_id from steps),
      sums as (delete from express_counts c using touched t where not c.fresh
        and (c.station_id, c.user_id, c.state_code, c.waybill, c.tree_id) = (t.station_id, t.user_id, t.state_code, t.waybill, t.tree_id) returning c.*)
    insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh, tree_id)
    select station_id, user_id, state_code, waybill, sum(n), sum(post_amount), sum(weight), sum(package_count), false, tree_id
    from (select * from steps union all select * from sums) s
    group by 1, 2, 3, 4, 10 having (sum(n), sum(post_amount), sum(weight), sum(package_count)) <> (0, 0, 0, 0)`.execute(tx);
  await sql`with steps as (delete from express_days where fresh returning *),
      touched as (select distinct what, day, station_id, user_id, tree_id from steps),
      sums as (delete from express_days d using touched t where not d.fresh
        and (d.what, d.day, d.station_id, d.user_id, d.tree_id) = (t.what, t.day, t.station_id, t.user_id, t.tree_id) returning d.*)
    insert into express_days (day, station_id, user_id, what, n, fresh, tree_id)
    select day, station_id, user_id, what, sum(n), false, tree_id from (select * from steps union all select * from sums) s group by 1, 2, 3, 4, 7 having sum(n) <> 0`.execute(
    tx,
  );
};

/** Task: adds up the counting steps of parcels and the daily ones of money, so that reading them stays short. */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(systemScope('counts'), rollUpParcels);
  await app.db.tx(systemScope('counts'), async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('ledger_days'))`.execute(tx);
    await rollUpMoney(tx);
  });
};
