// npm run mutate: changes the code of pricing or of the ledger in one place at a time and looks whether its tests notice (docs/testing.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './launch/ready.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const node = await makeReady(root, { web: false });
const words = [join('src', 'testing', 'mutation', 'run.ts'), ...process.argv.slice(2)];
process.exit(spawnSync(node, words, { cwd: join(root, 'server'), stdio: 'inherit' }).status ?? 1);
