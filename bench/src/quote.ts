/**
 * S4: the number of quotes per second on one core (docs/pricing.md). The measured loop belongs to a
 * program of the server. This program starts it and judges its result.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const threshold = 200_000;
const program = join(
  import.meta.dirname,
  '..',
  '..',
  'server',
  'src',
  'domain',
  'pricing',
  'pricing.bench.ts',
);

const run = spawnSync(process.execPath, [program], {
  encoding: 'utf8',
  timeout: 60_000,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) {
  console.log(`S4 quote failed: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
  process.exit(1);
}

const { quotes_per_cpu_second } = JSON.parse(run.stdout) as { quotes_per_cpu_second: number };
const shown = (value: number) => value.toLocaleString('en-US');
const ok = quotes_per_cpu_second >= threshold;
console.log(
  `S4 quote ${shown(quotes_per_cpu_second)}/s (≥ ${shown(threshold)}) ${ok ? 'ok' : 'MISSED'}`,
);
process.exitCode = ok ? 0 : 1;
