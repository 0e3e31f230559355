import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import {
  alertsOf,
  parcelClient,
  creates,
  failureOf,
  carrierRequests,
  holdsOf,
  runJobNow,
  failNextOrder,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let admin: ParcelClient;
const settings = (changes: object) => system.carrier.control('POST', 'settings', changes);

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  admin = await parcelClient(system, 'admin');
  await settings({ push: { on: false } });
});
afterEach(async () => {
  await system.carrier.control('DELETE', 'faults');
  await settings({ repeat_mode: 'existing' });
  await rowsOf(system, sql`update merchants set prefetch_numbers = 0`);
});
afterAll(() => system.close());

const push = async (parcel: Express, waybillCode: string) => {
  const url = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
  const operationTime = new Date(Date.now() + 8 * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
  await fetch(url, {
    method: 'POST',
    body: JSON.stringify({
      waybillCode,
      orderId: parcel.order_id,
      category: 390,
      state: '200034',
      operationTime,
    }),
  });
};
const choose = (parcel: Express, delivery_id: string, counter = admin) =>
  system.call<Express>(counter.token, 'POST', `/api/arco/expresses/${parcel.id}/waybill`, {
    version: parcel.version,
    delivery_id,
  });
const stored = async (parcel: Express): Promise<string> =>
  (
    await system.carrier.control<{ orders: { waybill_code: string }[] }>(
      'GET',
      `orders?order_id=${parcel.order_id}`,
    )
  ).orders[0]!.waybill_code;
const conflicting = async (id: number): Promise<Express> => {
  await eventually(async () => (await alertsOf(system, id)).includes('waybill_conflict'));
  return admin.get(id);
};
const jobsOf = (parcel: Express) =>
  rowsOf(
    system,
    sql`select 1 from graphile_worker._private_jobs
    where key in (${`send_order:${parcel.id}`}, ${`sort_again:${parcel.id}`})`,
  );

describe('an order with two reported waybills', () => {
  it('an order whose push and answer contain different waybills is not repeated and keeps its hold until an administrator chooses a waybill', async () => {
    await failNextOrder(system, { kind: 'drop_before' });
    await failNextOrder(system, { kind: 'gateway', times: 1 });
    const data = await clerk.begin();
    await eventually(async () => (await creates(system, data.order_id)).length > 0);
    await push(data, 'JDVE55555555555');
    const parcel = await conflicting(data.id);
    const right = await stored(parcel);
    expect(parcel).toMatchObject({
      state_code: 20,
      delivery_id: null,
      state_reason: {
        code: 'waybill_conflict',
        params: { first: 'JDVE55555555555', second: right },
      },
      waybill_claims: [
        { delivery_id: 'JDVE55555555555', source: 'push' },
        { delivery_id: right, source: 'answer' },
      ],
    });
    expect(await clerk.get(data.id)).not.toHaveProperty('waybill_claims');
    expect(await jobsOf(parcel)).toEqual([]);
    const calls = (await creates(system, data.order_id)).length;
    await rowsOf(
      system,
      sql`select graphile_worker.add_job('send_order',
      json_build_object('express_id', ${data.id}::bigint, 'attempt', 1))`,
    );
    await eventually(async () => (await jobsOf(parcel)).length === 0);
    expect(await creates(system, data.order_id)).toHaveLength(calls);
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);

    expect((await choose(parcel, right, clerk)).status).toBe(403);
    expect(failureOf(await choose(parcel, 'JDVE00000000000'))).toMatchObject({
      code: 'invalid_input',
      fields: { delivery_id: { code: 'waybill_not_claimed' } },
    });
    expect((await choose({ ...parcel, version: parcel.version + 1 }, right)).status).toBe(409);
    const answer = await choose(parcel, right);
    expect(answer).toMatchObject({
      status: 200,
      data: { state_code: 100, delivery_id: right, waybill_claims: [] },
    });
    await eventually(async () => (await admin.get(data.id)).need_retry === 0);
    // The other waybill does not exist at the carrier, so the alert stays open and shows the
    // carrier's text.
    await eventually(async () =>
      (await carrierRequests(system, 'orders/cancel')).some(({ body }) =>
        body.includes('JDVE55555555555'),
      ),
    );
    expect(await alertsOf(system, data.id)).toEqual(['waybill_left']);
    expect(failureOf(await choose(answer.data, right)).code).toBe('waybill_not_open');
    const [row] = await rowsOf(
      system,
      sql<{ changes: object }>`select changes from audit_log
      where action = 'choose_waybill' and subject_id = ${data.id}`,
    );
    expect(row!.changes).toEqual({ delivery_id: [null, right] });
  });

  it('if an answer contains another waybill than the prefetched number, the order continues under the chosen waybill and the other is cancelled', async () => {
    await rowsOf(system, sql`update merchants set prefetch_numbers = 1`);
    await failNextOrder(system, { kind: 'renumbered' });
    const { data } = await clerk.order();
    const parcel = await conflicting(data.id);
    const fetched = await stored(parcel);
    const answered = fetched.replace(/JDVE\d/, 'JDVE9');
    expect(parcel).toMatchObject({
      state_code: 20,
      waybill_claims: [
        { delivery_id: fetched, source: 'number' },
        { delivery_id: answered, source: 'answer' },
      ],
    });
    expect((await choose(parcel, answered)).data).toMatchObject({
      state_code: 100,
      delivery_id: answered,
    });
    await eventually(async () => (await alertsOf(system, data.id)).length === 0);
    expect(await system.carrier.control('GET', `orders/${fetched}`)).toMatchObject({ status: 690 });
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
    // The label data are requested only once, because the answer contains the rejected waybill.
    await eventually(async () => (await jobsOf(parcel)).length === 0);
  });

  it('an order that is sent again with a new prefetched number after a refusal keeps only the new waybill', async () => {
    await rowsOf(system, sql`update merchants set prefetch_numbers = 1`);
    await failNextOrder(system, { kind: 'refuse' });
    const refused = await clerk.order();
    expect(refused.data.state_code).toBe(90);
    expect((await clerk.act(refused.data.id, 'retry')).status).toBe(200);
    const parcel = await clerk.until(refused.data.id, 100);
    expect(await admin.get(parcel.id)).toMatchObject({
      delivery_id: await stored(parcel),
      waybill_claims: [],
    });
    expect(await alertsOf(system, parcel.id)).not.toContain('waybill_conflict');
  });

  it('an order is still sent, and an alert is raised, if a push contains a waybill that differs from the order’s prefetched number', async () => {
    await rowsOf(system, sql`update merchants set prefetch_numbers = 1`);
    await failNextOrder(system, { kind: 'drop_before' });
    await failNextOrder(system, { kind: 'gateway', times: 1 });
    const data = await clerk.begin();
    await eventually(async () => (await creates(system, data.order_id)).length > 0);
    await push(data, 'JDVE77777777777');
    const parcel = await conflicting(data.id);
    const right = await stored(parcel);
    expect(parcel).toMatchObject({
      state_code: 20,
      waybill_claims: [
        { delivery_id: right, source: 'answer' },
        { delivery_id: 'JDVE77777777777', source: 'push' },
      ],
    });
    expect((await choose(parcel, right)).data).toMatchObject({
      state_code: 100,
      delivery_id: right,
    });
  });

  it('an order whose repeated call returns another waybill keeps its first one; it prints no label and is not sent until one is chosen', async () => {
    const { data } = await clerk.order({ remark: '人工预分拣' });
    expect(data).toMatchObject({ state_code: 100, need_retry: 1 });
    await system.carrier.control('POST', 'faults', {
      kind: 'renumbered',
      path: '/ecap/v1/orders/create',
      order_id: data.order_id,
    });
    await runJobNow(system, `sort_again:${data.id}`);
    const parcel = await conflicting(data.id);
    const second = data.delivery_id!.replace(/JDVE\d/, 'JDVE9');
    expect(parcel).toMatchObject({ state_code: 100, delivery_id: data.delivery_id });
    const print = await system.call<{ failed: object[] }>(clerk.token, 'POST', '/api/arco/labels', {
      ids: [data.id],
      format: '76x130',
    });
    expect(JSON.stringify(print.data)).toContain('waybill_undecided');
    expect(await jobsOf(parcel)).toEqual([]);
    expect((await choose(parcel, second)).data).toMatchObject({
      state_code: 100,
      delivery_id: second,
      need_retry: 1,
    });
    await eventually(async () => (await alertsOf(system, data.id)).length === 0);
    expect(await system.carrier.control('GET', `orders/${data.delivery_id}`)).toMatchObject({
      status: 690,
    });
  });

  it('an order for which the carrier returned two waybills keeps its first waybill if the parcel was already picked up', async () => {
    const { data } = await clerk.order();
    await rowsOf(
      system,
      sql`update expresses set state_code = 200, waybill_claims = ${JSON.stringify([
        { delivery_id: data.delivery_id, source: 'answer' },
        { delivery_id: 'JDVE66666666666', source: 'answer' },
      ])}::jsonb where id = ${data.id}`,
    );
    const parcel = await admin.get(data.id);
    expect(failureOf(await choose(parcel, 'JDVE66666666666')).code).toBe('waybill_on_its_way');
    expect((await choose(parcel, data.delivery_id!)).data).toMatchObject({
      state_code: 200,
      delivery_id: data.delivery_id,
      waybill_claims: [],
    });
  });
});
