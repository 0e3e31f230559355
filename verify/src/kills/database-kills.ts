import pg from 'pg';
import type { EmbeddedPostgres } from '@waystation/server/testing/product.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import { chanceOf } from '#chance.ts';
import type { Chance } from '#chance.ts';
import { openLoad } from './load.ts';
import type { Load } from './load.ts';
import { openOwnCluster } from '@waystation/server/testing/own-cluster.ts';
import { settlementPoints } from './points.ts';
import type { Held } from './points.ts';
import { blame, count, emptyStretch } from './record.ts';
import type { Stretch } from './record.ts';
import { whenQuiet } from './rest.ts';
import { hasTime, openKillSystem } from './system.ts';
import { isRight } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { moveMany, pause } from './worker-kills.ts';
import type { SettlementOptions } from './worker-kills.ts';

interface Ready {
  system: TestSystem;
  load: Load;
  chance: Chance;
  embedded: EmbeddedPostgres;
}

/** Executes one SQL statement as the database owner on a separate connection. */
const ask = async <T>(embedded: EmbeddedPostgres, text: string): Promise<T[]> => {
  const client = new pg.Client(embedded.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end().catch(() => {});
  }
};

const shoot = (pids: readonly number[]): void => {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process no longer exists, because it ended together with the other processes.
    }
};

/**
 * Finds the PostgreSQL processes that will be killed. The search comes first, so that the kill
 * itself takes almost no time.
 */
const victims: Readonly<Record<string, (embedded: EmbeddedPostgres) => Promise<number[]>>> = {
  'the postmaster': async (embedded) => [embedded.pid()],
  'all its processes': async (embedded) => [
    embedded.pid(),
    ...(await ask<{ pid: number }>(embedded, 'select pid from pg_stat_activity')).map(
      ({ pid }) => pid,
    ),
  ],
  'a backend at work': async (embedded) =>
    (
      await ask<{ pid: number }>(
        embedded,
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and datname <> 'postgres' order by state = 'idle', xact_start limit 1`,
      )
    ).map(({ pid }) => pid),
};

/**
 * Resolves when the database answers again. The result is the time of that answer in milliseconds
 * of performance.now().
 */
const upAgain = async (embedded: EmbeddedPostgres): Promise<number> => {
  for (;;) {
    if (
      await ask(embedded, 'select 1').then(
        () => true,
        () => false,
      )
    )
      return performance.now();
    await pause(5);
  }
};

/** Does work of all kinds simultaneously. Resolves when every write is acknowledged. */
const burst = async ({ load, chance }: Ready): Promise<void> => {
  await Promise.all([
    ...Array.from({ length: 4 }, () => load.order()),
    ...Array.from({ length: 2 }, () =>
      load.topUp(chance.pick(['south', 'nanshan', 'tianhe'] as const), chance.between(1, 5_000)),
    ),
    load.orderWithoutMoney(1).then(() => load.topUp('keji', 2_000)),
    moveMany(load, chance),
  ]);
};

/**
 * Waits until a settlement reaches the named point. If no point is given, waits for a random time.
 */
const moment = async (
  { system, load, chance }: Ready,
  named: string | null,
): Promise<{ where: string; held: Held | null }> => {
  const targets = load.movable().filter(({ stage }) => stage === 'ordered');
  if (named === null || targets.length === 0) {
    await pause(chance.below(600));
    return { where: 'at random', held: null };
  }
  const target = chance.pick(targets);
  const held = await settlementPoints[named]!(system, target);
  await load.pickUp(target);
  const where = await held.reached.then(
    () => named,
    () => `${named} (not reached)`,
  );
  return { where, held };
};

/**
 * Kills the processes once. Returns the problems that were found after the database was running
 * again.
 */
const killOnce = async (
  ready: Ready,
  victim: string,
  named: string | null,
  result: Stretch,
): Promise<{ verdict: Verdict; where: string; took: number; success: number }> => {
  const { system, load, embedded } = ready;
  // With a named point, the settlement is stopped there and the clients work afterwards. If there
  // is no named point, everything is interrupted at a random time.
  const before = named === null ? burst(ready) : null;
  const { where, held } = await moment(ready, named);
  const pids = await victims[victim]!(embedded);
  const since = performance.now();
  load.firstSuccess = null;
  shoot(pids);
  const after = load.topUp('nanshan', 1);
  const [up] = await Promise.all([
    upAgain(embedded),
    before,
    after,
    held?.release(),
    system.carrier.control('DELETE', 'faults'),
  ]);
  const verdict = await whenQuiet(system, load);
  const took = Math.round(performance.now() - since);
  const success = Math.max(0, Math.round(load.firstSuccess! - up));
  count(result, `${victim}, ${where}`, {
    parcels: load.parcels.length,
    acknowledged: load.acknowledged(),
    took,
  });
  result.first_success_ms = Math.max(result.first_success_ms ?? 0, success);
  return { verdict, where, took, success };
};

/**
 * Kills PostgreSQL repeatedly under load. After each kill, checks that every acknowledged write
 * still exists.
 */
export const killDatabase = async ({
  seed,
  part,
  kills,
  deadAfterMs,
  carriers,
  log = () => {},
}: SettlementOptions): Promise<Stretch> => {
  const chance = chanceOf(`database ${seed} ${part}`);
  const embedded = await openOwnCluster('kills-database');
  const result = emptyStretch('database', { seed, part, deadAfterMs, carriers });
  let system: TestSystem | undefined;
  let worker: Awaited<ReturnType<typeof startWorkerProcess>> | undefined;
  try {
    const begun = performance.now();
    system = await openKillSystem();
    await system.worker.stop();
    worker = await startWorkerProcess(system, {
      WAYSTATION_WORKER_DEAD_AFTER_MS: String(deadAfterMs),
      WAYSTATION_LOG: 'silent',
    });
    const ready: Ready = {
      system,
      load: await openLoad(system, chance, carriers),
      chance,
      embedded,
    };
    await Promise.all(Array.from({ length: 6 }, () => ready.load.order()));
    for (let kill = 0; kill < kills && hasTime(begun); kill++) {
      const victim = Object.keys(victims)[kill % 3]!;
      const named =
        kill % 3 === 0 || chance.below(2) === 0 ? null : chance.pick(Object.keys(settlementPoints));
      const { verdict, where, took, success } = await killOnce(ready, victim, named, result);
      log(
        `kill ${kill + 1}: ${victim}, ${where}; first success after ${success} ms, right again after ${took} ms${isRight(verdict) ? '' : `: ${JSON.stringify(verdict)}`}`,
      );
      if (isRight(verdict)) continue;
      blame(result, verdict);
      break;
    }
    return result;
  } finally {
    await worker?.kill();
    await system?.close();
    await embedded.stop();
  }
};
