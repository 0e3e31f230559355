// npm run bench: every figure of docs/operating.md on this machine, one line each; `npm run bench -- quote labels` runs some.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from './launch/ready.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const node = await makeReady(root, { web: true });
const all = readdirSync(join(root, 'bench', 'src'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => name.slice(0, -3));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown[0]}"; there are ${all.join(', ')}.`);
  process.exit(1);
}
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all)
  failed += spawnSync(node, [join('bench', 'src', `${name}.ts`)], { cwd: root, stdio: 'inherit' }).status === 0 ? 0 : 1;
process.exit(failed > 0 ? 1 : 0);
