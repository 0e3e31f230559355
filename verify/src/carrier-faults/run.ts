/**
 * `npm run verify -- carrier-faults jdl|sf --seeds 10000 --seed 1 [--at-once 3] [--log]`: plays
 * this number of random histories with faults. They are played in parts of 200. Each part uses a
 * new database, and several parts run simultaneously. The ledger is checked after each part. Prints
 * a summary of each part, and the seed of each history that broke a promise. Exit 1 if a history
 * broke a promise. `carrier-faults planted [--seeds 120] [--seed 1] [--only words]`: see
 * `planted.ts`.
 */
import { parseArgs } from 'node:util';
import { setup } from '@waystation/server/testing/global-setup.ts';
import { isSimulatedName } from '#simulated-carrier.ts';
import { findPlanted } from './planted.ts';
import { openGround, playSeeds } from './seeds.ts';
import type { PlayedSeeds } from './seeds.ts';

const stretchOf = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '3' },
    log: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const [seeds, first, atOnce] = [
  Number(values.seeds ?? (name === 'planted' ? 120 : 1_000)),
  Number(values.seed),
  Number(values['at-once']),
];
const isWhole = (n: number): boolean => Number.isSafeInteger(n) && n > 0;
if (![seeds, first, atOnce].every(isWhole) || !(name === 'planted' || isSimulatedName(name))) {
  console.error(
    'Say: npm run verify -- carrier-faults jdl|sf|planted [--seeds 10000] [--seed 1] [--at-once 3] [--log]',
  );
  process.exit(1);
}
if (!isSimulatedName(name)) process.exit(findPlanted({ seeds, seed: first }, values.only) ? 0 : 1);

const stop = await setup();
const since = performance.now();
const sums = new Map<string, number>();
let [played, broken] = [0, 0];

const report = (from: number, count: number, { failed, books, met }: PlayedSeeds): void => {
  for (const { seed, problems, log } of failed) {
    console.log([`seed ${seed}`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    if (values.log) console.log(log.map((line) => `    ${line}`).join('\n'));
  }
  const last = from + count - 1;
  for (const problem of books) console.log(`books after seed ${last}: ${problem}`);
  for (const [what, times] of met) sums.set(what, (sums.get(what) ?? 0) + times);
  played += count;
  broken += failed.length + books.length;
  const seconds = Math.round((performance.now() - since) / 1_000);
  console.log(
    `seeds ${from} to ${last}: ${failed.length + books.length} broken; ${played} of ${seeds} histories, ${broken} broken, ${seconds} s`,
  );
};

let next = first;
const playStretches = async (): Promise<void> => {
  for (let from = next; from < first + seeds; from = next) {
    const count = Math.min(stretchOf, first + seeds - from);
    next = from + count;
    const ground = await openGround();
    report(from, count, await playSeeds(ground, name, { from, count }).finally(ground.close));
  }
};
await Promise.all(Array.from({ length: atOnce }, playStretches));

for (const [what, times] of [...sums].toSorted(([, a], [, b]) => b - a))
  console.log(`${String(times).padStart(7)} × ${what}`);
await stop?.();
process.exit(broken === 0 ? 0 : 1);
