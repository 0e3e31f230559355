/**
 * Measures how fast the largest regular workbook and a hostile workbook are read. Each is read in
 * the product's thread for workbooks. The measured program belongs to the server.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Measured {
  outcome: string;
  rows: number;
  ms: number;
  pause_ms: number;
  rss_mb: number;
  file_mb: number;
}
const thresholds = { pause: 500, rss: 500 };
const program = join(
  import.meta.dirname,
  '..',
  '..',
  'server',
  'src',
  'domain',
  'workbook',
  'workbook.bench.ts',
);

const run = spawnSync(process.execPath, [program], {
  encoding: 'utf8',
  timeout: 300_000,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) {
  console.log(`workbook failed: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
  process.exit(1);
}

const { honest, hostile } = JSON.parse(run.stdout) as { honest: Measured; hostile: Measured };
const word = (ok: boolean): string => (ok ? 'ok' : 'MISSED');
const whole = honest.outcome === 'read' && honest.rows === 100_000;
const refused = hostile.outcome === 'file_string_count';
const pause = Math.max(honest.pause_ms, hostile.pause_ms);
const rss = Math.max(honest.rss_mb, hostile.rss_mb);
console.log(
  `workbook honest, ${honest.file_mb.toFixed(1)} MB: ${honest.rows} rows in ${honest.ms} ms ${word(whole)}`,
);
console.log(
  `workbook hostile, ${hostile.file_mb.toFixed(1)} MB: ${hostile.outcome} after ${hostile.ms} ms ${word(refused)}`,
);
console.log(
  `workbook longest pause of the process ${pause} ms (≤ ${thresholds.pause}) ${word(pause <= thresholds.pause)}`,
);
console.log(`workbook memory added ${rss} MB (≤ ${thresholds.rss}) ${word(rss <= thresholds.rss)}`);
process.exitCode = whole && refused && pause <= thresholds.pause && rss <= thresholds.rss ? 0 : 1;
