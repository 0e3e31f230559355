/**
 * Measures everything that a person waits for in a network of 200 stations with a million parcels:
 * `npm run bench -- scale --parcels 1000000`. A program of the server measures; this program only
 * starts it. Arguments: `--only NAME`, `--role NAME`, `--beside PARCELS` or a database, `--database
 * NAME`, `--checkout FOLDER`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const program = join(
  import.meta.dirname,
  '..',
  '..',
  'server',
  'src',
  'testing',
  'scale',
  'scale.ts',
);
const run = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = run.status ?? 1;
