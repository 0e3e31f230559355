/**
 * `npm run verify -- carrier-faults jdl|sf --seeds 10000 --seed 1 [--log]`: plays that many random
 * histories under faults, on a new database after each 200, and checks the books after each of
 * these. Prints each history that broke a promise, with its seed; exit 1 if one did.
 */
import { parseArgs } from 'node:util';
import { setup } from '@waystation/server/testing/global-setup.ts';
import { isSimulatedName } from '#simulated-carrier.ts';
import { openGround, playSeeds } from './seeds.ts';

const stretchOf = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    log: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const [seeds, first] = [Number(values.seeds), Number(values.seed)];
if (!isSimulatedName(name) || ![seeds, first].every((n) => Number.isSafeInteger(n) && n > 0)) {
  console.error('Say: npm run verify -- carrier-faults jdl|sf [--seeds 10000] [--seed 1] [--log]');
  process.exit(1);
}

const stop = await setup();
const since = performance.now();
const sums = new Map<string, number>();
let broken = 0;
for (let from = first; from < first + seeds; from += stretchOf) {
  const count = Math.min(stretchOf, first + seeds - from);
  const ground = await openGround();
  const { failed, books, met } = await playSeeds(ground, name, { from, count }).finally(
    ground.close,
  );
  for (const { seed, problems, log } of failed) {
    broken += 1;
    console.log([`seed ${seed}`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    if (values.log) console.log(log.map((line) => `    ${line}`).join('\n'));
  }
  for (const problem of books) console.log(`books after seed ${from + count - 1}: ${problem}`);
  broken += books.length;
  for (const [what, times] of met) sums.set(what, (sums.get(what) ?? 0) + times);
  const seconds = Math.round((performance.now() - since) / 1_000);
  console.log(`${from + count - first} of ${seeds} histories, ${broken} broken, ${seconds} s`);
}
for (const [what, times] of [...sums].toSorted(([, a], [, b]) => b - a))
  console.log(`${String(times).padStart(7)} × ${what}`);
await stop?.();
process.exit(broken === 0 ? 0 : 1);
