// npm run kills: kills the worker, or PostgreSQL, during settlement and adds up over runs what was lost (docs/testing.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './launch/ready.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const node = await makeReady(root, { web: false });
const words = [join('src', 'testing', 'kills', 'run.ts'), ...process.argv.slice(2)];
process.exit(spawnSync(node, words, { cwd: join(root, 'server'), stdio: 'inherit' }).status ?? 1);
