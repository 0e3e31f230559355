import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { sql } from '#platform/db/db.ts';
import type { JobContext } from '#platform/jobs/task.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { pushStore } from './push-store.ts';
import { readPush, readPushes } from './read-pushes.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
  // The tests run the tasks themselves.
  await system.worker.stop();
});
afterAll(() => system.close());

let pushed = 0;
/**
 * Stores this number of pushes. They are about unknown parcels, unless `about` contains an order
 * number.
 */
const store = async (many: number, about: object = {}): Promise<number[]> => {
  const bodies = Array.from({ length: many }, () =>
    JSON.stringify({
      waybillCode: `JDVE7777777${String(++pushed).padStart(4, '0')}`,
      category: 510,
      operationTime: '2026-01-01 08:00:00',
      ...about,
    }),
  );
  const hashes = bodies.map((body) => createHash('sha256').update(body).digest());
  const rows = await rowsOf(
    system,
    sql<{ id: number }>`insert into carrier_pushes (merchant_id, body, hash)
      select (select min(id) from merchants), body, hash
        from unnest(${bodies}::text[], ${hashes}::bytea[]) as p(body, hash) returning id`,
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
};
const outcomesOf = async (ids: number[]): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ outcome: string }>`select outcome from carrier_pushes
    where id = any(${ids}::bigint[]) order by id`,
    )
  ).map(({ outcome }) => outcome);
const jobs = async (): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ key: string }>`select key from graphile_worker._private_jobs
    where key like 'read_push:%' order by length(key), key`,
    )
  ).map(({ key }) => key);

const attempt = (attempt: number): JobContext => ({
  job_id: '1',
  attempt,
  last: false,
  planned: attempt > 1,
  log: silentLog(),
});

/** The product's context with an adapter that fails on this push. */
const failingOn = async (id: number): Promise<CarrierContext> => {
  const [push] = await rowsOf(
    system,
    sql<{ body: string }>`select body from carrier_pushes
    where id = ${id}`,
  );
  return {
    ...system.app,
    carrierOf: (provider) => {
      const carrier = system.app.carrierOf(provider);
      return {
        ...carrier,
        parsePush: (body) => {
          const reading = carrier.parsePush(body);
          // An alert without a code cannot be stored.
          return body === push!.body
            ? { outcome: 'unreadable', reason: { code: null as never } }
            : reading;
        },
      };
    },
  } as CarrierContext;
};

describe('reading pushes (requirements §4)', () => {
  it('pushes that are stored together are all read by one job', async () => {
    const accept = pushStore(system.app.db);
    const accepted = await Promise.all(
      ['A', 'B', 'C'].map((waybill) =>
        accept('jdl', system.network.push_secret, JSON.stringify({ waybillCode: waybill })),
      ),
    );
    expect(accepted).toEqual([true, true, true]);
    const queued = await rowsOf(
      system,
      sql<{ payload: { push_ids: number[] } }>`select payload
        from graphile_worker._private_jobs
      where task_id = (select id from graphile_worker._private_tasks
        where identifier = 'read_pushes')`,
    );
    expect(queued.map(({ payload }) => payload.push_ids.length)).toEqual([3]);
    await rowsOf(system, sql`delete from graphile_worker._private_jobs`);
    const ids = await store(3);
    await readPushes(system.app, { push_ids: ids }, attempt(1));
    expect(await outcomesOf(ids)).toEqual(['unknown_parcel', 'unknown_parcel', 'unknown_parcel']);
    expect(await jobs()).toEqual([]);
  });

  it('a push with one of our order numbers that no parcel has raises one alert; pushes with other unknown order numbers raise none', async () => {
    const order_id = 'WS26112800990001';
    const ids = [
      ...(await store(2, { orderId: order_id })),
      ...(await store(1, { orderId: 'SHOP-1' })),
      ...(await store(1, { orderId: 'WS999' })),
    ];
    await readPushes(system.app, { push_ids: ids }, attempt(1));
    const alerts = await rowsOf(
      system,
      sql<{ params: object }>`select params from alerts where code = 'carrier_order_lost'`,
    );
    expect(alerts).toEqual([
      { params: { order_id, delivery_id: expect.stringMatching(/^JDVE7777777/) } },
    ]);
  });

  it('a late push of another carrier account that contains the order number of an existing order raises no alert', async () => {
    await system.topUp('nanshan', 1_000_000);
    const { data } = await (await parcelClient(system)).order();
    const ids = await store(1, { orderId: data.order_id });
    await rowsOf(
      system,
      sql`with other as (insert into merchants (name, provider, customer_code, base_url)
        values ('other', 'jdl', 'OTHER', 'http://127.0.0.1') returning id)
        update carrier_pushes set merchant_id = (select id from other) where id = ${ids[0]}`,
    );
    await readPushes(system.app, { push_ids: ids }, attempt(1));
    expect(await outcomesOf(ids)).toEqual(['unknown_parcel']);
    const lost = sql`select from alerts where key = ${`order lost:${data.order_id}`}`;
    expect(await rowsOf(system, lost)).toEqual([]);
  });

  it('if the processing of a push fails, this push and the pushes after it in the batch each get a separate job', async () => {
    const ids = await store(3);
    const context = await failingOn(ids[1]!);
    await readPushes(context, { push_ids: ids }, attempt(1));
    expect(await outcomesOf(ids)).toEqual(['unknown_parcel', 'received', 'received']);
    expect(await jobs()).toEqual([`read_push:${ids[1]}`, `read_push:${ids[2]}`]);
    await expect(readPush(context, { push_id: ids[1]! })).rejects.toThrow();
    await readPush(context, { push_id: ids[2]! });
    expect(await outcomesOf(ids)).toEqual(['unknown_parcel', 'received', 'unknown_parcel']);
    await readPush(system.app, { push_id: ids[1]! });
    expect(await outcomesOf(ids)).toEqual(['unknown_parcel', 'unknown_parcel', 'unknown_parcel']);
    await rowsOf(system, sql`delete from graphile_worker._private_jobs`);
  });

  it('a push whose parcel is locked gets its own job, so that the pushes after it are delayed by at most two seconds', async () => {
    const clerk = await parcelClient(system);
    const { id, order_id } = await clerk.begin();
    const ids = await store(1, { orderId: order_id });
    const [behind] = await store(1);
    await system.app.db.tx(systemScope('test'), async (work) => {
      await sql`select id from expresses where id = ${id} for update`.execute(work.tx);
      await readPushes(system.app, { push_ids: [...ids, behind!] }, attempt(1));
    });
    expect(await jobs()).toEqual([`read_push:${ids[0]}`, `read_push:${behind}`]);
    await readPush(system.app, { push_id: ids[0]! });
    expect(await outcomesOf(ids)).toEqual(['taken']);
    await rowsOf(system, sql`delete from graphile_worker._private_jobs`);
  });

  it('if the job that reads several pushes was interrupted, each of these pushes gets a separate job', async () => {
    const ids = await store(2);
    await readPushes(system.app, { push_ids: ids }, attempt(2));
    expect(await outcomesOf(ids)).toEqual(['received', 'received']);
    expect(await jobs()).toEqual(ids.map((id) => `read_push:${id}`));
  });
});
