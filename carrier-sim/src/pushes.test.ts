import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { startCallback } from '#testing/callback.ts';
import { call, createOrder, example, named, paths } from '#testing/jdl-client.ts';
import type { Simulator, SimulatorOptions } from '#simulator.ts';
import type { Callback } from '#testing/callback.ts';
import type { Json } from '#testing/jdl-client.ts';

const day = 86_400_000;
const quick = { retry_first_ms: 20, retry_most_ms: 100 };
let callback: Callback;
let carrier: Simulator;

const start = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  carrier = await startSimulator({
    paused: true,
    callbackUrl: callback.url,
    ...options,
    settings: { push: quick, ...options.settings },
  });
  return carrier;
};
beforeEach(async () => {
  callback = await startCallback();
});
afterEach(async () => {
  await carrier.close();
  await callback.close();
});

const codes = (messages: readonly Json[]): string[] =>
  messages.map((message) => `${message.category}/${message.state}`);
const straight = [
  '100/undefined',
  '390/200034',
  '420/200001',
  '430/200076',
  '430/10032',
  '430/200076',
  '430/200075',
  '440/11000',
  '510/10034',
];

test('the simulator pushes each step of a parcel as one JSON object, in order, without signature or weight', async () => {
  await start();
  const waybill = await createOrder(carrier.url, 'P-1');
  carrier.control.advance(12 * day);
  expect(await carrier.control.settle()).toEqual({ pending: 0 });
  expect(codes(callback.received)).toEqual(straight);
  const picked = callback.received[2];
  expect(picked).toMatchObject({
    waybillCode: waybill,
    orderId: 'P-1',
    category: 420,
    categoryName: '已揽收',
    state: '200001',
    scanType: '-640',
    operationTitle: '揽收完成',
  });
  const fields =
    'waybillCode orderId category categoryName state scanType operationTitle operationRemark operationTime operateSiteId operateSite routeProvinceName routeCityName routeDistrictName routeAddress';
  expect(Object.keys(picked)).toEqual(fields.split(' '));
  expect(picked).toMatchObject({
    operateSite: '朝阳区示例营业部',
    routeProvinceName: '北京市',
    routeCityName: '北京市',
    routeDistrictName: '朝阳区',
  });
});

test('a push of the simulator has the same data as the parcel’s trace', async () => {
  await start();
  const waybill = await createOrder(carrier.url, 'P-2');
  carrier.control.advance(12 * day);
  await carrier.control.settle();
  const { traceDetails } = (await call(carrier.url, paths.trace, named(waybill))).data;
  const same = [
    'waybillCode',
    'category',
    'categoryName',
    'state',
    'operationTitle',
    'operationRemark',
    'operationTime',
    'operateSiteId',
  ];
  const cut = (node: Json): unknown => same.map((field) => node[field] ?? null);
  expect(callback.received.map(cut)).toEqual(traceDetails.map(cut));
});

test('the push of an ended pickup contains the reason', async () => {
  await start();
  await createOrder(carrier.url, 'P-3', { remark: '终止揽收' });
  carrier.control.advance(3 * day);
  await carrier.control.settle();
  expect(callback.received.at(-1)).toMatchObject({
    state: '200052',
    cancelReason: '寄件人暂不寄件',
  });
  expect(callback.received.at(-1).category).toBeUndefined();
});

test('an order without a subscription gets no pushes; after a subscription is added, the order gets only later pushes', async () => {
  await start();
  const waybill = await createOrder(carrier.url, 'P-4', { extendProps: {} });
  carrier.control.jump(waybill, 'picked_up');
  await call(carrier.url, paths.subscribe, named(waybill, { mobile: '0002' }));
  carrier.control.jump(waybill, 'out');
  await carrier.control.settle();
  expect(codes(callback.received)).toEqual([
    '430/200076',
    '430/10032',
    '430/200076',
    '430/200075',
    '440/11000',
  ]);
});

test('each customer code may have its own callback', async () => {
  await start();
  const other = await startCallback();
  carrier.control.setCallback({ customer_code: example.customerCode, url: other.url });
  await createOrder(carrier.url, 'P-5');
  await carrier.control.settle();
  expect([other.received.length, callback.received.length]).toEqual([1, 0]);
  await other.close();
});

describe('a push that is not accepted is repeated', () => {
  test.each([
    ['HTTP 500', { status: 500 }],
    ['HTTP 404', { status: 404 }],
    ['HTTP 200 with the code 500 inside', { status: 200, body: '{"code":"500","msg":"later"}' }],
  ])('the simulator repeats a push that was answered with %s', async (_name, refusal) => {
    await start();
    callback.answerWith((_message, times) => (times <= 2 ? refusal : { status: 200 }));
    await createOrder(carrier.url, 'P-6');
    expect(await carrier.control.settle()).toEqual({ pending: 0 });
    expect(callback.received).toHaveLength(3);
    expect(new Set(callback.received.map((message) => JSON.stringify(message))).size).toBe(1);
    expect(carrier.control.pushes().map((push) => push.outcome)).toEqual([
      'again_later',
      'again_later',
      'taken',
    ]);
  });

  test('the simulator repeats a push that the callback refuses, with longer pauses each time, and gives up after the last attempt', async () => {
    await start({ settings: { push: { ...quick, retry_times: 4 } } });
    callback.answerWith(() => ({ status: 503 }));
    await createOrder(carrier.url, 'P-7');
    await carrier.control.settle();
    const tries = carrier.control.pushes();
    expect(tries.map((push) => push.outcome)).toEqual([
      'again_later',
      'again_later',
      'again_later',
      'given_up',
    ]);
    const times = tries.map((push) => Date.parse(push.at));
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    // On a busy machine an attempt may be late, but never early.
    for (const [index, pause] of [20, 40, 80].entries())
      expect(gaps[index]).toBeGreaterThanOrEqual(pause - 2);
  });

  test('the simulator keeps pushes while no program listens at the callback address, and delivers them once one does', async () => {
    await start({ settings: { push: { ...quick, retry_times: 2 } } });
    const { port } = callback;
    await callback.close();
    for (let i = 0; i < 5; i += 1) await createOrder(carrier.url, `P-8-${i}`);
    expect(await carrier.control.settle(700)).toEqual({ pending: 5 });
    callback = await startCallback(port);
    expect(await carrier.control.settle()).toEqual({ pending: 0 });
    expect(new Set(callback.received.map((message) => message.orderId)).size).toBe(5);
  });

  test('a push that the callback does not accept does not delay later pushes of the same parcel', async () => {
    await start();
    callback.answerWith((message) =>
      message.category === 390 && callback.received.length < 4 ? { status: 500 } : { status: 200 },
    );
    const waybill = await createOrder(carrier.url, 'P-9');
    carrier.control.jump(waybill, 'picked_up');
    await carrier.control.settle();
    expect(codes(callback.received)).toEqual([
      '100/undefined',
      '390/200034',
      '420/200001',
      '390/200034',
    ]);
  });
});

describe('pushes with rates of faults', () => {
  test('the simulator sends every push twice if the rate of repeated pushes is 1', async () => {
    await start({ settings: { push: { ...quick, repeat_rate: 1 } } });
    await createOrder(carrier.url, 'P-10');
    carrier.control.advance(12 * day);
    await carrier.control.settle();
    expect(callback.received).toHaveLength(18);
    expect(new Set(callback.received.map((message) => JSON.stringify(message))).size).toBe(9);
  });

  test('the simulator sends some pushes out of order as configured, and sends every push exactly once', async () => {
    await start({ settings: { push: { ...quick, shuffle_rate: 0.4, hold_ms: 300 } } });
    const waybills = new Map<string, string[]>();
    for (let i = 0; i < 10; i += 1) waybills.set(await createOrder(carrier.url, `P-11-${i}`), []);
    carrier.control.advance(12 * day);
    expect(await carrier.control.settle()).toEqual({ pending: 0 });
    for (const message of callback.received)
      waybills.get(message.waybillCode)?.push(message.operationTime);
    const orders = [...waybills.values()];
    expect(orders.every((times) => times.length === 9)).toBe(true);
    expect(
      orders.filter((times) => times.join() !== times.toSorted().join()).length,
    ).toBeGreaterThan(5);
  });

  test('the control API can make the simulator send any kind of push, even a push with an earlier time than the previous push', async () => {
    await start({ settings: { push: { ...quick, shuffle_rate: 0.4, hold_ms: 60_000 } } });
    for (let i = 0; i < 10; i += 1) await createOrder(carrier.url, `P-held-${i}`);
    carrier.control.advance(12 * day);
    await expect
      .poll(() => new Set(callback.received.map((message) => message.orderId)).size)
      .toBe(10);
    // A busy machine sends due messages late.
    await expect
      .poll(async () => (await carrier.control.settle(1_500)).pending)
      .toBeLessThanOrEqual(20);
    const { pending } = await carrier.control.settle(0);
    expect(callback.received.length).toBe(90 - pending);
    const shuffled = callback.received.filter((message, i) =>
      callback.received
        .slice(0, i)
        .some(
          (earlier) =>
            earlier.orderId === message.orderId && earlier.operationTime > message.operationTime,
        ),
    );
    expect(shuffled.length).toBeGreaterThan(10);
  });

  test('the simulator reorders and repeats the same pushes whenever it runs with the same seed', async () => {
    const settings = { push: { ...quick, shuffle_rate: 0.3, repeat_rate: 0.3, hold_ms: 200 } };
    const run = async (): Promise<string[]> => {
      await start({ settings, now: Date.parse('2026-01-02T02:00:00Z') });
      callback.received.length = 0;
      await createOrder(carrier.url, 'P-12');
      await carrier.control.settle();
      carrier.control.advance(12 * day);
      await carrier.control.settle();
      return codes(callback.received);
    };
    const first = await run();
    await carrier.close();
    expect(await run()).toEqual(first);
    expect(first.length).toBeGreaterThan(9);
  });
});

test('the simulator sends a push later by the configured delay', async () => {
  await start({ settings: { push: { ...quick, late_ms: 300 } } });
  await createOrder(carrier.url, 'P-13');
  expect(await carrier.control.settle(150)).toEqual({ pending: 1 });
  expect(callback.received).toHaveLength(0);
  expect(await carrier.control.settle()).toEqual({ pending: 0 });
  expect(callback.received).toHaveLength(1);
});

test('a push due while pushes are switched off is never sent, and the simulator lists it with the outcome “not sent”', async () => {
  await start();
  carrier.control.change({ push: { on: false } });
  const waybill = await createOrder(carrier.url, 'P-14');
  carrier.control.jump(waybill, 'assigned');
  carrier.control.change({ push: { on: true } });
  carrier.control.jump(waybill, 'picked_up');
  await carrier.control.settle();
  expect(codes(callback.received)).toEqual(['420/200001']);
  expect(carrier.control.pushes().map((push) => push.outcome)).toEqual([
    'not_sent',
    'not_sent',
    'taken',
  ]);
});

test('the simulator’s list of pushes hides the secret in the callback URL', async () => {
  await start();
  await createOrder(carrier.url, 'P-15');
  await carrier.control.settle();
  expect(JSON.stringify([carrier.control.pushes(), carrier.control.applications()])).not.toContain(
    'secret-of-the-path',
  );
});

test('the control API can make the simulator send any kind of push, even one with a time earlier than the last', async () => {
  await start({ now: Date.parse('2026-01-02T02:00:00Z') });
  const waybill = await createOrder(carrier.url, 'P-16');
  carrier.control.jump(waybill, 'delivered');
  carrier.control.tell(waybill, {
    category: 430,
    state: '999999',
    title: '未知节点',
    at: '2026-01-02T01:59:59Z',
  });
  carrier.control.tell(waybill, { category: 690, category_name: '已取消', cancel_reason: '超时' });
  await carrier.control.settle();
  expect(callback.received.at(-2)).toMatchObject({
    category: 430,
    state: '999999',
    operationTitle: '未知节点',
    operationTime: '2026-01-02 09:59:59',
  });
  expect(callback.received.at(-1)).toMatchObject({
    category: 690,
    categoryName: '已取消',
    cancelReason: '超时',
  });
  const { traceDetails } = (await call(carrier.url, paths.trace, named(waybill))).data;
  expect(traceDetails[0].state).toBe('999999');
  expect(traceDetails.at(-1).category).toBe(690);
});
