import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import {
  parcelClient,
  creates,
  holdsOf,
  failNextOrder,
  statementsOf,
  parcelCount,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

/**
 * Per case: the fault of the carrier at the first call, and the number of all calls that the order
 * needs.
 */
const mishaps = {
  'is accepted': { fault: null, calls: 1 },
  'is answered twice over': { fault: { kind: 'doubled' }, calls: 1 },
  'is stored, but the connection breaks before the answer': {
    fault: { kind: 'drop_after' },
    calls: 2,
  },
  'is stored, but the answer is HTTP 500': { fault: { kind: 'error_after' }, calls: 2 },
  'is stored, but the answer comes later than we wait': {
    fault: { kind: 'slow_after', ms: 4_000 },
    calls: 2,
  },
  'is stored, but the answer is garbage': { fault: { kind: 'garbage_after' }, calls: 2 },
  'is stored, but the answer breaks off in the middle': { fault: { kind: 'cut_after' }, calls: 2 },
  'is dropped before it is stored': { fault: { kind: 'drop_before' }, calls: 2 },
  'meets HTTP 500 before it is stored': { fault: { kind: 'error_before' }, calls: 2 },
  'meets HTTP 503 before it is stored': { fault: { kind: 'error_before', code: 503 }, calls: 2 },
  'is answered with garbage before it is stored': { fault: { kind: 'garbage_before' }, calls: 2 },
  'reaches the carrier so late that the repeat comes first': {
    fault: { kind: 'slow_before', ms: 3_500 },
    calls: 2,
  },
  'is throttled': { fault: { kind: 'gateway', code: 2 }, calls: 2 },
  'is stored unanswered three times running': { fault: { kind: 'drop_after', times: 3 }, calls: 4 },
} as const;
type Mishap = keyof typeof mishaps;

let system: TestSystem;
let clerk: ParcelClient;
const settled = new Map<Mishap, { first: Answer<Express>; last: Express }>();

beforeAll(async () => {
  system = await openTestSystem({ config: { carrier: { timeoutMs: 2_000, pollSeconds: 1_800 } } });
  // Pushes are off, so that only a repeat shows the outcome of an order.
  await system.carrier.control('POST', 'settings', { push: { on: false } });
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  const pending: [Mishap, Promise<Answer<Express>>][] = [];
  for (const [name, { fault }] of Object.entries(mishaps) as [Mishap, (typeof mishaps)[Mishap]][]) {
    if (fault) await failNextOrder(system, fault);
    const orders = await parcelCount(system);
    pending.push([name, clerk.order()]);
    // The orders are sent one after the other, because each fault is set for the next order number.
    await eventually(async () => (await parcelCount(system)) > orders);
  }
  for (const [name, answer] of pending)
    settled.set(name, {
      first: await answer,
      last: await clerk.until((await answer).data.id, 100),
    });
});
afterAll(() => system.close());

describe.each(Object.keys(mishaps) as Mishap[])('an order that %s', (name) => {
  const parcel = () => settled.get(name)!;

  it('an order gets a response within the time limit and ends with one waybill, however the carrier answers its first call', () => {
    const { first, last } = parcel();
    expect([20, 100]).toContain(first.data.state_code);
    expect(last.delivery_id).toMatch(/^JDVE\d{11}$/);
    expect(last).toMatchObject({
      state_txt: '待揽收',
      state_remark: '',
      need_retry: 0,
      canceling: 0,
    });
    expect(last.print_data).not.toBeNull();
  });

  it('an order holds its whole price once and charges nothing, however the carrier answers its first call', async () => {
    const { last } = parcel();
    expect(await holdsOf(system, last.id)).toEqual([
      { attempt: 1, amount: last.post_amount, status: 'open' },
    ]);
    expect(await statementsOf(system, last.id)).toEqual([
      { type: 'hold', amount: 0, freeze_amount: last.post_amount, post_amount: last.post_amount },
    ]);
  });

  it('every call of an order to the carrier sends the same bytes, however the carrier answers the first call', async () => {
    const bodies = (await creates(system, parcel().last.order_id)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies).toHaveLength(mishaps[name].calls);
  });
});

describe('ordering a parcel', () => {
  it('an accepted order immediately returns the parcel with its price and the flag “simulated”', () => {
    const { first } = settled.get('is accepted')!;
    expect(first).toMatchObject({ status: 200, message: 'ok' });
    // The demo's price list: 10 yuan × 1.2 for the first kilogram and 1.8 yuan × 1.2 for each of
    // four more. The station pays 85 % of it.
    expect(first.data).toMatchObject({
      state_code: 100,
      cal_weight: 5_000,
      pre_amount: 2_080,
      discount: 8_500,
      discount_amount: 312,
      post_amount: 1_768,
      simulated: 1,
      provider: 'jdl',
    });
  });

  it('an order that the carrier refuses fails with the carrier’s reason, and its hold is released', async () => {
    const { data } = await clerk.order({ remark: '拒单' });
    expect(data).toMatchObject({
      state_code: 90,
      state_txt: '下单失败',
      state_remark: '该订单无法受理',
      delivery_id: null,
    });
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'released' },
    ]);
    expect(await creates(system, data.order_id)).toHaveLength(1);
  });

  it('a refused order can be edited and ordered again under the same order number, and has a new hold for the second attempt', async () => {
    const { data } = await clerk.order({ receive_address: '世纪大道100号超区' });
    expect(data).toMatchObject({ state_code: 90, state_remark: expect.stringContaining('超区') });
    const edited = await clerk.edit(data.id, {
      version: data.version,
      receive_address: '世纪大道100号',
    });
    expect(edited.status).toBe(200);
    const { data: again } = await clerk.act(data.id, 'retry');
    expect(again).toMatchObject({
      state_code: 100,
      order_id: data.order_id,
      receive_address: '世纪大道100号',
    });
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'released' },
      { attempt: 2, amount: again.post_amount, status: 'open' },
    ]);
    const sent = await creates(system, data.order_id);
    expect(sent.map(({ success }) => success)).toEqual([false, true]);
  });

  it('an order with invalid fields calls no carrier and stores nothing', async () => {
    const before = (
      await system.call<{ total: number }>(clerk.token, 'GET', '/api/arco/expresses/counts')
    ).data.total;
    const answer = await clerk.order({
      goods: '没有的物品',
      receive_phone: '138****0000',
      sender_county: '浦东新区',
    });
    expect(answer.status).toBe(422);
    expect(answer.data).toMatchObject({
      code: 'invalid_input',
      fields: {
        goods: { code: 'goods_not_offered' },
        receive_phone: { code: 'phone_masked' },
        sender_county: { code: 'division_county_elsewhere' },
      },
    });
    expect(
      (await system.call<{ total: number }>(clerk.token, 'GET', '/api/arco/expresses/counts')).data
        .total,
    ).toBe(before);
  });

  it('an order with only one or two of length, width and height is refused with an error at each missing size', async () => {
    const size = { code: 'import_size_missing' };
    expect((await clerk.order({ length: 30, width: 20 })).data).toMatchObject({
      code: 'invalid_input',
      fields: { height: size },
    });
    expect((await clerk.order({ height: 10, width: 0 })).data).toMatchObject({
      code: 'invalid_input',
      fields: { length: size, width: size },
    });
  });

  it('an order fails if its price is not the one that the clerk saw', async () => {
    const answer = await clerk.order({ expected_amount: 1_767 });
    expect(answer).toMatchObject({
      status: 422,
      data: { code: 'price_changed', params: { expected_amount: 1_767, post_amount: 1_768 } },
    });
  });

  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
