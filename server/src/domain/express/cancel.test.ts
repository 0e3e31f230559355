import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import {
  alertsOf,
  parcelClient,
  creates,
  failureOf,
  holdsOf,
  runJobNow,
  failNextOrder,
  statementsOf,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { cancelClient } from '#testing/cancel-client.ts';
import type { CancelClient } from '#testing/cancel-client.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let { cancel, cancelCalls, jump, ordered, at, answersOf, cancelNotices } = {} as CancelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  ({ cancel, cancelCalls, jump, ordered, at, answersOf, cancelNotices } = cancelClient(
    system,
    clerk,
  ));
});
afterEach(async () => {
  await system.carrier.control('DELETE', 'faults');
  await system.carrier.control('POST', 'settings', { push: { on: true } });
});
afterAll(() => system.close());

describe('cancelling a parcel that the carrier never had', () => {
  it('cancelling a draft calls no carrier and posts nothing', async () => {
    const { data } = await system.call<Express>(
      { token: clerk.token, headers: { 'idempotency-key': 'cancel-a-draft' } },
      'POST',
      '/api/arco/expresses',
      { draft: 1, receive_name: '张三' },
    );
    expect((await cancel(data.id)).data).toMatchObject({
      state_code: 500,
      state_remark: '客户取消',
      delivery_id: null,
      cancel_uid: expect.any(Number),
    });
    expect(await statementsOf(system, data.id)).toEqual([]);
  });

  it('cancelling a parcel on hold, which was never sent to the carrier, ends in the state cancelled without a call', async () => {
    const partner = await parcelClient(system, 'partner');
    const { data } = await partner.order({ station_id: system.station('tianhe').id });
    expect(data.state_code).toBe(10);
    expect((await partner.act(data.id, 'cancel', { reason: '不寄了' })).data).toMatchObject({
      state_code: 500,
    });
    expect(await creates(system, data.order_id)).toEqual([]);
  });

  it('cancelling an order that the carrier refused ends in the state cancelled, and does not release the hold a second time', async () => {
    const { data } = await clerk.order({ remark: '拒单' });
    expect((await cancel(data.id)).data).toMatchObject({ state_code: 500 });
    expect((await statementsOf(system, data.id)).map(({ type }) => type)).toEqual([
      'hold',
      'release',
    ]);
  });
});

describe('cancelling while the outcome of the order is unknown', () => {
  it('a cancel that is requested while the outcome of the order is unknown is sent to the carrier after the order is accepted', async () => {
    await failNextOrder(system, { kind: 'slow_before', ms: 1_000 });
    const parcel = await clerk.begin();
    const requested = await cancel(parcel.id);
    expect(requested.data).toMatchObject({ state_code: 20, canceling: 1 });
    const ended = await clerk.until(parcel.id, 500);
    expect(ended).toMatchObject({ canceling: 0, state_remark: '客户取消' });
    expect(ended.delivery_id).not.toBeNull();
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'released' },
    ]);
  });

  it('a cancel that is requested while the outcome of the order is unknown takes effect when the carrier refuses the order', async () => {
    await failNextOrder(system, { kind: 'slow_before', ms: 1_000 });
    const parcel = await clerk.begin({ remark: '拒单' });
    await cancel(parcel.id);
    expect(await clerk.until(parcel.id, 500)).toMatchObject({
      delivery_id: null,
      state_remark: '客户取消',
    });
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'released' },
    ]);
  });

  it('a cancel requested twice calls the carrier once', async () => {
    await failNextOrder(system, { kind: 'slow_before', ms: 700 });
    const parcel = await clerk.begin();
    await Promise.all([cancel(parcel.id), cancel(parcel.id), cancel(parcel.id)]);
    const { delivery_id } = await clerk.until(parcel.id, 500);
    expect(await cancelCalls(delivery_id)).toBe(1);
  });
});

describe('cancelling a parcel that awaits pickup', () => {
  it('cancelling a parcel that awaits pickup cancels it and releases the hold', async () => {
    const parcel = await ordered();
    const { data } = await cancel(parcel.id);
    expect(data).toMatchObject({
      state_code: 500,
      state_txt: '已取消',
      state_remark: '客户取消',
      canceling: 0,
    });
    expect(data.canceled_at).not.toBeNull();
    expect(await cancelNotices(parcel.id)).toBe(0);
    expect(await statementsOf(system, parcel.id)).toMatchObject([
      { type: 'hold', freeze_amount: parcel.post_amount },
      { type: 'release', freeze_amount: -parcel.post_amount },
    ]);
  });

  it.each([
    ['the connection breaks after it was done', 'drop_after'],
    ['the answer is garbage', 'garbage_after'],
    ['it never arrives', 'drop_before'],
    ['the carrier has trouble of its own', 'error_before'],
  ])('a cancel keeps the hold while its outcome is unknown: %s', async (_, kind) => {
    await system.carrier.control('POST', 'settings', { push: { on: false } });
    const parcel = await ordered();
    await system.carrier.control('POST', 'faults', { kind, path: '/ecap/v1/orders/cancel' });
    const answer = cancel(parcel.id);
    await eventually(async () => (await cancelCalls(parcel.delivery_id)) === 1);
    expect(await holdsOf(system, parcel.id)).toMatchObject([{ status: 'open' }]);
    await runJobNow(system, `cancel_parcel:${parcel.id}`);
    await clerk.until(parcel.id, 500);
    expect((await answer).status).toBe(200);
    expect(await holdsOf(system, parcel.id)).toMatchObject([{ status: 'released' }]);
  });

  it('a parcel that awaits pickup stays unchanged if the carrier refuses its cancel, and shows the carrier’s text', async () => {
    const parcel = await ordered();
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/cancel',
      message: '快递员已在路上',
    });
    expect((await cancel(parcel.id)).data).toMatchObject({
      state_code: 100,
      state_remark: '快递员已在路上',
      canceling: 0,
    });
    expect(await holdsOf(system, parcel.id)).toMatchObject([{ status: 'open' }]);
    // The carrier's answer is in the parcel's track, like all its other answers.
    expect(await answersOf(parcel.id)).toEqual([
      { state: 'cancel_failed', remark: '快递员已在路上' },
    ]);
    expect(await cancelNotices(parcel.id)).toBe(1);
  });

  it('a cancel fails with the reason if the carrier has already delivered the parcel, although its state here is still awaiting pickup (result 2)', async () => {
    await system.carrier.control('POST', 'settings', { push: { on: false } });
    const parcel = await ordered();
    await jump(parcel, 'delivered');
    const { data } = await cancel(parcel.id);
    expect(data).toMatchObject({
      state_code: 100,
      state_remark: '承运商未能取消',
      state_reason: { code: 'cancel_failed' },
      canceling: 0,
    });
  });
});

describe('cancelling a parcel that was picked up', () => {
  it('cancelling a picked-up parcel starts an interception (result 4); when it has succeeded (result 1), the parcel is returning', async () => {
    const parcel = await at('picked_up', 200);
    expect((await cancel(parcel.id)).data).toMatchObject({
      state_code: 200,
      intercepting: 1,
      canceling: 0,
    });
    expect(failureOf(await cancel(parcel.id))).toMatchObject({ code: 'already_intercepting' });
    await system.carrier.control('POST', 'settings', { push: { on: false } });
    await system.carrier.advance(3 * 3_600_000);
    await runJobNow(system, `cancel_parcel:${parcel.id}`);
    expect(await clerk.until(parcel.id, 410)).toMatchObject({ intercepting: 0 });
    expect(await cancelNotices(parcel.id)).toBe(0);
  });

  it('an interception that fails ends with the reason, and the parcel is no longer shown as being intercepted (result 3)', async () => {
    const parcel = await at('picked_up', 200, { remark: '拦截失败' });
    expect((await cancel(parcel.id)).data).toMatchObject({ intercepting: 1 });
    // A pushed movement of the parcel would replace the reason.
    await system.carrier.control('POST', 'settings', { push: { on: false } });
    await system.carrier.advance(4 * 3_600_000);
    await runJobNow(system, `cancel_parcel:${parcel.id}`);
    const left = await eventually(async () => {
      const found = await clerk.get(parcel.id);
      return found.intercepting === 0 ? found : null;
    });
    expect(left).toMatchObject({
      state_reason: { code: 'intercept_failed' },
      state_remark: '承运商未能拦截',
    });
    expect([200, 210, 220]).toContain(left.state_code);
    expect(await cancelNotices(parcel.id)).toBe(1);
  });
});

describe('a cancel that is refused', () => {
  it.each([
    ['a parcel signed for', 'delivered', 300, {}],
    ['a parcel on its way back', 'returning', 410, { remark: '拒收' }],
    ['a parcel that is back', 'returned', 420, { remark: '拒收' }],
  ] as const)('cancelling is refused for %s', async (_, to, state, changes) => {
    const parcel = await at(to, state, changes);
    const answer = await cancel(parcel.id);
    expect(answer.status).toBe(422);
    expect(failureOf(answer)).toMatchObject({
      code: 'cannot_cancel',
      params: { state: parcel.state_txt },
    });
    expect(await cancelCalls(parcel.delivery_id)).toBe(0);
  });

  it('cancelling is refused for a parcel that is cancelled', async () => {
    const parcel = await ordered();
    await cancel(parcel.id);
    expect(failureOf(await cancel(parcel.id))).toMatchObject({ code: 'cannot_cancel' });
  });

  it('a cancel without a reason is refused', async () => {
    const parcel = await ordered();
    expect(failureOf(await clerk.act(parcel.id, 'cancel', { reason: '  ' }))).toMatchObject({
      code: 'invalid_input',
      fields: { reason: { code: 'required' } },
    });
  });
});

describe('a parcel that the carrier moves after it was cancelled', () => {
  it('a parcel that moves after its cancel raises an alert, and is charged from the wallet without a new hold', async () => {
    const parcel = await ordered();
    await cancel(parcel.id);
    await system.carrier.advance(3_600_000);
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/events`, {
      category: 420,
      state: '200001',
      title: '已揽收',
    });
    expect(await clerk.until(parcel.id, 200)).toMatchObject({ state_remark: '' });
    expect(await alertsOf(system, parcel.id)).toEqual(['moved_after_cancel']);
    await system.carrier.advance(3_600_000);
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/events`, {
      category: 510,
      state: '10034',
      title: '妥投',
    });
    await clerk.until(parcel.id, 300);
    const rows = await eventually(async () => {
      const found = await statementsOf(system, parcel.id);
      return found.length === 3 ? found : null;
    });
    expect(rows.at(-1)).toEqual({
      type: 'charge',
      amount: -parcel.post_amount,
      freeze_amount: 0,
      post_amount: parcel.post_amount,
    });
  });

  it('a cancelled parcel that moved shows the movement’s state and raises an alert, also if the cancel is reported after the movement', async () => {
    const parcel = await at('picked_up', 200);
    const early = new Date(Date.now() - 60_000).toISOString();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/events`, {
      category: 690,
      title: '已取消',
      at: early,
    });
    await eventually(async () => (await alertsOf(system, parcel.id)).length === 1);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 200 });
    expect(await alertsOf(system, parcel.id)).toEqual(['moved_after_cancel']);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
