// npm run dialogs opens every dialog of every page in a browser, in both languages; `npm run
// dialogs -- narrow` does so in a window of a phone's size (docs/web.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '#launch/chromium.mjs';
import { makeReady } from '#launch/ready.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CHROMIUM = await findChromium();
const node = await makeReady(root, { web: true });
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const env = {
  ...process.env,
  CHROMIUM,
  ...(process.argv[2] === 'narrow' && { WAYSTATION_NARROW: '1' }),
};
process.exit(
  spawnSync(node, [vitest, 'run', '--config', 'dialogs.config.ts'], {
    cwd: join(root, 'e2e'),
    env,
    stdio: 'inherit',
  }).status ?? 1,
);
