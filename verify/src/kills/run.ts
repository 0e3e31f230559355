/**
 * `npm run kills` (docs/testing.md): kills the worker or PostgreSQL during settlement, or the
 * worker during imports. During webhook deliveries it kills the API, the worker or the receiver. It
 * sums the results of all runs.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isSimulatedName } from '#simulated-carrier.ts';
import { killDatabase } from './database-kills.ts';
import { killImports } from './import-kills.ts';
import { keep, killKinds, readRecord, summed } from './record.ts';
import type { KillKind, Stretch } from './record.ts';
import { withCluster } from '@waystation/server/testing/own-cluster.ts';
import { killWebhooks } from './webhook-kills.ts';
import { killWorkers } from './worker-kills.ts';

const usage =
  'Say: npm run kills -- worker|database|import|webhook [--kills 300] [--seed 1] [--carrier jdl|sf] [--heartbeat 1000] [--events 100000], or: npm run kills -- sum';
/**
 * The number of kills with the same database and simulator. After this number, both are created
 * again.
 */
const stretchOf = 25;
/**
 * The maximum time in milliseconds between two kills while webhooks are tested. Deliveries happen
 * in this time.
 */
const gapMs = 20_000;
const file = join(import.meta.dirname, '..', '..', '..', '.build', 'kills.jsonl');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    carrier: { type: 'string' },
    heartbeat: { type: 'string', default: '1000' },
    events: { type: 'string', default: '100000' },
  },
});
const [what = ''] = positionals;
const [kills, seed, deadAfterMs, events] = [
  Number(values.kills),
  Number(values.seed),
  Number(values.heartbeat),
  Number(values.events),
] as const;
const carriers = values.carrier === undefined ? (['jdl', 'sf'] as const) : [values.carrier];
if (
  !carriers.every(isSimulatedName) ||
  ![...killKinds, 'sum'].includes(what) ||
  ![kills, seed, deadAfterMs, events].every((value) => Number.isSafeInteger(value) && value > 0)
) {
  console.error(usage);
  process.exit(1);
}

const sum = (): boolean => {
  const all = readRecord(file);
  for (const kind of killKinds) {
    const some = all.filter((stretch) => stretch.what === kind);
    if (some.length > 0)
      console.log(
        [`SIGKILL of the ${kind}, all runs: ${summed(some)[0]}`, ...summed(some).slice(1)].join(
          '\n',
        ),
      );
  }
  return all.every(({ lost, doubled, broken }) => lost + doubled + broken.length === 0);
};

/**
 * Returns the finished parts of the run with this seed. An interrupted run continues after them.
 */
const behind = (): Stretch[] =>
  readRecord(file).filter(
    (stretch) =>
      stretch.what === what &&
      stretch.seed === seed &&
      stretch.dead_after_ms === deadAfterMs &&
      (stretch.carriers === undefined || String(stretch.carriers) === String(carriers)),
  );

const run = async (kind: KillKind): Promise<void> => {
  for (;;) {
    const before = behind();
    const left = kills - before.reduce((total, stretch) => total + stretch.kills, 0);
    if (left <= 0) return;
    const part = before.length + 1;
    console.log(
      `Seed ${seed}, stretch ${part}: ${Math.min(left, stretchOf)} of ${left} kills to go.`,
    );
    const some = Math.min(left, stretchOf);
    const options = {
      seed,
      part,
      kills: some,
      deadAfterMs,
      carriers,
      log: (line: string) => console.log(`  ${line}`),
    };
    const stretch =
      kind === 'database'
        ? await killDatabase(options)
        : await withCluster('kills', () =>
            kind === 'webhook'
              ? killWebhooks({ ...options, events: Math.ceil((events * some) / kills), gapMs })
              : (kind === 'worker' ? killWorkers : killImports)(options),
          );
    keep(file, stretch);
    if (stretch.lost + stretch.doubled + stretch.broken.length > 0) return;
  }
};

if (what !== 'sum') await run(what as KillKind);
process.exit(sum() ? 0 : 1);
