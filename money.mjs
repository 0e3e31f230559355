// npm run money -- --seeds 10000 --seed 1: plays random histories of a network and compares them to the fen with plain books (CONTRIBUTING.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './launch/ready.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const node = await makeReady(root, { web: false });
const program = join(root, 'server', 'src', 'testing', 'histories', 'run.ts');
process.exit(spawnSync(node, [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' }).status ?? 1);
