import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { pushStore } from './push-store.ts';
import { openPushSecret } from '#domain/merchant-secrets/merchant-secrets.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { alertsOf, parcelClient, statementsOf } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  // The simulator's own pushes are off, because the tests send all messages of the carrier.
  await system.carrier.control('POST', 'settings', { push: { on: false } });
});
afterAll(() => system.close());

/**
 * Orders a parcel and returns it with its waybill. If the carrier exceeds the time limit, the
 * request returns before the parcel has a waybill.
 */
const ordered = async (): Promise<Express> => clerk.until((await clerk.order()).data.id, 100);

type Node = Record<string, unknown>;
const address = () => `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
const post = (body: unknown, url = address()) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const began = Date.now();
const wallClock = (minute: number): string =>
  new Date(timeOf(minute) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

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

/** The fields and messages of a parcel that a test compares, without its ids and numbers. */
const summary = async (id: number) => {
  const {
    state_code,
    state_txt,
    state_remark,
    picked_up_at,
    signed_at,
    last_event_at,
    intercepting,
    return_delivery_id,
    post_amount,
    surcharge_amount,
  } = await clerk.get(id);
  const { data } = await system.call<{ items: object[] }>(
    clerk.token,
    'GET',
    `/api/arco/expresses/${id}/trace`,
  );
  const rows = await statementsOf(system, id);
  // Whether a hold is released before the charge or ends with the charge depends on the order of
  // arrival. The final paid and held amounts are the same.
  const money = {
    paid: rows.reduce((sum, { amount }) => sum + amount, 0),
    held: rows.reduce((sum, { freeze_amount }) => sum + freeze_amount, 0),
    charges: rows.filter(({ type }) => type === 'charge').length,
  };
  return {
    state_code,
    state_txt,
    state_remark,
    picked_up_at,
    signed_at,
    last_event_at,
    intercepting,
    returned: return_delivery_id !== null,
    post_amount,
    surcharge_amount,
    messages: data.items.length,
    money,
    alerts: (await alertsOf(system, id)).toSorted(),
  };
};

/** Histories as rows of the carrier's trace, in the order of their times. */
const histories: Record<string, () => Node[]> = {
  'delivered at the second try': () => [
    { category: 420, state: '200001' },
    { category: 430, state: '10032' },
    { category: 440, state: '11000' },
    { category: 440, state: '200023' },
    { category: 430, state: '200075' },
    { category: 510, state: '10034' },
  ],
  'refused at the door and returned': () => [
    { category: 420, state: '200001' },
    { category: 440, state: '11000' },
    { category: 530, state: '10035', operationRemark: '收件人拒收' },
    { category: 700 },
    { category: 430, state: '200076' },
    { category: 510, state: '10034' },
  ],
  'given up before pickup': () => [
    { category: 390, state: '200034' },
    { state: '200052', cancelReason: '寄件人暂不寄件', operationRemark: '揽收任务已终止' },
    { category: 690, operationRemark: '订单已取消' },
  ],
  'moved after it was cancelled': () => [
    { category: 690, operationRemark: '订单已取消' },
    { category: 420, state: '200001' },
    { category: 430, state: '10032' },
    { category: 510, state: '10034' },
  ],
  'in words nobody knows': () => [
    { category: 420, state: '200001' },
    { category: 985, state: '77777' },
    { category: 430, state: '10032' },
  ],
};

const timeOf = (minute: number): number => began - 4 * 3_600_000 + minute * 60_000;
const nodesOf = (parcel: Express, name: string): Node[] =>
  histories[name]!().map((node, minute) => ({
    waybillCode: parcel.delivery_id,
    orderId: parcel.order_id,
    operationTitle: name,
    operationTime: wallClock(minute * 5),
    operatorName: '快递员',
    ...node,
  }));

/**
 * Adds the events of a history to the carrier's own trace, before they are pushed. Sets the time at
 * which the parcel was sent to an hour before the events.
 */
const happen = async (parcel: Express, name: string): Promise<void> => {
  for (const [minute, { category, state, operationRemark, cancelReason }] of histories[
    name
  ]!().entries())
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/events`, {
      at: new Date(timeOf(minute * 5)).toISOString(),
      title: name,
      ...(category !== undefined && { category }),
      ...(state !== undefined && { state }),
      ...(operationRemark !== undefined && { remark: operationRemark }),
      ...(cancelReason !== undefined && { cancel_reason: cancelReason }),
    });
  await rowsOf(
    system,
    sql`update expresses set first_sent_at = ${new Date(timeOf(-60))}
    where id = ${parcel.id}`,
  );
};

const tell = async (nodes: Node[]): Promise<void> => {
  for (const node of nodes) expect((await post(node)).status).toBe(200);
};
const settled = async (): Promise<void> => {
  await allRead();
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from expresses
    where confirming is not null`,
        )
      ).length === 0,
  );
  await jobsDone();
};

describe('a carrier’s push', () => {
  it.each(Object.keys(histories))(
    'the pushes of a parcel give it the same state however late, shuffled and repeated they come: a parcel %s',
    async (name) => {
      const shuffles = fc.sample(
        fc.tuple(
          fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
          fc.array(fc.nat(5), { maxLength: 3 }),
        ),
        {
          numRuns: 7,
          seed: 7,
        },
      );
      const orders = [
        [0, 1, 2, 3, 4, 5],
        ...shuffles.map(([order, doubled]) => [...order, ...doubled]),
      ];
      const parcels = await Promise.all(orders.map(ordered));
      await Promise.all(parcels.map((parcel) => happen(parcel, name)));
      await Promise.all(
        parcels.map((parcel, at) => {
          const nodes = nodesOf(parcel, name);
          return tell(orders[at]!.flatMap((index) => (nodes[index] ? [nodes[index]] : [])));
        }),
      );
      await settled();
      const [straight, ...others] = await Promise.all(parcels.map(({ id }) => summary(id)));
      for (const other of others) expect(other).toEqual(straight);
    },
  );

  it('a message that arrives in a push and again in a trace is stored once', async () => {
    const parcel = await ordered();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'picked_up' });
    const { trace } = await system.carrier.control<{ trace: Node[] }>(
      'GET',
      `orders/${parcel.delivery_id}`,
    );
    expect(trace.length).toBeGreaterThan(1);
    for (const node of trace) await post({ ...node, orderId: parcel.order_id });
    await settled();
    const { data: before } = await system.call<{ items: object[] }>(
      clerk.token,
      'GET',
      `/api/arco/expresses/${parcel.id}/trace`,
    );
    await rowsOf(
      system,
      sql`select graphile_worker.add_job('ask_trace',
      json_build_object('express_id', ${parcel.id}::bigint))`,
    );
    await jobsDone();
    const { data: after } = await system.call<{ items: object[]; checked_at: string | null }>(
      clerk.token,
      'GET',
      `/api/arco/expresses/${parcel.id}/trace`,
    );
    expect(after.items).toEqual(before.items);
    expect(after.checked_at).not.toBeNull();
  });

  it('a carrier’s push with an unknown code does not change the parcel’s state, is stored and raises an alert', async () => {
    const parcel = await ordered();
    const [node] = nodesOf(parcel, 'given up before pickup');
    await rowsOf(
      system,
      sql`update expresses set first_sent_at = ${new Date(timeOf(-60))}
      where id = ${parcel.id}`,
    );
    await tell([{ ...node, category: 4711, state: '4712' }]);
    await settled();
    expect(await summary(parcel.id)).toMatchObject({
      state_code: 100,
      alerts: ['carrier_code_unknown'],
      messages: 1,
    });
  });
});

describe('the URL for carrier pushes', () => {
  const outcomes = async () =>
    (
      await rowsOf(
        system,
        sql<{ outcome: string; n: number }>`select outcome, count(*) as n
      from carrier_pushes group by 1`,
      )
    ).reduce<Record<string, number>>((all, { outcome, n }) => ({ ...all, [outcome]: n }), {});

  it('the URL for carrier pushes returns 404 with the carrier’s error body if the secret is wrong', async () => {
    for (const secret of ['0'.repeat(32), 'x', '%00', encodeURIComponent(`' or 1=1 --`)]) {
      const answer = await post(
        {
          waybillCode: 'JDVE00000000001',
          orderId: 'x',
          category: 510,
          operationTime: wallClock(0),
        },
        address().replace(/[^/]+$/, secret),
      );
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: '500' });
    }
    expect((await post({}, address().replace('/jdl/', '/ups/'))).status).toBe(404);
  });

  it('the URL for carrier pushes returns 200 and stores the push if its waybill is unknown or its body cannot be read', async () => {
    const before = await outcomes();
    const answer = await post({
      waybillCode: 'JDVE99999999999',
      orderId: 'WS999',
      category: 510,
      state: '10034',
      operationTime: wallClock(0),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ code: '200' });
    for (const body of ['not json', '[]', '{"waybillCode":1}', '"\\u0000"'])
      expect((await post(body)).status).toBe(200);
    await allRead();
    const after = await outcomes();
    expect(after['unknown_parcel']).toBe((before['unknown_parcel'] ?? 0) + 1);
    expect(after['unreadable']).toBe((before['unreadable'] ?? 0) + 4);
  });

  it('the URL for carrier pushes returns 400 for an empty body and 413 for a body above the size limit', async () => {
    expect((await post('')).status).toBe(400);
    expect((await post('x'.repeat(70_000))).status).toBe(413);
  });

  it('simultaneous pushes are stored in batches, each different push is read once, and only the push with a wrong secret is refused', async () => {
    const before = await outcomes();
    const bodies = Array.from({ length: 120 }, (_, index) => ({
      waybillCode: `JDVE8888888${String(index).padStart(4, '0')}`,
      category: 510,
      operationTime: wallClock(0),
    }));
    const answers = await Promise.all(
      [...bodies, ...bodies.slice(0, 30)].map((body) => post(body)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const wrong = await Promise.all([
      post(bodies[0]),
      post(bodies[1], address().replace(/[^/]+$/, '0'.repeat(32))),
      post(bodies[2]),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([200, 404, 200]);
    await allRead();
    expect((await outcomes())['unknown_parcel']).toBe((before['unknown_parcel'] ?? 0) + 120);
  });

  it('a push that the database refuses does not prevent the other pushes of its batch from being stored', async () => {
    const store = pushStore(system.app.db);
    const secret = system.network.push_secret;
    const stored = await Promise.allSettled(
      ['{"waybillCode":"A"}', '\u0000', '{"waybillCode":"B"}'].map((body) =>
        store('jdl', secret, body),
      ),
    );
    expect(stored.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const kept = await rowsOf(
      system,
      sql`select 1 from carrier_pushes
      where body in ('{"waybillCode":"A"}', '{"waybillCode":"B"}')`,
    );
    expect(kept).toHaveLength(2);
  });

  it('the URL for carrier pushes ignores a push about a parcel if it has another carrier account’s secret', async () => {
    const parcel = await ordered();
    const [other] = await rowsOf(
      system,
      sql<{
        id: number;
      }>`insert into merchants (name, provider, customer_code, base_url)
        values ('另一家', 'jdl', '010K999999', 'https://example.com') returning id`,
    );
    const secret = await system.app.db.tx(systemScope('test'), (work) =>
      openPushSecret(work, system.app.secrets, other!.id),
    );
    const [node] = nodesOf(parcel, 'delivered at the second try');
    expect((await post(node, address().replace(/[^/]+$/, secret))).status).toBe(200);
    await allRead();
    expect(await summary(parcel.id)).toMatchObject({ state_code: 100, messages: 0 });
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
