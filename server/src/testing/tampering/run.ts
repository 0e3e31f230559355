/**
 * `npm run tamper -- --changes 200 --seed 1`: plays histories, then changes one byte at a time as a superuser and proves. Ends with a line of figures, which is
 * kept in .money-runs.jsonl too; exit 1 where a change was not found.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { ledgerTasks, prove } from '#domain/ledger/ledger.ts';
import { silentLog } from '#platform/log.ts';
import { setup } from '#testing/global-setup.ts';
import { history } from '#testing/histories/chance.ts';
import { playHistory } from '#testing/histories/play.ts';
import { openWorld } from '#testing/histories/world.ts';
import { openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import { chanceOf, tamperOnce } from './change.ts';

const { values } = parseArgs({
  options: { changes: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' }, histories: { type: 'string', default: '12' } },
});
const [changes, seed, histories] = [Number(values.changes), Number(values.seed), Number(values.histories)];

const run = async (): Promise<number> => {
  const since = performance.now();
  const stop = await setup();
  const app = await createTestApp();
  const world = await openWorld(app);
  for (let nth = 0; nth < histories; nth++)
    await fc.assert(
      fc.asyncProperty(fc.noBias(history), (one) => playHistory(world, one)),
      { seed: seed * 1_000 + nth, numRuns: 1, endOnFailure: true },
    );
  await ledgerTasks.ledger_platform_chain(app, undefined as never, { job_id: '1', attempt: 1, last: false, log: silentLog() });
  const { ok, checked_entries } = await prove(app.db, { full: true, at: app.clock.now() });
  if (!ok) throw new Error('the books do not hold before anything was changed');
  const owner = openOwner(app);
  const chance = chanceOf(seed);
  let made = 0;
  let found = 0;
  while (made < changes) {
    const tampered = await tamperOnce(owner, chance);
    if (!tampered) continue;
    made++;
    if (tampered.breaks.length > 0) found++;
    else console.error(`not found: ${tampered.where}`);
    if (made % 50 === 0) console.log(`${made} of ${changes} changes, ${found} found`);
  }
  const seconds = Math.round((performance.now() - since) / 1_000);
  console.log(`${found} of ${made} changes found, seed ${seed}, ${checked_entries} entries, ${seconds} s`);
  const figures = { at: new Date().toISOString(), tampered: made, found, seed, entries: checked_entries, seconds };
  appendFileSync(join(import.meta.dirname, '..', '..', '..', '..', '.money-runs.jsonl'), `${JSON.stringify(figures)}\n`);
  await owner.close();
  await app.close();
  await stop?.();
  return found === made ? 0 : 1;
};

process.exitCode = await run();
