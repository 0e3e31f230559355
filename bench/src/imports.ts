/**
 * S5: the time to read, correct, check, price and store a sheet of 100,000 rows and 15 columns. A
 * library that only reads the sheet is measured for comparison. The measured program belongs to the
 * server.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Measured {
  rows: number;
  file_mb: number;
  product: {
    phases: { name: string; ms: number; node_ms: number; postgres_ms: number }[];
    counts: Record<string, number>;
    peak_mb: number;
  };
  reader: { ms: number; node_ms: number };
  library: { ms: number; node_ms: number };
}
const limits = { times: 5, memory: 512 };
const program = join(
  import.meta.dirname,
  '..',
  '..',
  'server',
  'src',
  'domain',
  'imports',
  'imports.bench.ts',
);

const run = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  encoding: 'utf8',
  timeout: 1_200_000,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) {
  console.log(`imports failed: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
  process.exit(1);
}

const { rows, file_mb, product, reader, library } = JSON.parse(run.stdout) as Measured;
const word = (ok: boolean): string => (ok ? 'ok' : 'MISSED');
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const total = product.phases.reduce((sum, { ms }) => sum + ms, 0);
const times = total / library.ms;
const marks = Object.entries(product.counts).filter(([, count]) => count > 0);
console.log(
  `imports ${rows} rows × 15, ${file_mb.toFixed(1)} MB: ${product.phases.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}`,
);
const [node, postgres] = [
  product.phases.reduce((sum, { node_ms }) => sum + node_ms, 0),
  product.phases.reduce((sum, { postgres_ms }) => sum + postgres_ms, 0),
];
console.log(
  `imports processor time: ${product.phases.map(({ name, node_ms, postgres_ms }) => `${name} ${seconds(node_ms)} + ${seconds(postgres_ms)} of PostgreSQL`).join(', ')}; ` +
    `in all ${seconds(node)} + ${seconds(postgres)}, ${((node + postgres) / library.node_ms).toFixed(1)} × the ${seconds(library.node_ms)} of reading alone`,
);
console.log(`imports rows ${marks.map(([mark, count]) => `${mark} ${count}`).join(', ')}`);
console.log(
  `S5 import ${seconds(total)} beside reading alone ${seconds(library.ms)} (the product's reader ${seconds(reader.ms)}): ${times.toFixed(1)} × (≤ ${limits.times}) ${word(times <= limits.times)}`,
);
console.log(
  `S5 memory added at its peak, worker and HTTP in one process: ${product.peak_mb} MB (≤ ${limits.memory}) ${word(product.peak_mb <= limits.memory)}`,
);
process.exitCode = times <= limits.times && product.peak_mb <= limits.memory ? 0 : 1;
