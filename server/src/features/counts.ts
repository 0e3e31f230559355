import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** Task: adds up the counting steps of parcels, so that reading them stays short. Readers see either the steps or their sum, never both. */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(systemScope('counts'), async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('express_counts'))`.execute(tx);
    await sql`with gone as (delete from express_counts returning station_id, user_id, state_code, waybill, n)
      insert into express_counts (station_id, user_id, state_code, waybill, n)
      select station_id, user_id, state_code, waybill, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0`.execute(tx);
  });
};
