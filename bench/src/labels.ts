/**
 * S6: the time for 1,000 labels, and the time for the first label of a running thread. Plain pdfkit
 * and bwip-js draw the same content for comparison. The measured program belongs to the server.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const thresholds = { ratio: 1.2, first: 100 };
const program = join(
  import.meta.dirname,
  '..',
  '..',
  'server',
  'src',
  'domain',
  'documents',
  'labels',
  'labels.bench.ts',
);

const run = spawnSync(process.execPath, [program], {
  encoding: 'utf8',
  timeout: 180_000,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) {
  console.log(`S6 labels failed: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
  process.exit(1);
}

const { ours_ms, bare_ms, first_ms } = JSON.parse(run.stdout) as {
  ours_ms: number;
  bare_ms: number;
  first_ms: number;
};
const word = (ok: boolean): string => (ok ? 'ok' : 'MISSED');
const ratio = ours_ms / bare_ms;
const fast = ratio <= thresholds.ratio;
const prompt = first_ms <= thresholds.first;
console.log(
  `S6 labels vs bare ${ratio.toFixed(2)} (≤ ${thresholds.ratio.toFixed(2)}) ${word(fast)}`,
);
console.log(`S6 first label ${first_ms} ms (≤ ${thresholds.first}) ${word(prompt)}`);
process.exitCode = fast && prompt ? 0 : 1;
