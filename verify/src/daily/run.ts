/**
 * `npm run verify -- daily [--seed 1]`: runs, one after another, every check of which `npm test`
 * runs only a part. All checks use one seed, by default the number of the day. After a failed check
 * the other checks still run. Exit 1 if a check failed.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checksOf } from './checks.ts';

const verify = join(import.meta.dirname, '..', '..');
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Date.now() / 86_400_000));
if (!Number.isSafeInteger(seed) || seed < 1) {
  console.error('Say: npm run verify -- daily [--seed 1]');
  process.exit(1);
}

const failed: string[] = [];
for (const { name, folder, words } of checksOf(seed)) {
  console.log(`\n— ${name}, seed ${seed}`);
  const since = performance.now();
  const { status } = spawnSync(process.execPath, words, {
    cwd: join(verify, folder),
    env: { ...process.env, WAYSTATION_TEST_DAILY: String(seed) },
    stdio: 'inherit',
  });
  const took = Math.round((performance.now() - since) / 1_000);
  console.log(`${status === 0 ? 'held' : 'FAILED'}: ${name} (${took} s)`);
  if (status !== 0) failed.push(name);
}
console.log(
  failed.length === 0
    ? `\nAll held, seed ${seed}.`
    : `\nFailed with seed ${seed}: ${failed.join(', ')}. The same again: npm run verify -- daily --seed ${seed}`,
);
process.exit(failed.length === 0 ? 0 : 1);
