// npm run bench measures every value of docs/performance.md on this machine, one line each; `npm
// run bench -- quote labels` measures some. Options from the first `--` on are passed to the
// benchmark itself: `npm run bench -- scale --parcels 1000000`. `npm run bench -- chart` draws the
// earlier results.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from '#launch/ready.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const isChart = words[0] === 'chart';
const node = await makeReady(root, { web: !isChart });
if (isChart)
  process.exit(
    spawnSync(node, [join(root, 'bench', 'src', 'results', 'run.ts')], { stdio: 'inherit' })
      .status ?? 1,
  );
const all = readdirSync(join(root, 'bench', 'src'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => name.slice(0, -3));
const firstOption = words.findIndex((word) => word.startsWith('--'));
const wanted = firstOption === -1 ? words : words.slice(0, firstOption);
const options = firstOption === -1 ? [] : words.slice(firstOption);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown[0]}"; there are ${all.join(', ')}.`);
  process.exit(1);
}
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all)
  failed +=
    spawnSync(node, [join('bench', 'src', `${name}.ts`), ...options], {
      cwd: root,
      stdio: 'inherit',
    }).status === 0
      ? 0
      : 1;
process.exit(failed > 0 ? 1 : 0);
