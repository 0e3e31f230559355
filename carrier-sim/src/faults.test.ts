import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { anOrder, call, createOrder, named, paths, send } from '#testing/jdl-client.ts';
import { createFaults, faultKinds, readFault, readFaultMix } from './faults.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({ paused: true });
});
afterAll(() => carrier.close());
afterEach(() => carrier.control.clearFaults());

const stored = (orderId: string): boolean =>
  carrier.control.orders({ order_id: orderId }).orders.length === 1;
const create = (orderId: string): Promise<Json> =>
  call(carrier.url, paths.create, anOrder(orderId));
const fail = (kind: string, more: Record<string, unknown> = {}): void =>
  carrier.control.addFault({ kind, path: paths.create, ...more });
/** Returns the client's result: the response's status, or the text of a connection error. */
const outcome = async (orderId: string): Promise<string> => {
  try {
    const response = await send(carrier.url, paths.create, anOrder(orderId));
    const text = await response.text();
    try {
      JSON.parse(text);
    } catch {
      return `${response.status} not json`;
    }
    return String(response.status);
  } catch {
    return 'broken';
  }
};

test.each([
  ['drop_before', 'broken', false],
  ['drop_after', 'broken', true],
  ['error_before', '500 not json', false],
  ['error_after', '500 not json', true],
  ['garbage_before', '200 not json', false],
  ['garbage_after', '200 not json', true],
  ['cut_after', 'broken', true],
  ['doubled', '200', true],
])(
  'an order under the fault %s is answered with "%s" and stored: %s; a repeat of the call settles it',
  async (kind, seen, isStored) => {
    const orderId = `F-${kind}`;
    fail(kind);
    expect(await outcome(orderId)).toBe(seen);
    expect(stored(orderId)).toBe(isStored);
    expect(await create(orderId)).toMatchObject({
      success: true,
      subCode: isStored ? '0_0001' : null,
    });
    expect(carrier.control.orders({ order_id: orderId }).orders).toHaveLength(1);
  },
);

test('the fault “refuse” returns a business error with the configured code, and no order is stored', async () => {
  fail('refuse', { code: 77, message: '不收', sub_code: '1_0001' });
  expect(await create('F-refuse')).toMatchObject({
    success: false,
    code: 77,
    msg: '不收',
    subCode: '1_0001',
  });
  expect(stored('F-refuse')).toBe(false);
});

test.each([2, 19, 12])(
  'the fault “gateway” returns code %i, and nothing is stored',
  async (code) => {
    fail('gateway', { code });
    expect((await create(`F-gateway-${code}`)).error_response.code).toBe(code);
    expect(stored(`F-gateway-${code}`)).toBe(false);
  },
);

test('the fault “doubled” processes the order twice and returns the second response, with sub-code 0_0001', async () => {
  fail('doubled');
  expect(await create('F-twice')).toMatchObject({ success: true, subCode: '0_0001' });
});

test('the fault “error_after” returns the configured HTTP status', async () => {
  fail('error_after', { code: 502 });
  expect((await send(carrier.url, paths.create, anOrder('F-502'))).status).toBe(502);
});

test('the fault “slow_after” stores the order immediately, and “slow_before” only after the wait, even if the client has disconnected', async () => {
  fail('slow_after', { ms: 1_000 });
  let answered = false;
  const late = create('F-slow-after').finally(() => (answered = true));
  await expect.poll(() => stored('F-slow-after')).toBe(true);
  expect(answered).toBe(false);
  expect((await late).success).toBe(true);

  fail('slow_before', { ms: 1_500 });
  await expect(
    send(carrier.url, paths.create, anOrder('F-slow-before'), { signal: AbortSignal.timeout(500) }),
  ).rejects.toThrow();
  expect(stored('F-slow-before')).toBe(false);
  await expect.poll(() => stored('F-slow-before')).toBe(true);
});

describe('a fault', () => {
  test('a simulated fault applies to as many requests as its count says', async () => {
    fail('error_before', { times: 2 });
    expect([await outcome('F-times'), await outcome('F-times'), await outcome('F-times')]).toEqual([
      '500 not json',
      '500 not json',
      '200',
    ]);
  });

  test('a simulated fault can be limited to one order, waybill or path; of two faults, the one that was added first applies first', async () => {
    fail('refuse', { order_id: 'F-aimed' });
    expect((await create('F-other')).success).toBe(true);
    expect((await create('F-aimed')).success).toBe(false);
    const waybill = await createOrder(carrier.url, 'F-trace');
    carrier.control.addFault({ kind: 'gateway', path: paths.trace, waybill_code: waybill });
    expect((await call(carrier.url, paths.status, named(waybill))).success).toBe(true);
    expect((await call(carrier.url, paths.trace, named(waybill))).error_response.code).toBe(2);
    fail('refuse');
    fail('gateway');
    expect((await create('F-queue')).success).toBe(false);
    expect((await create('F-queue')).error_response.code).toBe(2);
    expect(carrier.control.faults().queue).toEqual([]);
  });

  test('a simulated fault is not used up by a request that the gateway rejected', async () => {
    fail('drop_before');
    const answer = await call(carrier.url, paths.create, anOrder('F-gate'), {
      query: { sign: 'x' },
    });
    expect(answer.error_response.code).toBe(12);
    expect(carrier.control.faults().queue).toHaveLength(1);
  });

  test('a simulated fault with an unknown kind, a wrong code or count, or rates above 1 in total is refused', () => {
    expect(() => readFault({ kind: 'explode' })).toThrow(/kind: must be one of/);
    expect(() => readFault({ kind: 'error_after', code: 200 })).toThrow(/code/);
    expect(() => readFault({ kind: 'refuse', times: 0 })).toThrow(/times/);
    expect(() => readFaultMix({ rates: { drop_after: 0.7, drop_before: 0.7 } })).toThrow(/rates/);
    expect(() => readFaultMix({ rates: { explode: 0.1 } })).toThrow(/rates\.explode/);
  });
});

describe('a mix of faults', () => {
  const rates = Object.fromEntries(faultKinds.map((kind) => [kind, 0.05]));
  const meet = (seed: string, orderIds: readonly string[]): Map<string, string> => {
    const faults = createFaults();
    faults.setMix(readFaultMix({ seed, rates }));
    const met = new Map<string, string>();
    for (const id of orderIds) {
      for (let i = 1; i <= 3; i += 1)
        met.set(`${id} ${i}`, faults.take(paths.create, { order_id: id })?.kind ?? 'none');
    }
    return met;
  };
  const ids = Array.from({ length: 500 }, (_, i) => `mix-${i}`);

  test('if a mix of faults is configured, an attempt of an order gets the same simulated fault in whatever order the attempts arrive', () => {
    const first = meet('a', ids);
    const second = meet('a', ids.toReversed());
    for (const [key, kind] of first) expect(second.get(key)).toBe(kind);
    const other = meet('b', ids);
    expect([...first].some(([key, kind]) => other.get(key) !== kind)).toBe(true);
  });

  test('a mix of simulated faults applies each kind of fault about as often as its configured rate', () => {
    const counts = new Map<string, number>();
    for (const kind of meet('a', ids).values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const kind of faultKinds) expect((counts.get(kind) ?? 0) / 1500).toBeGreaterThan(0.025);
    for (const kind of faultKinds) expect((counts.get(kind) ?? 0) / 1500).toBeLessThan(0.085);
  });

  test('a mix of faults never creates two waybills for one order number, however often a client tries', async () => {
    carrier.control.mixFaults({
      seed: 'storm',
      paths: [paths.create],
      rates: { drop_before: 0.2, drop_after: 0.2, error_after: 0.2, doubled: 0.1, cut_after: 0.1 },
    });
    for (let i = 0; i < 60; i += 1) {
      let last = '';
      for (let attempt = 0; attempt < 40 && last !== '200'; attempt += 1)
        last = await outcome(`storm-${i}`);
      expect(last).toBe('200');
    }
    const { orders } = carrier.control.orders({ limit: 5000 });
    const ours = orders.filter((order) => order.order_id.startsWith('storm-'));
    expect(ours).toHaveLength(60);
    expect(new Set(ours.map((order) => order.waybill_code)).size).toBe(60);
  });
});

test('the simulator’s list of requests shows each request’s fault and result, and shows no token or signature', async () => {
  const after = carrier.control.requests().at(-1)?.number ?? 0;
  fail('drop_after');
  await outcome('F-log');
  const waybill = await createOrder(carrier.url, 'F-log');
  const [first, second] = carrier.control.requests(after);
  expect(first).toMatchObject({
    path: paths.create,
    order_id: 'F-log',
    fault: 'drop_after',
    outcome: 'dropped',
    status: 0,
    customer_code: '010K000001',
  });
  expect(second).toMatchObject({
    order_id: 'F-log',
    waybill_code: waybill,
    fault: null,
    outcome: 'whole',
    status: 200,
    code: 0,
    sub_code: '0_0001',
    success: true,
  });
  expect(second?.body).toBe(JSON.stringify([anOrder('F-log')]));
  expect(JSON.stringify(second)).not.toContain('demotoken');
});
