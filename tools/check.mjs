// npm run check runs format, lint, types and every test that needs no browser. With `-- --changed
// [commit]` it checks only what has changed since then, in seconds. With `-- --page` it checks a
// copy of the repository to which the resource of docs/add-a-resource.md was added.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '#launch/build.mjs';
import { closingLine, runChanged, runChecks } from '#launch/checks.mjs';
import { makeReady } from '#launch/ready.mjs';
import { say } from '#launch/say.mjs';
import { copyWithListings } from '#launch/scratch.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const changed = process.argv.indexOf('--changed');

const checkPage = async () => {
  const node = await makeReady(root, { web: false });
  const copy = await copyWithListings(root, (folder, workspace, program, words) =>
    spawnSync(node, [join(folder, 'node_modules', program), ...words], {
      cwd: join(folder, workspace),
      stdio: 'inherit',
    }),
  );
  try {
    await build(copy, node);
    return await runChecks(node, copy, { browser: false });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

const check = async () => {
  // The web is built too, because its sizes are checked.
  const node = await makeReady(root, { web: changed < 0 });
  return changed < 0
    ? runChecks(node, root, { browser: false })
    : runChanged(node, root, process.argv[changed + 1]);
};

const totals = process.argv.includes('--page') ? await checkPage() : await check();
say(`\n${closingLine(totals)}`);
process.exit(totals.failed > 0 ? 1 : 0);
