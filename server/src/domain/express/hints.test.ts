import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { alertsOf, parcelClient, carrierRequests } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { askTrace, pollLive } from './poll.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  await system.carrier.control('POST', 'settings', { push: { on: false } });
});
afterAll(() => system.close());

type Node = Record<string, unknown>;
const post = async (nodes: Node | Node[]): Promise<void> => {
  const url = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
  expect(
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(nodes),
      })
    ).status,
  ).toBe(200);
};
const wallClock = (milliseconds: number): string =>
  new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const node = (parcel: Express, change: Node): Node => ({
  waybillCode: parcel.delivery_id,
  orderId: parcel.order_id,
  operationTitle: '测试',
  operationTime: wallClock(Date.now()),
  ...change,
});
const allRead = () =>
  eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1
  from carrier_pushes where outcome = 'received'`,
        )
      ).length === 0,
  );
const jobsDone = () =>
  eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1
  from graphile_worker._private_jobs where run_at <= now()`,
        )
      ).length === 0,
  );
const settled = async (): Promise<void> => {
  await allRead();
  await jobsDone();
};
const traces = async (parcel: Express): Promise<number> =>
  (await carrierRequests(system, 'trace/query')).filter((request) =>
    request.body.includes(parcel.delivery_id!),
  ).length;
const ordered = async (): Promise<Express> => (await clerk.order()).data;
const messages = (parcel: Express) =>
  rowsOf(
    system,
    sql<{ source: string; refused: string }>`select source, refused from express_messages
      where express_id = ${parcel.id} and effect <> 'ordered' order by id`,
  );
/** The carrier's trace rows so far, each with the fields that a push has. */
const nodesOf = async (parcel: Express): Promise<Node[]> =>
  (
    await system.carrier.control<{ trace: Node[] }>('GET', `orders/${parcel.delivery_id}`)
  ).trace.map((row) => ({ ...row, orderId: parcel.order_id }));

describe('a push that implies pickup, signing, exception, return or cancel', () => {
  it('a push that implies pickup, signing, exception, return or cancel does not change the state, and shows it as unconfirmed until a trace confirms it', async () => {
    for (const [change, confirming] of [
      [{ category: 420, state: '200001' }, 200],
      [{ category: 430, state: '10032' }, 200],
      [{ category: 510, state: '10034' }, 300],
      [{ category: 530, state: '10035' }, 400],
      [{ category: 700 }, 410],
      [{ category: 690 }, 500],
    ] as const) {
      const parcel = await ordered();
      await post(node(parcel, change));
      await settled();
      expect(await clerk.get(parcel.id)).toMatchObject({
        state_code: 100,
        confirming,
        picked_up_at: null,
      });
      expect(await messages(parcel)).toEqual([]);
      await eventually(async () => (await traces(parcel)) === 1);
    }
  });

  it('a message that arrives in a push and later in the trace is stored once, and its state is no longer shown as unconfirmed', async () => {
    const parcel = await ordered();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'delivered' });
    const nodes = await nodesOf(parcel);
    for (const one of [...nodes, ...nodes.toReversed()]) await post(one);
    const signed = await clerk.until(parcel.id, 300);
    await settled();
    expect(signed.picked_up_at).not.toBeNull();
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 300, confirming: null });
    const { data } = await system.call<{ items: Node[] }>(
      clerk.token,
      'GET',
      `/api/arco/expresses/${parcel.id}/trace`,
    );
    expect(data.items).toHaveLength(nodes.length);
  });

  it('ten thousand forged pushes with different contents about one parcel cause at most two trace requests', async () => {
    const parcel = await ordered();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'picked_up' });
    const now = Date.now();
    const kinds = [
      { category: 510, state: '10034' },
      { category: 690 },
      { category: 700 },
      { category: 420, state: '200001' },
    ];
    const forged = Array.from({ length: 10_000 }, (_, index) =>
      node(parcel, {
        ...kinds[index % 4],
        operationTime: wallClock(now - (index % 500) * 1_000 + 60_000),
      }),
    );
    for (let at = 0; at < forged.length; at += 250) await post(forged.slice(at, at + 250));
    await clerk.until(parcel.id, 200);
    await settled();
    expect(await traces(parcel)).toBeLessThanOrEqual(2);
  });

  it('a push does not set the return waybill of a returning parcel; only a trace does', async () => {
    const parcel = await ordered();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'refused' });
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'returned' });
    for (const one of await nodesOf(parcel)) await post(one);
    await clerk.until(parcel.id, 420);
    await settled();
    await post(
      node(parcel, {
        category: 700,
        operationRemark: '退回 新运单号 JDVE12345678901',
        operationTime: wallClock(Date.now() - 1_000),
      }),
    );
    await settled();
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 420, return_delivery_id: null });
  });

  it('a state that a push implies is shown as unconfirmed for one day, then an alert is raised and the parcel no longer shows that state', async () => {
    const parcel = await ordered();
    await post(node(parcel, { category: 510, state: '10034' }));
    await settled();
    const later = (hours: number) => ({
      ...system.app,
      clock: { now: () => new Date(Date.now() + hours * 3_600_000) },
    });
    await pollLive(later(23));
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    await pollLive(later(24.1));
    expect(await alertsOf(system, parcel.id)).toEqual(['push_unconfirmed']);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 100, confirming: null });
  });
});

describe('a message with an impossible time or waybill', () => {
  it('a message with an impossible time or waybill is stored and ignored, and raises an alert', async () => {
    const parcel = await ordered();
    // Marks the parcel as not simulated, so that the simulator's clock does not count.
    await rowsOf(
      system,
      sql`update expresses set simulated = 0, picked_up_at = now()
      where id = ${parcel.id}`,
    );
    const [{ first_sent_at }] = (await rowsOf(
      system,
      sql<{ first_sent_at: Date }>`select first_sent_at
      from expresses where id = ${parcel.id}`,
    )) as [{ first_sent_at: Date }];
    const moved = (at: number, state: string) =>
      node(parcel, { category: 430, state, operationTime: wallClock(at) });
    const sent = Math.ceil(first_sent_at.getTime() / 1_000) * 1_000;
    await post(moved(sent - 10 * 60_000, '10032'));
    await post(moved(Date.now() + 55 * 60_000, '200075'));
    await settled();
    expect((await messages(parcel)).map(({ refused }) => refused)).toEqual(['', '']);
    await post(moved(sent - 10 * 60_000 - 2_000, '10032'));
    await post(moved(Date.now() + 65 * 60_000, '200075'));
    await post(node(parcel, { category: 430, state: '10032', waybillCode: 'JDVE77777777777' }));
    await settled();
    expect((await messages(parcel)).map(({ refused }) => refused).toSorted()).toEqual([
      '',
      '',
      'early',
      'future',
      'waybill',
    ]);
    expect((await alertsOf(system, parcel.id)).toSorted()).toEqual([
      'message_early',
      'message_future',
      'message_waybill',
    ]);
    await rowsOf(
      system,
      sql`update expresses set simulated = 1, picked_up_at = null
      where id = ${parcel.id}`,
    );
  });

  it('a message of a trace with an impossible time is ignored until its time is possible', async () => {
    const parcel = await ordered();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'picked_up' });
    await rowsOf(
      system,
      sql`update expresses set first_sent_at = now() + interval '1 hour'
      where id = ${parcel.id}`,
    );
    await askTrace(system.app, { express_id: parcel.id });
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 100 });
    expect(new Set((await messages(parcel)).map(({ refused }) => refused))).toEqual(
      new Set(['early']),
    );
    // The same message takes effect when its time has become possible.
    await rowsOf(
      system,
      sql`update expresses set first_sent_at = now() - interval '1 hour'
      where id = ${parcel.id}`,
    );
    await askTrace(system.app, { express_id: parcel.id });
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 200 });
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    await settled();
    expect(await inconsistencies(system)).toEqual([]);
  });
});
