import type { App } from '#app.ts';
import { rollUpBooks, rollUpMoney, rollUpStatements } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** The limit of roll-ups in one run; after a long stop the next run continues. */
const mostRuns = 20;

/**
 * Task: adds up the counting steps of parcels and the daily ones of money, billing lines and
 * entries, so that reading them stays short.
 */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(
    systemScope('counts'),
    async (work) => void (await sql`select express_roll_up()`.execute(work.tx)),
  );
  await app.db.tx(
    systemScope('counts'),
    async (work) => void (await sql`select express_uses_roll_up()`.execute(work.tx)),
  );
  await app.db.tx(systemScope('counts'), async (work) => {
    await sql`select pg_advisory_xact_lock(hashtext('ledger_days'))`.execute(work.tx);
    await rollUpMoney(work);
  });
  for (
    let run = 0;
    run < mostRuns && (await app.db.tx(systemScope('counts'), rollUpStatements));
    run += 1
  );
  for (let run = 0; run < mostRuns && (await rollUpBooks(app.db)); run += 1);
};
