// npm run photos -- NAME photographs every dialog, drawer and menu that `npm run dialogs` opens,
// into .build/photos/NAME (docs/web.md). With the argument `narrow`, the window has the size of a
// phone. npm run photos -- compare BEFORE AFTER lists how much of each picture differs.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '#launch/chromium.mjs';
import { makeReady } from '#launch/ready.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, before, after] = process.argv.slice(2);
if (name === undefined || (name === 'compare' && after === undefined)) {
  console.error('npm run photos -- NAME [narrow], or npm run photos -- compare BEFORE AFTER');
  process.exit(2);
}
const node = await makeReady(root, { web: true });
const CHROMIUM = await findChromium();
const kept = join(root, '.build', 'photos');
const env = { ...process.env, CHROMIUM };
const run = (args, more) =>
  spawnSync(node, args, { cwd: join(root, 'e2e'), env: { ...env, ...more }, stdio: 'inherit' })
    .status ?? 1;
if (name === 'compare')
  process.exit(run(['src/compare-photos.ts', join(kept, before), join(kept, after)], {}));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exit(
  run([vitest, 'run', '--config', 'dialogs.config.ts'], {
    WAYSTATION_PHOTOS: join(kept, name),
    WAYSTATION_E2E_DATA: join(root, '.build', 'photos-data'),
    ...(before === 'narrow' && { WAYSTATION_NARROW: '1' }),
  }),
);
