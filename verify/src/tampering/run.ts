/**
 * `npm run tamper -- --changes 300 --seed 1`: plays histories, bills and closings, and writes the
 * heads of the hash chains to a file. Then it acts as a superuser: it repeatedly changes one byte,
 * removes a row, or rewrites a whole history with all its hashes. After each change it runs the
 * ledger check. It prints the number of found changes for each table. Finally it makes each named
 * change, and prints which check finds it or where the change is listed as not covered. Ends with a
 * line of figures, which is also stored in .money-runs.jsonl. Exit 1 if a change was neither found
 * nor listed.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeHeads } from '@waystation/server/testing/product.ts';
import { setup } from '@waystation/server/testing/global-setup.ts';
import { openOwner } from '@waystation/server/testing/money.ts';
import { createTestApp } from '@waystation/server/testing/test-app.ts';
import { chanceOf, tamperOnce } from './change.ts';
import { layGround } from './ground.ts';
import { isAccounted, namedLine, playNamed } from './named.ts';

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '12' },
  },
});
const [changes, seed, histories] = [
  Number(values.changes),
  Number(values.seed),
  Number(values.histories),
];

const run = async (): Promise<number> => {
  const since = performance.now();
  const stop = await setup();
  const app = await createTestApp();
  const entries = await layGround(app, histories, seed);
  const folder = mkdtempSync(join(tmpdir(), 'tamper-'));
  const file = join(folder, 'heads.jsonl');
  const { line } = await writeHeads(app.db, file, app.clock.now());
  // The named changes remove the first line of the file, so a second line is written.
  await writeHeads(app.db, file, app.clock.now());
  const heads = JSON.stringify(line.heads);
  const owner = openOwner(app);
  const chance = chanceOf(seed);
  const counts = new Map<string, { made: number; found: number }>();
  let [made, found] = [0, 0];
  while (made < changes) {
    const tampered = await tamperOnce(owner, chance, heads);
    if (!tampered) continue;
    const of = counts.get(tampered.what) ?? { made: 0, found: 0 };
    made++;
    of.made++;
    if (tampered.breaks.length > 0) {
      found++;
      of.found++;
    } else console.error(`not found: ${tampered.where}`);
    counts.set(tampered.what, of);
    if (made % 50 === 0) console.log(`${made} of ${changes} changes, ${found} found`);
  }
  for (const [what, of] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${what.padEnd(36)} ${of.found} of ${of.made}`);
  const named = await playNamed({ app, owner, heads, file, folder });
  for (const one of named) console.log(namedLine(one));
  const missed = named.filter((one) => !isAccounted(one)).length;
  console.log(
    `${named.length} named changes, ${named.filter(({ says }) => says.length > 0).length} found, ${missed} neither found nor listed`,
  );
  const seconds = Math.round((performance.now() - since) / 1_000);
  console.log(
    `${found} of ${made} changes found, seed ${seed}, ${entries} entries, ${line.heads.length} heads, ${seconds} s`,
  );
  const figures = { at: new Date().toISOString(), tampered: made, found, seed, entries, seconds };
  appendFileSync(
    join(import.meta.dirname, '..', '..', '..', '.money-runs.jsonl'),
    `${JSON.stringify(figures)}\n`,
  );
  rmSync(folder, { recursive: true });
  await owner.close();
  await app.close();
  await stop?.();
  return found === made && missed === 0 ? 0 : 1;
};

process.exitCode = await run();
