import type { App } from '#app.ts';
import { rollUpBooks, rollUpMoney, rollUpStatements } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const rollUpUses = async (work: Work): Promise<void> =>
  void (await sql`select express_uses_roll_up()`.execute(work.tx));

/**
 * The number of parcels whose lanes are added up for the first time in one transaction, which locks
 * these parcels.
 */
const fillSize = 1_000;
/** The number of milliseconds for which one run adds up lanes; the next run continues. */
const fillMs = 20_000;

/** True if a slice could not be locked because another session changes one of its parcels. */
const isBusy = (error: unknown): boolean =>
  (error as { cause?: { code?: string }; code?: string }).code === '55P03';

/**
 * Adds up the lanes of parcels from before lanes were kept per station, slice by slice. Rolls up
 * the counting tables after each slice, so that they are read quickly. Has no effect when all
 * parcels are added up.
 */
export const fillLanes = async (app: Pick<App, 'db'>, most = fillMs): Promise<void> => {
  const since = performance.now();
  const slice = async (work: Work): Promise<boolean> => {
    const { rows } = await sql<{ more: boolean }>`select exists (select from express_lane_fill)
      and express_lane_fill_slice(${fillSize}) as more`.execute(work.tx);
    return rows[0]?.more === true;
  };
  try {
    while ((await app.db.tx(systemScope('first lanes'), slice)) && performance.now() - since < most)
      await app.db.tx(systemScope('first lanes'), rollUpUses);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
};

/** The limit of roll-ups in one run. After a long stop, the next run continues. */
const mostRuns = 20;

/**
 * Task: rolls up the counting tables of parcels and the daily sums of money, transactions and
 * ledger entries, so that they are read quickly.
 */
export const rollUpCounts = async (app: App): Promise<void> => {
  await app.db.tx(
    systemScope('counts'),
    async (work) => void (await sql`select express_roll_up()`.execute(work.tx)),
  );
  await app.db.tx(systemScope('counts'), rollUpUses);
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
  await fillLanes(app);
};
