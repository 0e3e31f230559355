import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import {
  parcelClient,
  creates,
  carrierRequests,
  failNextOrder,
  statementsOf,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { carrierOrders, inconsistencies } from '#testing/consistency.ts';
import { isDaily, itDaily, sampled } from '#testing/slices.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { startWorkerProcess } from '#testing/worker-process.ts';
import type { WorkerProcess } from '#testing/worker-process.ts';

let system: TestSystem;
let clerk: ParcelClient;
const running = new Set<WorkerProcess>();
const start = async (): Promise<WorkerProcess> => {
  const worker = await startWorkerProcess(system, { WAYSTATION_CARRIER_TIMEOUT_MS: '20000' });
  running.add(worker);
  return worker;
};
const kill = async (worker: WorkerProcess): Promise<void> => {
  running.delete(worker);
  await worker.kill();
};

beforeAll(async () => {
  // The timeout of a call is much longer than the 6 s by which an answer is late. A worker is
  // therefore killed before the timeout, also on a slow machine.
  system = await openTestSystem({ config: { carrier: { timeoutMs: 20_000, pollSeconds: 1_800 } } });
  // All background work is done by processes that can be killed.
  await system.worker.stop();
  await system.carrier.control('POST', 'settings', { push: { on: false } });
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
});
afterEach(async () => {
  for (const worker of running) await kill(worker);
  await system.carrier.control('DELETE', 'faults');
});
afterAll(() => system.close());

/**
 * Locks a parcel until the returned function is called, so that everybody else who writes it waits.
 */
const lockParcel = async (id: number): Promise<() => Promise<void>> => {
  const client = new pg.Client(system.database.owner);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from expresses where id = $1 for update', [id]);
  return () => client.end();
};
/**
 * Locks the table of carrier accounts until the returned function is called, so that everybody who
 * reads it waits.
 */
const lockAccounts = async (): Promise<() => Promise<void>> => {
  const client = new pg.Client(system.database.owner);
  await client.connect();
  await client.query('begin');
  await client.query('lock table merchants in access exclusive mode');
  return () => client.end();
};
/**
 * Waits until a process waits for a lock. Every such lock belongs to this test, so the test need
 * not check the statement, whose text the view cuts off.
 */
const untilLockWait = (): Promise<unknown> =>
  eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0,
  );
const tries = async (id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select order_tries as n
  from expresses where id = ${id}`,
    )
  )[0]!.n;
const isRunning = async (id: number): Promise<boolean> =>
  (
    await rowsOf(
      system,
      sql`select 1 from graphile_worker._private_jobs
    where key = ${`send_order:${id}`} and locked_at is not null`,
    )
  ).length > 0;
const modify = '/ecap/v1/orders/modify';
const edits = (id: number) =>
  rowsOf(
    system,
    sql<{ status: string; tries: number }>`select status, tries
    from express_edits where express_id = ${id} order by id`,
  );
const known = async (order_id: string): Promise<boolean> =>
  (await carrierOrders(system)).some((order) => order.order_id === order_id);

/**
 * The points at which a worker is killed. Each function waits until the worker is at this point,
 * kills it, and returns how many calls the carrier may receive.
 */
const points: Record<
  string,
  (worker: WorkerProcess, parcel: Express) => Promise<number | number[]>
> = {
  'after the carrier has stored the order, before the answer': async (worker, parcel) => {
    await eventually(() => known(parcel.order_id));
    expect(await tries(parcel.id)).toBe(1);
    await kill(worker);
    return 2;
  },
  'before it has read the carrier account': async (worker) => {
    await untilLockWait();
    await kill(worker);
    return 1;
  },
  'while the carrier has not stored the order yet': async (worker, parcel) => {
    await eventually(() => isRunning(parcel.id));
    expect(await known(parcel.order_id)).toBe(false);
    await kill(worker);
    // The attempt was counted before its call. The worker may have been killed before the carrier
    // received this call, so the carrier may have received only the second call.
    return [1, 2];
  },
  'after the answer, before it is stored': async (worker, parcel) => {
    await eventually(() => known(parcel.order_id));
    const unlock = await lockParcel(parcel.id);
    await untilLockWait();
    expect((await clerk.get(parcel.id)).state_code).toBe(20);
    await kill(worker);
    await unlock();
    return 2;
  },
  'right after it has stored the answer': async (worker, parcel) => {
    await clerk.until(parcel.id, 100);
    await kill(worker);
    return 1;
  },
};
const faults: Record<string, Record<string, unknown>> = {
  'while the carrier has not stored the order yet': { kind: 'slow_before', ms: 6_000 },
  'after the carrier has stored the order, before the answer': { kind: 'slow_after', ms: 6_000 },
  'after the answer, before it is stored': { kind: 'slow_after', ms: 1_500 },
};

describe('a worker that is killed', () => {
  // Every run tests the first point. The daily run tests all points.
  it.each(sampled(Object.keys(points), 5))(
    'an order whose worker is killed %s ends with one waybill and one hold',
    async (name) => {
      if (faults[name]) await failNextOrder(system, faults[name]);
      const parcel = await clerk.begin();
      const unlock =
        name === 'before it has read the carrier account' ? await lockAccounts() : null;
      const calls = await points[name]!(await start(), parcel);
      await unlock?.();
      await start();
      const ended = await clerk.until(parcel.id, 100);
      expect(
        (await carrierOrders(system)).filter(({ order_id }) => order_id === parcel.order_id),
      ).toEqual([expect.objectContaining({ waybill_code: ended.delivery_id })]);
      await eventually(async () =>
        [calls].flat().includes((await creates(system, parcel.order_id)).length),
      );
      expect(await statementsOf(system, parcel.id)).toEqual([
        {
          type: 'hold',
          amount: 0,
          freeze_amount: ended.post_amount,
          post_amount: ended.post_amount,
        },
      ]);
    },
  );

  // Runs only in the daily run. Single kills are tested above, and single faults of the carrier in
  // modify.test.ts and outcome.test.ts.
  if (isDaily)
    it('if workers are killed repeatedly while the carrier’s answers fail, no parcel is lost and none is ordered twice', async () => {
      await system.carrier.control('POST', 'settings', {
        push: { on: true, repeat_rate: 0.3, shuffle_rate: 0.3 },
      });
      await system.carrier.control('POST', 'faults/mix', {
        seed: 'kills',
        paths: ['/ecap/v1/orders/create', '/ecap/v1/orders/cancel'],
        ms: 900,
        rates: {
          drop_after: 0.15,
          error_after: 0.1,
          drop_before: 0.1,
          slow_after: 0.25,
          doubled: 0.1,
          garbage_after: 0.05,
        },
      });
      const parcels: Express[] = [];
      for (let round = 0; round < 3; round++) {
        const worker = await start();
        const some = await Promise.all(Array.from({ length: 5 }, () => clerk.begin()));
        parcels.push(...some);
        await clerk.act(some[0]!.id, 'cancel', { reason: '不寄了' });
        // real delay: the worker is killed at a random time
        await new Promise((later) => setTimeout(later, 150 + round * 300));
        await kill(worker);
      }
      await system.carrier.control('POST', 'faults/mix', null);
      const worker = await start();
      await eventually(async () => {
        for (const { id } of parcels) {
          const { state_code, canceling } = await clerk.get(id);
          if (state_code === 20 || canceling === 1) return false;
        }
        return true;
      });
      // Every accepted parcel has label data, even a parcel whose order was reported only by a
      // push.
      await eventually(
        async () =>
          (
            await rowsOf(
              system,
              sql`select 1 from expresses where need_retry = 1
          or (state_code = 100 and print_data is null)`,
            )
          ).length === 0,
      );
      expect(await inconsistencies(system)).toEqual([]);
      const states = await Promise.all(
        parcels.map(async ({ id }) => (await clerk.get(id)).state_code),
      );
      expect(states.toSorted()).toEqual([
        ...Array.from({ length: 12 }, () => 100),
        ...Array.from({ length: 3 }, () => 500),
      ]);
      running.delete(worker);
      expect(await worker.stop()).toBe(0);
    });

  it.each(
    sampled(
      [
        ['after the carrier has taken the change, before the answer', 'slow_after'],
        ['while the carrier has not taken the change yet', 'slow_before'],
      ] as const,
      2,
    ),
  )(
    'a parcel whose worker is killed %s is changed once, and its hold rises once',
    async (_, kind) => {
      const first = await start();
      const parcel = await clerk.until((await clerk.begin()).id, 100);
      await system.carrier.control('POST', 'faults', {
        path: modify,
        waybill_code: parcel.delivery_id,
        kind,
        ms: 15_000,
      });
      const answer = clerk.edit(parcel.id, {
        version: parcel.version,
        guarantee_value_amount: 200_000,
      });
      await eventually(async () => (await edits(parcel.id))[0]?.tries === 1);
      await kill(first);
      expect(await clerk.get(parcel.id)).toMatchObject({
        modifying: 1,
        post_amount: parcel.post_amount,
      });
      await start();
      const done = await eventually(async () => {
        const found = await clerk.get(parcel.id);
        return found.modifying === 0 ? found : null;
      });
      await answer;
      expect(await edits(parcel.id)).toEqual([{ status: 'done', tries: 2 }]);
      expect(done).toMatchObject({ state_code: 100, guarantee_value_amount: 200_000 });
      expect(await statementsOf(system, parcel.id)).toMatchObject([
        { freeze_amount: parcel.post_amount },
        { freeze_amount: done.post_amount - parcel.post_amount },
      ]);
      const bodies = (await carrierRequests(system, modify))
        .filter(({ waybill_code }) => waybill_code === parcel.delivery_id)
        .map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
      expect(await inconsistencies(system)).toEqual([]);
    },
  );

  // This test runs only daily. In every run, platform/jobs/heartbeat.test.ts tests the same without
  // a process.
  itDaily(
    'jobs of a killed worker are freed by the workers that still send heartbeats',
    async () => {
      const dead = await start();
      const parcel = await clerk.begin();
      await clerk.until(parcel.id, 100);
      const unlock = await lockParcel(parcel.id);
      await rowsOf(
        system,
        sql`select graphile_worker.add_job('ask_trace',
      json_build_object('express_id', ${parcel.id}::bigint), job_key => 'left behind')`,
      );
      const owner = () =>
        rowsOf(
          system,
          sql<{ locked_by: string | null; attempts: number }>`select locked_by, attempts
          from graphile_worker._private_jobs where key = 'left behind'`,
        );
      await eventually(async () => (await owner())[0]?.locked_by);
      await kill(dead);
      expect((await owner())[0]!.locked_by).not.toBeNull();
      await unlock();
      await start();
      await eventually(async () => (await owner()).length === 0);
    },
  );
});
