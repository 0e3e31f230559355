import type { App } from '#app.ts';
import { rollUpMoney } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** Task: adds up the counting steps of parcels and the daily ones of money, so that reading them stays short. */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(systemScope('counts'), async (tx) => void (await sql`select express_roll_up()`.execute(tx)));
  await app.db.tx(systemScope('counts'), async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('ledger_days'))`.execute(tx);
    await rollUpMoney(tx);
  });
};
