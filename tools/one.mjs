// npm run one -- server/src/features/setup/cargos.test.ts runs one test file, or one browser
// journey (`--visible` shows its browser; CONTRIBUTING.md).
import { spawnSync } from 'node:child_process';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workspaceOf } from '#launch/changed.mjs';
import { findChromium } from '#launch/chromium.mjs';
import { makeReady } from '#launch/ready.mjs';
import { complain, UserError } from '#launch/say.mjs';
import { measureSlowness } from '#launch/slowness.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => word !== '--visible');
try {
  if (words.length === 0)
    throw new UserError(
      'Say which file: npm run one -- server/src/features/setup/cargos.test.ts, or e2e/src/tabs.test.ts --visible',
    );
  const file = relative(root, resolve(words[0]));
  const workspace = workspaceOf(file);
  const browser = workspace === 'e2e';
  const node = await makeReady(root, { web: browser });
  const env = {
    ...process.env,
    WAYSTATION_TEST_SLOWNESS: measureSlowness(node, root),
    ...(browser && { CHROMIUM: await findChromium() }),
    ...(process.argv.includes('--visible') && { WAYSTATION_VISIBLE: '1' }),
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  };
  const vitest = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    relative(workspace, file),
    ...words.slice(1),
  ];
  process.exit(
    spawnSync(node, vitest, { cwd: join(root, workspace), env, stdio: 'inherit' }).status ?? 1,
  );
} catch (error) {
  complain(error instanceof UserError ? error.message : error.stack);
  process.exit(1);
}
