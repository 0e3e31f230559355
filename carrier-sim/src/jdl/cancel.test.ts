import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { call, createOrder, example, named, paths } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

const day = 86_400_000;
let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({
    paused: true,
    settings: { contract_rate: 10_000, weigh_from: 10_000, weigh_to: 10_000 },
  });
});
afterAll(() => carrier.close());

const ask = (path: string, content: Record<string, unknown>): Promise<Json> =>
  call(carrier.url, path, content);
const state = (waybill: string): Json => carrier.control.order(waybill);

describe('cancel', () => {
  const cancel = (waybill: string, more: Record<string, unknown> = {}): Promise<Json> =>
    ask(
      paths.cancel,
      named(waybill, { cancelReason: '用户取消', cancelReasonCode: '1', cancelType: 1, ...more }),
    );

  test('a cancel before the pickup returns 0, also when it is repeated, and the trace ends with the cancellation', async () => {
    const waybill = await createOrder(carrier.url, 'X-1');
    expect((await cancel(waybill)).data.resultType).toBe(0);
    expect((await cancel(waybill)).data.resultType).toBe(0);
    carrier.control.advance(10 * day);
    expect(state(waybill).trace.map((node: Json) => node.category)).toEqual([100, 690]);
    expect((await call(carrier.url, paths.status, named(waybill))).data.status).toBe(690);
  });

  test('a cancel after pickup returns 4 until the parcel is intercepted and 1 afterwards, and the parcel returns to the sender', async () => {
    const waybill = await createOrder(carrier.url, 'X-2');
    carrier.control.jump(waybill, 'picked_up');
    expect((await cancel(waybill)).data.resultType).toBe(4);
    expect((await cancel(waybill)).data.resultType).toBe(4);
    carrier.control.advance(4 * 3_600_000);
    expect((await cancel(waybill)).data.resultType).toBe(1);
    carrier.control.advance(10 * day);
    const states = state(waybill).trace.map((node: Json) => node.category);
    expect(states.slice(states.indexOf(700))).toEqual([700, 430, 430, 440, 510]);
    expect(state(waybill).trace.at(-1).operationRemark).toBe('包裹已退回寄件人');
    expect((await cancel(waybill)).data.resultType).toBe(1);
  });

  test('a cancel returns 3 if an intercepted parcel is delivered in spite of the interception', async () => {
    const waybill = await createOrder(carrier.url, 'X-2b');
    carrier.control.jump(waybill, 'picked_up');
    await cancel(waybill);
    carrier.control.advance(4 * 3_600_000);
    expect((await cancel(waybill)).data.resultType).toBe(1);
    carrier.control.jump(waybill, 'delivered');
    expect((await cancel(waybill)).data.resultType).toBe(3);
  });

  test('a cancel returns 3 if the interception fails, and the parcel continues', async () => {
    const waybill = await createOrder(carrier.url, 'X-3', { remark: '拦截失败' });
    carrier.control.jump(waybill, 'picked_up');
    expect((await cancel(waybill)).data.resultType).toBe(4);
    carrier.control.advance(10 * day);
    expect((await cancel(waybill)).data.resultType).toBe(3);
    expect(state(waybill).trace.map((node: Json) => node.category)).not.toContain(700);
    expect(state(waybill)).toMatchObject({ status: 510 });
  });

  test('a cancel returns 3 if the parcel is delivered before it can be intercepted', async () => {
    const waybill = await createOrder(carrier.url, 'X-4');
    carrier.control.jump(waybill, 'out');
    expect((await cancel(waybill)).data.resultType).toBe(4);
    carrier.control.jump(waybill, 'delivered');
    expect((await cancel(waybill)).data.resultType).toBe(3);
  });

  test('a cancel after delivery returns result type 2, and returns 2 again if it is repeated', async () => {
    const waybill = await createOrder(carrier.url, 'X-5');
    carrier.control.jump(waybill, 'delivered');
    expect((await cancel(waybill)).data.resultType).toBe(2);
    expect((await cancel(waybill)).data.resultType).toBe(2);
  });

  test('a cancel of a private customer’s order after pickup returns 2, without an interception', async () => {
    const order = { orderOrigin: 0, customerCode: undefined, settleType: 1 };
    const waybill = await createOrder(carrier.url, 'X-6', order);
    carrier.control.jump(waybill, 'picked_up');
    const answer = await ask(paths.cancel, {
      waybillCode: waybill,
      orderOrigin: 0,
      cancelReason: 'x',
      cancelReasonCode: '1',
      cancelType: 0,
    });
    expect(answer.data.resultType).toBe(2);
  });

  test('cancel needs a reason of 1 to 30 characters, a known reason code and the right type', async () => {
    const waybill = await createOrder(carrier.url, 'X-7');
    for (const wrong of [
      { cancelReason: '' },
      { cancelReason: '长'.repeat(31) },
      { cancelReasonCode: '3' },
      { cancelType: 0 },
    ]) {
      expect((await cancel(waybill, wrong)).success).toBe(false);
    }
    expect(state(waybill).cancel_result).toBeNull();
  });

  test('a cancel finds the order by the merchant’s order number, and a repeated create after the cancel returns the same waybill', async () => {
    const waybill = await createOrder(carrier.url, 'X-8');
    const answer = await ask(paths.cancel, {
      customerOrderId: 'X-8',
      orderOrigin: 1,
      customerCode: example.customerCode,
      cancelReason: 'x',
      cancelReasonCode: '2',
      cancelType: 1,
    });
    expect(answer.data.resultType).toBe(0);
    expect(await createOrder(carrier.url, 'X-8')).toBe(waybill);
  });
});
