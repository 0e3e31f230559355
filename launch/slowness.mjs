// Measures how many times slower this machine is at the moment than the reference machine, and
// prints the factor on the last line. The time limits of the tests are multiplied by it
// (limits.mjs).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Milliseconds that the two measurements take together on a current server with two free cores and
 * a local disk.
 */
const referenceMs = 500;

/**
 * The maximum slowness. With a greater slowness, people would wait too long for a test that can
 * never pass.
 */
const mostSlowness = 10;

/** Does the kind of work that servers and tests do most: JSON, objects and hashes. */
const compute = () => {
  const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `row ${id}`, amount: id * 7 }));
  let digest = '';
  for (let round = 0; round < 4_000; round++) {
    const text = JSON.stringify([...rows, { id: round, name: digest, amount: 0 }]);
    digest = createHash('sha256').update(text).digest('hex');
    JSON.parse(text);
  }
};

/** Writes blocks and waits for the disk after each, as a database does when it commits. */
const store = (folder) => {
  const file = openSync(join(folder, 'pages'), 'w');
  const page = Buffer.alloc(8_192, 1);
  for (let pages = 0; pages < 40; pages++) {
    writeSync(file, page);
    fsyncSync(file);
  }
  closeSync(file);
};

/** The slowness for a measured time: 1 on the reference machine and on faster machines. */
export const slownessOf = (milliseconds) =>
  Math.min(mostSlowness, Math.max(1, Math.round((milliseconds / referenceMs) * 10) / 10));

const measure = (root) => {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build', 'slowness-'));
  try {
    const since = performance.now();
    compute();
    store(folder);
    return performance.now() - since;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const self = fileURLToPath(import.meta.url);

/**
 * Measures with the Node that the project uses, because other releases of Node are faster or
 * slower. A slowness that is already set in the environment is kept, so that programs that a suite
 * starts have the same limits.
 */
export const measureSlowness = (node, root, env = process.env) => {
  if (env.WAYSTATION_TEST_SLOWNESS) return env.WAYSTATION_TEST_SLOWNESS;
  const { stdout } = spawnSync(node, [self, root], { encoding: 'utf8' });
  return String(slownessOf(Number(stdout.trim()) || 0));
};

if (process.argv[1] === self) console.log(measure(process.argv[2]));
