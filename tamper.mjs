// npm run tamper -- --changes 300 --seed 1: tampers with the books as a superuser, and counts how much the proof finds (docs/testing.md, Tampering).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './launch/ready.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const node = await makeReady(root, { web: false });
const program = join(root, 'server', 'src', 'testing', 'tampering', 'run.ts');
process.exit(spawnSync(node, [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' }).status ?? 1);
