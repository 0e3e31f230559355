/**
 * `npm run cluster` (docs/high-availability.md): starts three machines in network namespaces, with
 * Debian's PostgreSQL, Patroni and etcd. The product uses this cluster and is set up as in the
 * examples of `deploy/`. The program then causes faults while ten orders are made per second, and
 * prints a table of the results. It needs root and Debian's packages.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// waits in real time, so that people work between two faults
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { faults } from './faults.ts';
import type { Fault, Ground } from './faults.ts';
import { broken, judge, tableOf } from './judge.ts';
import type { Verdict } from './judge.ts';
import { closeMachines, openMachines } from './machines.ts';
import { openProduct, ownerStatements } from './product.ts';
import type { Product } from './product.ts';
import { openServers } from './servers.ts';
import { beginWork } from './work.ts';
import type { Work } from './work.ts';

const machineCount = 3;
/**
 * The longest time that a database member needs to copy or rewind its data when it comes back after
 * a crash of its machine.
 */
const patienceMs = 240_000;
const calmMs = 10_000;

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, keep: { type: 'boolean', default: false } },
});

const packages = 'patroni python3-etcd etcd-server pgbouncer haproxy postgresql iproute2';
const missing = ['patroni', 'etcd', 'pgbouncer', 'haproxy', 'ip', 'setpriv'].filter((program) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
});
if (process.getuid?.() !== 0 || missing.length > 0 || !existsSync('/usr/lib/postgresql')) {
  console.error(
    `Needs root, and Debian’s packages (not here: ${missing.join(', ') || 'none'}): apt-get install ${packages}`,
  );
  process.exit(1);
}

const storedFor = async (
  { servers }: Ground,
  keys: readonly string[],
): Promise<Map<string, { count: number; ids: number[] }>> => {
  const rows = await servers.query<{ key: string; ids: number[] }>(
    `select thr_order_id as key, array_agg(id::float8) as ids from expresses
     where thr_order_id = any($1) group by 1`,
    [keys],
    'waystation',
  );
  return new Map(rows.map(({ key, ids }) => [key, { count: ids.length, ids }]));
};

const playFault = async (fault: Fault, ground: Ground, work: Work): Promise<Verdict> => {
  await pause(calmMs);
  const from = Date.now();
  await fault.play(ground);
  const healed = Date.now();
  await ground.servers.whole(patienceMs);
  const whole = Date.now();
  // Waits until an order is acknowledged after the fault, but at most `patienceMs`.
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(200))
    if (work.acknowledged.some(({ at }) => at > healed)) break;
  await pause(calmMs);
  const span = { from, healed, to: Date.now() };
  const some = work.acknowledged.filter(({ at }) => at >= from);
  const stored = await storedFor(
    ground,
    some.map(({ key }) => key),
  );
  const resets = work.resetsSince(from);
  const verdict = judge(fault, span, { ...work, stored, resets });
  if (verdict.resets > 1)
    for (const [page, times] of resets.entries())
      console.log(
        `   page ${page + 1} was reset after ${times.map((at) => `${((at - from) / 1_000).toFixed(1)} s`).join(', ')}`,
      );
  return { ...verdict, whole: Math.round((whole - healed) / 100) / 10 };
};

const folder = mkdtempSync(join(tmpdir(), 'waystation-cluster-'));
chmodSync(folder, 0o755);
let product: Product | null = null;
const close = async (): Promise<void> => {
  await product?.close();
  closeMachines(machineCount);
  if (values.keep) console.log(`Logs: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().then(() => process.exit(1)));

/**
 * Plays the faults one after another and prints a table of the results. Returns true if no promise
 * was broken during any fault.
 */
const play = async (): Promise<boolean> => {
  const machines = openMachines(machineCount);
  const servers = await openServers(folder, machines);
  console.log(`${servers.versions}; three machines are whole.`);
  for (const statement of ownerStatements) await servers.query(statement);
  product = await openProduct(folder, machines);
  const ground = { machines, servers, product };
  const work = await beginWork(product.url);
  const verdicts: Verdict[] = [];
  let well = true;
  for (const fault of faults.filter(({ name }) => name.includes(values.only))) {
    const verdict = await playFault(fault, ground, work);
    verdicts.push(verdict);
    const wrong = broken(verdict);
    well &&= wrong.length === 0;
    console.log(`${tableOf([verdict]).split('\n').at(-1)} ${wrong.join(', ') || 'ok'}`);
  }
  await work.stop();
  console.log(`\n${tableOf(verdicts)}\n`);
  for (const oddity of new Set(work.oddities)) console.log(`   ${oddity}`);
  const stored = await storedFor(
    ground,
    work.acknowledged.map(({ key }) => key),
  );
  const lost = work.acknowledged.filter(({ id, key }) => !stored.get(key)?.ids.includes(id));
  const proof = product.command('prove', '--full');
  console.log(
    `${work.acknowledged.length} orders acknowledged in all, ${lost.length} lost; the full proof ended with ${proof.code}.`,
  );
  if (proof.code !== 0) console.log(proof.text);
  return well && work.oddities.length === 0 && lost.length === 0 && proof.code === 0;
};

let well = false;
try {
  well = await play();
} catch (error) {
  console.error(error);
} finally {
  await close();
}
process.exit(well ? 0 : 1);
