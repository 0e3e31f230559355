// npm run verify -- kills|money|mutate|tamper|attack|corpus|blocks|damage|endpoints|pace|
// hostile-carrier|carrier|carrier-faults|drift|asvs|cluster …: runs further checks in large
// numbers, which `npm test` leaves out; `daily` runs them one after another (docs/testing.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReady } from '#launch/ready.mjs';
import { measureSlowness } from '#launch/slowness.mjs';

/** The folder in verify/src for each command. */
const folders = {
  kills: 'kills',
  money: 'histories',
  mutate: 'mutation',
  tamper: 'tampering',
  attack: 'attacks',
  corpus: 'corpus',
  blocks: 'blocks',
  damage: 'damage',
  endpoints: 'endpoints',
  pace: 'pace',
  'hostile-carrier': 'hostile-carrier',
  carrier: 'conformance',
  'carrier-faults': 'carrier-faults',
  drift: 'drift',
  asvs: 'asvs',
  cluster: 'cluster',
  daily: 'daily',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = '', ...words] = process.argv.slice(2);
const folder = folders[command];
if (folder === undefined) {
  console.error(`Say: npm run verify -- ${Object.keys(folders).join('|')} …`);
  process.exit(1);
}
const node = await makeReady(root, { web: false });
process.exit(
  spawnSync(node, [join('src', folder, 'run.ts'), ...words], {
    cwd: join(root, 'verify'),
    env: { ...process.env, WAYSTATION_TEST_SLOWNESS: measureSlowness(node, root) },
    stdio: 'inherit',
  }).status ?? 1,
);
