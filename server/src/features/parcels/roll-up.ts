import type { App } from '#app.ts';
import { rollUpBooks, rollUpMoney, rollUpStatements } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** After a long stop a run ends here, and the next one goes on. */
const mostRuns = 20;

/** Task: adds up the counting steps of parcels and the daily ones of money, billing lines and entries, so that reading them stays short. */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(systemScope('counts'), async (tx) => void (await sql`select express_roll_up()`.execute(tx)));
  await app.db.tx(systemScope('counts'), async (tx) => void (await sql`select express_uses_roll_up()`.execute(tx)));
  await app.db.tx(systemScope('counts'), async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('ledger_days'))`.execute(tx);
    await rollUpMoney(tx);
  });
  for (let run = 0; run < mostRuns && (await app.db.tx(systemScope('counts'), rollUpStatements)); run += 1);
  for (let run = 0; run < mostRuns && (await rollUpBooks(app.db)); run += 1);
};
