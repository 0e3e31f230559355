// npm run attack -- [area…]: attacks a product that it starts itself on loopback, and sums up what held (docs/testing.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './launch/ready.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const node = await makeReady(root, { web: false });
const words = [join('src', 'testing', 'attacks', 'run.ts'), ...process.argv.slice(2)];
process.exit(spawnSync(node, words, { cwd: join(root, 'server'), stdio: 'inherit' }).status ?? 1);
