import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { parsePush } from '#domain/carriers/jdl/push.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { alertsOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { applyMessages } from './messages.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 5_000_000);
  clerk = await parcelClient(system);
  await system.carrier.control('POST', 'settings', { push: { on: false } });
});
afterAll(() => system.close());

type Node = Record<string, unknown>;
const wallClock = (milliseconds: number): string =>
  new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const node = (parcel: Express, change: Node): Node => ({
  waybillCode: parcel.delivery_id,
  operationTime: wallClock(Date.now()),
  ...change,
});
const ordered = async (): Promise<Express> => (await clerk.order()).data;

/** Stores the rows as a trace from the carrier. */
const traced = async (parcel: Express, rows: readonly Node[]): Promise<void> => {
  const read = parsePush(JSON.stringify(rows));
  if (read.outcome !== 'ok') throw new Error('unreadable');
  await system.app.db.tx(systemScope('test'), (work) =>
    applyMessages(system.app, work, parcel.id, { source: 'trace', messages: read.messages }),
  );
};
const returning = (parcel: Express, waybill: string): Node =>
  node(parcel, { category: 700, state: '200020', operationRemark: `换单返回 ${waybill}` });
const stored = async (parcel: Express): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select count(*)::int as n from express_messages
    where express_id = ${parcel.id}`,
    )
  )[0]!.n;

describe('a return message with the waybill of another parcel', () => {
  it('a return message that contains another parcel’s waybill is stored, raises an alert and is ignored, whether it comes from a trace or a push', async () => {
    const [parcel, other] = [await ordered(), await ordered()];
    await traced(parcel, [
      node(parcel, { category: 420, state: '200001' }),
      returning(parcel, other.delivery_id!),
    ]);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 200, return_delivery_id: null });
    expect(await alertsOf(system, parcel.id)).toEqual(['return_of_another']);
    await rowsOf(
      system,
      sql`update alerts set closed_at = now()
      where express_id = ${parcel.id}`,
    );
    await traced(parcel, [returning(parcel, other.delivery_id!)]);
    expect(await alertsOf(system, parcel.id)).toEqual([]);

    const url = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
    await fetch(url, {
      method: 'POST',
      body: JSON.stringify(returning(other, parcel.delivery_id!)),
    });
    await eventually(async () => (await alertsOf(system, other.id)).includes('return_of_another'));
    expect(await clerk.get(other.id)).toMatchObject({
      state_code: 100,
      confirming: null,
      return_delivery_id: null,
    });
  });

  it('a return waybill that already belongs to another parcel is refused, and the other parcel keeps it', async () => {
    const [parcel, other] = [await ordered(), await ordered()];
    await Promise.all(
      [parcel, other].map((one) =>
        traced(one, [
          node(one, { category: 420, state: '200001' }),
          returning(one, 'JDVE98765432101'),
        ]),
      ),
    );
    const states = [await clerk.get(parcel.id), await clerk.get(other.id)].map(
      ({ state_code, return_delivery_id }) => [state_code, return_delivery_id],
    );
    expect(states.toSorted()).toEqual([
      [200, null],
      [410, 'JDVE98765432101'],
    ]);
  });

  it('a waybill of another parcel in the carrier’s answer to a cancel is not stored as the return waybill, and raises an alert', async () => {
    const [parcel, other] = [await ordered(), await ordered()];
    await traced(parcel, [node(parcel, { category: 420, state: '200001' })]);
    const answer = { result: 'intercepted' as const, text: `已拦截，新运单 ${other.delivery_id}` };
    const message = system.app
      .carrierOf('jdl')
      .messageOfCancel({ delivery_id: parcel.delivery_id! }, answer, new Date());
    await system.app.db.tx(systemScope('test'), (work) =>
      applyMessages(system.app, work, parcel.id, { source: 'cancel', messages: [message] }),
    );
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 410, return_delivery_id: null });
    expect(await alertsOf(system, parcel.id)).toEqual(['return_of_another']);
  });
});

describe('pushes that list several parcels', () => {
  it('forty simultaneous pushes that list the same parcels in different orders are all processed without a deadlock', async () => {
    const parcels = [await ordered(), await ordered(), await ordered(), await ordered()];
    const before = (
      await rowsOf(
        system,
        sql<{ n: number }>`select deadlocks::int as n
      from pg_stat_database where datname = current_database()`,
      )
    )[0]!.n;
    const url = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const order = n % 2 === 0 ? parcels : parcels.toReversed();
        const nodes = order.map((parcel) =>
          node(parcel, {
            category: 390,
            state: '200034',
            operationTime: wallClock(Date.now() + n * 1_000),
            operationRemark: `${n}`,
          }),
        );
        return fetch(url, { method: 'POST', body: JSON.stringify(nodes) });
      }),
    );
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from carrier_pushes
      where outcome = 'received'`,
          )
        ).length === 0,
    );
    for (const parcel of parcels) expect(await stored(parcel)).toBeGreaterThanOrEqual(40);
    await rowsOf(system, sql`select pg_stat_clear_snapshot()`);
    const after = (
      await rowsOf(
        system,
        sql<{ n: number }>`select deadlocks::int as n
      from pg_stat_database where datname = current_database()`,
      )
    )[0]!.n;
    expect(after - before).toBe(0);
  });
});

describe('a trace with too many or malformed rows', () => {
  it('a trace of 8,000 rows is cut at 1,000 messages with one alert, and repeating it adds nothing', async () => {
    const parcel = await ordered();
    const already = await stored(parcel);
    const start = Date.now() - 60_000;
    const rows = Array.from({ length: 8_000 }, (_, n) =>
      node(parcel, { category: 430, state: `9${n}`, operationTime: wallClock(start + n * 1_000) }),
    );
    await rowsOf(system, sql`update expresses set simulated = 1 where id = ${parcel.id}`);
    await traced(parcel, rows.slice(0, 999 - already));
    await traced(parcel, rows.slice(0, 1_000 - already));
    expect([await stored(parcel), await alertsOf(system, parcel.id)]).toEqual([1_000, []]);
    for (const _ of [1, 2]) await traced(parcel, rows);
    expect([await stored(parcel), await alertsOf(system, parcel.id)]).toEqual([
      1_000,
      ['messages_cut'],
    ]);
    const [alert] = await rowsOf(
      system,
      sql<{ params: object }>`select params from alerts
      where express_id = ${parcel.id}`,
    );
    expect(alert!.params).toMatchObject({ count: 7_000 + already, max: 1_000 });
  });

  it('if a trace has 1,500 rows that are too early, only 1,000 of them are stored, and a valid row after them still takes effect', async () => {
    const parcel = await ordered();
    const early = Array.from({ length: 1_500 }, (_, n) =>
      node(parcel, {
        category: 430,
        state: '10032',
        operationTime: wallClock(Date.now() - 86_400_000 - n * 1_000),
      }),
    );
    await traced(parcel, [...early, node(parcel, { category: 420, state: '200001' })]);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 200 });
    const refused = await rowsOf(
      system,
      sql`select 1 from express_messages
      where express_id = ${parcel.id} and refused = 'early'`,
    );
    expect(refused).toHaveLength(1_000);
    expect((await alertsOf(system, parcel.id)).toSorted()).toEqual([
      'message_early',
      'messages_cut',
    ]);
  });

  it('a trace with a hundred unknown codes raises at most five alerts', async () => {
    const parcel = await ordered();
    await traced(
      parcel,
      Array.from({ length: 100 }, (_, n) => node(parcel, { category: `x${n}`, state: `y${n}` })),
    );
    expect(await alertsOf(system, parcel.id)).toEqual(
      Array.from({ length: 5 }, () => 'carrier_code_unknown'),
    );
  });

  it('a trace still takes effect if a row is deeply nested, very long or has characters that the database refuses; the stored text is cut', async () => {
    const parcel = await ordered();
    let deep: unknown = 'end';
    for (let n = 0; n < 3_000; n++) deep = [deep];
    await traced(parcel, [
      node(parcel, {
        category: 420,
        state: '200001',
        deep,
        long: 'x'.repeat(50_000),
        operationRemark: '\u0000\ud800 揽收',
      }),
    ]);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 200 });
    const [row] = await rowsOf(
      system,
      sql<{ n: number }>`select max(length(raw::text))::int as n
      from express_messages where express_id = ${parcel.id}`,
    );
    expect(row!.n).toBeLessThan(5_000);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
