import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { startCallback } from '#testing/callback.ts';
import { call, createOrder, example, named, paths } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

const day = 86_400_000;
const now = Date.parse('2026-06-01T02:00:00Z');
let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({ paused: true, now, controlToken: 'the-token' });
});
afterAll(() => carrier.close());

const ask = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'x-sim-token': 'the-token' },
): Promise<{ status: number; json: Json }> => {
  const response = await fetch(`${carrier.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
};

describe('the control API', () => {
  test('the control API requires its token, and refuses requests of web pages', async () => {
    expect((await ask('GET', '/_sim/health', undefined, {})).status).toBe(403);
    expect((await ask('GET', '/_sim/health', undefined, { 'x-sim-token': 'wrong' })).status).toBe(
      403,
    );
    expect(
      (
        await ask('GET', '/_sim/health', undefined, {
          'x-sim-token': 'the-token',
          origin: 'http://evil.example',
        })
      ).status,
    ).toBe(403);
    expect(await ask('GET', '/_sim/health')).toMatchObject({
      status: 200,
      json: { ok: true, clock: { paused: true } },
    });
  });

  test('the control API does not answer under another host name', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(
        {
          host: '127.0.0.1',
          port: carrier.port,
          path: '/_sim/health',
          headers: { host: 'evil.example', 'x-sim-token': 'the-token' },
        },
        (response) => resolve(response.statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });

  test('the simulator’s control API answers an invalid request with 400 and the reason, and an unknown path with 404', async () => {
    expect(await ask('POST', '/_sim/clock/advance', { ms: 'soon' })).toEqual({
      status: 400,
      json: { error: 'ms: must be a number', field: 'ms' },
    });
    expect((await ask('GET', '/_sim/nothing')).status).toBe(404);
    expect((await ask('GET', '/_sim/orders/JDVE99999999999')).status).toBe(400);
    expect((await ask('POST', '/_sim/settings', { speed: 1 })).json.error).toBe(
      'speed: is not a setting',
    );
    expect((await ask('POST', '/_sim/settings', { push: { repeat_rate: 2 } })).json.field).toBe(
      'push.repeat_rate',
    );
    const response = await fetch(`${carrier.url}/_sim/clock`, {
      method: 'POST',
      headers: { 'x-sim-token': 'the-token' },
      body: '{',
    });
    expect(response.status).toBe(400);
  });

  test('a control API call over HTTP has the same effect as a direct call of the simulator', async () => {
    const waybill = await createOrder(carrier.url, 'CT-1');
    expect((await ask('GET', '/_sim/orders?order_id=CT-1')).json.orders).toMatchObject([
      { waybill_code: waybill, status: 100, ordered: true },
    ]);
    expect(
      (await ask('POST', `/_sim/orders/${waybill}/jump`, { to: 'picked_up' })).json,
    ).toMatchObject({ status: 420 });
    expect(
      (await ask('POST', `/_sim/orders/${waybill}/facts`, { weight: 4320 })).json,
    ).toMatchObject({ again_weight: 4320 });
    expect(
      (await ask('POST', `/_sim/orders/${waybill}/events`, { category: 530, state: '10035' })).json,
    ).toMatchObject({ status: 530 });
    expect((await ask('GET', `/_sim/orders/${waybill}`)).json).toMatchObject({
      remark: '',
      sender: { name: '张三' },
      untold: 0,
    });
    expect(
      (await ask('POST', '/_sim/faults', { kind: 'slow', path: paths.status, ms: 1 })).json.queue,
    ).toMatchObject([{ kind: 'slow_after', times: 1 }]);
    expect((await ask('DELETE', '/_sim/faults')).json).toEqual({ queue: [], mix: null });
    expect(
      (await ask('POST', '/_sim/faults/mix', { rates: { drop_after: 0.5 }, paths: [paths.modify] }))
        .json.mix,
    ).toMatchObject({ seed: '1' });
    expect((await ask('POST', '/_sim/faults/mix', null)).json.mix).toBeNull();
    expect((await ask('POST', '/_sim/clock', { speed: 7 })).json).toMatchObject({
      speed: 7,
      paused: true,
    });
    expect((await ask('POST', '/_sim/clock/advance', { ms: 1000 })).json.happened).toBe(0);
    expect((await ask('GET', '/_sim/clock')).json.speed).toBe(7);
    expect(
      (await ask('POST', '/_sim/settings', { rates: { refused: 0.1 } })).json.rates,
    ).toMatchObject({ refused: 0.1, relabelled: 0 });
    expect((await ask('POST', '/_sim/settings', { rates: { refused: 0 } })).status).toBe(200);
    expect((await ask('GET', '/_sim/requests?after=0&limit=5')).json.requests[0].path).toBe(
      paths.create,
    );
    expect((await ask('GET', '/_sim/pushes')).json.pushes).toEqual([]);
    expect((await ask('POST', '/_sim/pushes/settle', {})).json).toEqual({ pending: 0 });
    expect((await ask('POST', '/_sim/callbacks', { url: 'http://127.0.0.1:1/x' })).json).toEqual({
      ok: true,
    });
    expect((await ask('POST', '/_sim/callbacks', { url: null })).json).toEqual({ ok: true });
    const application = {
      app_key: 'k',
      app_secret: 's',
      accounts: [{ access_token: 't', customer_codes: ['099'] }],
    };
    expect((await ask('POST', '/_sim/applications', application)).json).toEqual({ ok: true });
    expect((await ask('POST', '/_sim/tokens/code', { customer_code: '099' })).json.code).toMatch(
      /^[0-9a-f]{16}$/,
    );
    expect((await ask('POST', '/_sim/tokens/expire', { customer_code: '099' })).json).toEqual({
      ok: true,
    });
    expect(JSON.stringify((await ask('GET', '/_sim/applications')).json)).not.toContain(
      example.appSecret,
    );
  });

  test('the control API lists the orders page by page', async () => {
    for (let i = 0; i < 7; i += 1) await createOrder(carrier.url, `page-${i}`);
    const seen: string[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: Json = (await ask('GET', `/_sim/orders?limit=3&after=${after}`)).json;
      seen.push(...page.orders.map((order: Json) => order.waybill_code));
      after = page.next_after;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(carrier.control.health().orders);
  });
});

describe('a jump', () => {
  test.each<[Json, number]>([
    ['assigned', 390],
    ['picked_up', 420],
    ['at_station', 430],
    ['out', 440],
    ['delivered', 510],
    ['refused', 530],
    ['returning', 700],
    ['returned', 510],
    ['relabelled', 700],
    ['pickup_ended', 690],
    ['cancelled', 690],
  ])(
    'moving a simulated parcel to the step %s runs every step up to it, each at a second of its own',
    async (to, status) => {
      const waybill = await createOrder(carrier.url, `JP-${to}`);
      expect(carrier.control.jump(waybill, to)).toMatchObject({ status });
      const times = (carrier.control.order(waybill)['trace'] as Json[]).map(
        (node) => node.operationTime,
      );
      expect(new Set(times).size).toBe(times.length);
      expect(times).toEqual(times.toSorted());
    },
  );

  test('moving a simulated parcel to a step discards the planned steps that come before this step', async () => {
    const waybill = await createOrder(carrier.url, 'JP-stale');
    carrier.control.jump(waybill, 'assigned');
    const { at } = (carrier.control.order(waybill)['to_come'] as Json[])[0];
    carrier.control.advance(Date.parse(at) - Date.parse(carrier.control.clock().now) - 1);
    expect(carrier.control.order(waybill)['status']).toBe(390);
    carrier.control.advance(1);
    expect(carrier.control.order(waybill)['status']).toBe(420);
  });

  test('moving a simulated parcel to a step that it has passed, or to an unknown step, is refused', async () => {
    const waybill = await createOrder(carrier.url, 'JP-past');
    carrier.control.jump(waybill, 'out');
    expect(() => carrier.control.jump(waybill, 'picked_up')).toThrow(/cannot come/);
    expect(() => carrier.control.jump(waybill, 'cancelled')).toThrow(/picked up/);
    expect(() => carrier.control.jump(waybill, 'nowhere' as Json)).toThrow(/must be one of/);
  });

  test('a simulated parcel continues its journey after it was moved to a step by hand', async () => {
    const waybill = await createOrder(carrier.url, 'JP-on');
    carrier.control.jump(waybill, 'refused');
    carrier.control.advance(10 * day);
    expect(
      (carrier.control.order(waybill)['trace'] as Json[]).slice(-6).map((node) => node.category),
    ).toEqual([530, 700, 430, 430, 440, 510]);
  });
});

const parcel = (i: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  order_id: `D-${i}`,
  waybill_code: `JDVE${String(50_000 + i).padStart(11, '0')}`,
  customer_code: example.customerCode,
  created_at: new Date(Date.parse(carrier.control.clock().now) - 3 * day).toISOString(),
  state: 'at_station',
  state_at: new Date(Date.parse(carrier.control.clock().now) - 3_600_000).toISOString(),
  sender: { name: '张三', mobile: '13800000001', address: '北京市朝阳区示例路1号' },
  receiver: { name: '李四', mobile: '13900000002', address: '上海市浦东新区示例路2号' },
  weight: 1500,
  ...more,
});

describe('loading parcels that exist elsewhere', () => {
  test('a parcel that is already in transit when it is loaded into the simulator continues to move, and only its new steps are pushed', async () => {
    const callback = await startCallback();
    carrier.control.setCallback({ url: callback.url });
    expect(carrier.control.seed([parcel(1, { again_weight: 1630 })])).toEqual({
      stored: 1,
      known: 0,
      rejected: [],
    });
    const waybill = parcel(1)['waybill_code'] as string;
    const before = (await call(carrier.url, paths.trace, named(waybill))).data.traceDetails;
    expect(before.map((node: Json) => node.category)).toEqual([100, 390, 420, 430, 430, 430, 430]);
    expect(
      (await call(carrier.url, paths.details, named(waybill))).data.cargoes[0].againWeight,
    ).toBe('1.63');
    carrier.control.advance(3 * day);
    await carrier.control.settle();
    expect(
      callback.received
        .filter((message) => message.orderId === 'D-1')
        .map((message) => message.category),
    ).toEqual([440, 510]);
    carrier.control.setCallback({ url: null });
    await callback.close();
  });

  test('loading the same parcel into the simulator again changes nothing, and an invalid or contradictory parcel is rejected with its index', () => {
    expect(carrier.control.seed([parcel(1)])).toEqual({ stored: 0, known: 1, rejected: [] });
    const { rejected } = carrier.control.seed([
      parcel(1, { waybill_code: 'JDVE00000077777' }),
      parcel(2, { waybill_code: parcel(1)['waybill_code'] }),
      parcel(3, { state: 'vanished' }),
      parcel(4, { customer_code: 'nobody' }),
      'no parcel',
    ]);
    expect(rejected.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(carrier.control.orders({ order_id: 'D-2' }).orders).toEqual([]);
  });

  test('the simulator gives a new order a waybill number above all that were loaded', async () => {
    carrier.control.seed([parcel(5, { waybill_code: 'JDVE00000900000', state: 'delivered' })]);
    expect(await createOrder(carrier.url, 'above')).toBe('JDVE00000900001');
    carrier.control.seed([], [{ waybill_code: 'JDVE00000900010', order_code: 'EO0000000900020' }]);
    expect(await createOrder(carrier.url, 'above taken ones')).toBe('JDVE00000900011');
  });

  test('an order with an order number that was loaded into the simulator gets the loaded waybill', async () => {
    expect(await createOrder(carrier.url, 'D-5')).toBe('JDVE00000900000');
  });

  test('the steps of a trace that is loaded into the simulator may be given by name or by the carrier’s codes', async () => {
    const base = Date.parse(carrier.control.clock().now) - 5 * day;
    const at = (hours: number): string => new Date(base + hours * 3_600_000).toISOString();
    const nodes = [
      { category: 100, at: at(0) },
      { category: 390, state: '200034', at: at(1) },
      { category: 420, state: '200001', at: at(2) },
      { category: 430, state: '200076', at: at(3) },
      { category: 430, state: '10032', at: at(4) },
      { category: 430, state: '200076', at: at(5) },
      { category: 430, state: '200075', at: at(6) },
      { code: 'out', at: at(7) },
      { category: 530, state: '10035', at: at(8) },
      { category: 700, at: at(9) },
      { category: 430, state: '200076', at: at(10) },
    ];
    expect(carrier.control.seed([parcel(6, { history: nodes, state: undefined })]).stored).toBe(1);
    const waybill = parcel(6)['waybill_code'] as string;
    const traced = (await call(carrier.url, paths.trace, named(waybill))).data.traceDetails;
    expect(traced.map((node: Json) => [node.category, node.operationTime])).toEqual(
      nodes.map((node, i) => [
        node.category ?? 440,
        new Date(Date.parse(at(i)) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
      ]),
    );
    carrier.control.advance(10 * day);
    expect(carrier.control.order(waybill)['trace']).toHaveLength(14);
    expect((carrier.control.order(waybill)['trace'] as Json[]).at(-1).operationRemark).toBe(
      '包裹已退回寄件人',
    );
  });

  test('a parcel loaded as returned under a new waybill is found in the simulator by both its old and its new waybill', () => {
    carrier.control.seed([
      parcel(7, { state: 'relabelled', return_waybill_code: 'JDVE00000060007' }),
    ]);
    expect(carrier.control.order('JDVE00000060007')).toMatchObject({
      return_of: parcel(7)['waybill_code'],
    });
  });

  test('a return waybill that the simulator generates while it loads parcels is never the waybill of another loaded parcel', () => {
    const next =
      Number(
        (carrier.control.seed([parcel(8, { state: 'relabelled' })]),
        carrier.control.order(parcel(8)['waybill_code'] as string)[
          'return_waybill'
        ] as string).slice(4),
      ) + 1;
    const clash = `JDVE${String(next).padStart(11, '0')}`;
    expect(
      carrier.control.seed([
        parcel(9, { state: 'relabelled' }),
        parcel(10, { waybill_code: clash }),
      ]),
    ).toMatchObject({ stored: 2 });
    expect(carrier.control.order(clash)).toMatchObject({ order_id: 'D-10', return_of: null });
    expect(carrier.control.order(parcel(9)['waybill_code'] as string)['return_waybill']).not.toBe(
      clash,
    );
  });

  test('twenty thousand parcels are loaded in one call, and all of them reach their final state as time passes', async () => {
    const big = await startSimulator({ paused: true, now });
    const states = [
      'delivered',
      'delivered',
      'delivered',
      'delivered',
      'cancelled',
      'returned',
      'out',
      'picked_up',
      'assigned',
      'delivered',
    ];
    const orders = Array.from({ length: 20_000 }, (_, i) =>
      parcel(i, { state: states[i % 10], created_at: now - 4 * day, state_at: now - day }),
    );
    const response = await fetch(`${big.url}/_sim/orders/seed`, {
      method: 'POST',
      body: JSON.stringify({ orders }),
    });
    expect(await response.json()).toEqual({ stored: 20_000, known: 0, rejected: [] });
    expect(big.control.health()).toMatchObject({ orders: 20_000, waiting_steps: 6000 });
    big.control.advance(10 * day);
    const { orders: first } = big.control.orders({ limit: 5000 });
    expect(first.every((order) => [510, 690].includes(order.status))).toBe(true);
    await big.close();
  });
});
