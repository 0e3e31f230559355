/**
 * `npm run money -- --seeds 10000 --seed 1`: plays this number of random histories of a network in
 * one database. Each history is played on the product and in the simple model. The ledger check
 * runs at intervals and at the end. Prints a line of figures and stores it in .money-runs.jsonl. If
 * there is a difference, the history is shortened to the part that shows it, and the exit code is
 * 1. After a signal, the program ends with the results so far.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { prove, sql } from '@waystation/server/testing/product.ts';
import { setup } from '@waystation/server/testing/global-setup.ts';
import { inconsistenciesInBooks } from '@waystation/server/testing/consistency.ts';
import { createTestApp } from '@waystation/server/testing/test-app.ts';
import { history } from './chance.ts';
import { playHistory } from './play.ts';
import { all, openWorld } from '@waystation/server/testing/histories/world.ts';
import type { World } from '@waystation/server/testing/histories/world.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '500' },
  },
});
const [seeds, first, every] = [Number(values.seeds), Number(values.seed), Number(values.every)];
const since = performance.now();
const seconds = (): number => Math.round((performance.now() - since) / 1_000);

/**
 * Checks the whole database and returns the violations as texts. If `full` is true, the ledger
 * check begins at the first entry.
 */
const look = async ({ app }: World, full: boolean): Promise<string[]> => {
  const { breaks } = await prove(app, { full, at: app.clock.now() });
  const astray = await app.db.tx(all, async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    return inconsistenciesInBooks(work);
  });
  return [
    ...breaks.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...astray,
  ];
};

const figuresOf = ({
  app,
}: World): Promise<{ movements: number; entries: number; parcels: number }> =>
  app.db.tx(
    all,
    async (work) =>
      (
        await sql<{
          movements: number;
          entries: number;
          parcels: number;
        }>`select (select count(*) from ledger_transfers) as movements,
          (select count(*) from ledger_entries) as entries,
          (select count(*) from expresses) as parcels`.execute(work.tx)
      ).rows[0]!,
  );

let ending = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void (ending = true));

const run = async (): Promise<number> => {
  const stop = await setup();
  const app = await createTestApp();
  const world = await openWorld(app);
  const counts = new Map<string, number>();
  const breaks: string[] = [];
  let histories = 0;
  for (; histories < seeds && breaks.length === 0 && !ending; histories++) {
    const seed = first + histories;
    const found = await fc.check(
      fc.asyncProperty(fc.noBias(history), (one) => playHistory(world, one, counts)),
      // If a history fails, shortening it to the steps that cause the difference may take up to a
      // minute.
      { seed, numRuns: 1, interruptAfterTimeLimit: 60_000 },
    );
    if (found.counterexample)
      breaks.push(
        `seed ${seed}, cut down ${found.numShrinks} times:\n${(found.errorInstance as Error).message}`,
      );
    if ((histories + 1) % every === 0) {
      breaks.push(...(await look(world, false)));
      console.log(
        `${histories + 1} of ${seeds} histories, ${seconds()} s, ${breaks.length} breaks`,
      );
      await app.db.tx(all, (work) =>
        sql`delete
        from graphile_worker._private_jobs`.execute(work.tx),
      );
    }
  }
  breaks.push(...(await look(world, true)));
  for (const words of breaks.slice(0, 20)) console.error(words);
  const figures = {
    histories,
    first_seed: first,
    ...(await figuresOf(world)),
    breaks: breaks.length,
    seconds: seconds(),
  };
  console.log(
    JSON.stringify(Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))),
  );
  console.log(
    `${histories} histories from seed ${first}, ${figures.movements} movements, ${figures.entries} entries, ${figures.parcels} parcels, ${breaks.length} breaks, ${seconds()} s`,
  );
  appendFileSync(
    join(import.meta.dirname, '..', '..', '..', '.money-runs.jsonl'),
    `${JSON.stringify({ at: new Date().toISOString(), ...figures })}\n`,
  );
  await app.close();
  await stop?.();
  return breaks.length === 0 ? 0 : 1;
};

process.exitCode = await run();
