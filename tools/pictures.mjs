// npm run pictures: takes the README's pictures of the present product (docs/web.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '#launch/chromium.mjs';
import { makeReady } from '#launch/ready.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CHROMIUM = await findChromium();
const node = await makeReady(root, { web: true });
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
// Orders this number of parcels, so that every card and chart has something to show.
const env = { ...process.env, CHROMIUM, WAYSTATION_E2E_PARCELS: '6000' };
process.exit(
  spawnSync(node, [vitest, 'run', '--config', 'pictures.config.ts'], {
    cwd: join(root, 'e2e'),
    env,
    stdio: 'inherit',
  }).status ?? 1,
);
