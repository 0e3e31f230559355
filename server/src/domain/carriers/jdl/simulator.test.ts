import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { limitMs } from '#testing/limits.ts';
import { systemClock } from '#platform/clock.ts';
import { openCarriers } from '#domain/carriers/carriers.ts';
import type {
  Carrier,
  CarrierAccount,
  CarrierMessage,
  CarrierOrder,
  Carriers,
} from '#domain/carriers/carriers.ts';
import { signingAlgorithms } from './sign.ts';

let simulator: ChildProcess;
let listener: Server;
let carriers: Carriers;
let jdl: Carrier;
let account: CarrierAccount;
const pushed: CarrierMessage[] = [];

const control = async (
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${account.base_url}/_sim/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(JSON.stringify(json));
  return json;
};

/** The port on which the simulator listens, from the first printed line that contains a port. */
const readyPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const { port } = JSON.parse(line) as { port?: number };
      if (port) resolve(port);
    });
    child.stderr!.on('data', (text: Buffer) => reject(new Error(text.toString())));
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)));
  });

beforeAll(async () => {
  const main = join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    '..',
    '..',
    'carrier-sim',
    'src',
    'main.ts',
  );
  simulator = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      SIM_PORT: '0',
      SIM_RATES: 'none',
      SIM_PAUSED: '1',
      SIM_EXIT_WITH_PARENT: '1',
      SIM_CUSTOMER_CODES: '010K000001,010K000002',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await readyPort(simulator);
  carriers = openCarriers({
    clock: systemClock,
    outboundAllow: [`127.0.0.1:${port}`],
    timeoutMs: 3_000,
  });
  jdl = carriers.carrierOf('jdl');
  account = {
    provider: 'jdl',
    base_url: `http://127.0.0.1:${port}`,
    app_key: 'demoappkey0000000000000000000001',
    app_secret: 'demosecret000000000000000000000a',
    access_token: 'demotoken0000000000000000000000b',
    customer_code: '010K000001',
    warehouse_code: '',
  };
  listener = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const read = jdl.parsePush(Buffer.concat(chunks).toString());
      if (read.outcome === 'ok') pushed.push(...read.messages);
      response.end(JSON.stringify(jdl.pushAnswer(read.outcome === 'ok')));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  await control('POST', 'callbacks', {
    customer_code: account.customer_code,
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
  });
});

afterAll(async () => {
  carriers?.close();
  listener?.close();
  if (simulator && simulator.exitCode === null) {
    simulator.kill('SIGTERM');
    await new Promise((resolve) => simulator.once('exit', resolve));
  }
});

afterEach(async () => {
  await control('DELETE', 'faults');
  await control('POST', 'settings', {
    repeat_mode: 'existing',
    envelope: 'plain',
    repeat_error: { sub_code: '0_0001', with_waybill: false },
  });
});

let count = 0;
const order = (changes: Partial<CarrierOrder> = {}): CarrierOrder => ({
  order_id: `W${Date.now()}-${(count += 1)}`,
  thr_order_id: 'SHOP-1',
  sender_name: '张三',
  sender_phone: '010-12345678',
  sender_province: '北京市',
  sender_city: '市辖区',
  sender_county: '朝阳区',
  sender_address: '示例路1号',
  receive_name: '李四',
  receive_phone: '13900000002-1234',
  receive_province: '上海市',
  receive_city: '市辖区',
  receive_county: '浦东新区',
  receive_address: '示例路2号',
  package_count: 2,
  goods: '文件',
  goods_type: 1,
  weight: 4301,
  length: 30,
  width: 20,
  height: 10,
  guarantee_value_amount: 50_000,
  promise_id: 'ed-m-0001',
  remark: '轻放',
  description: '易碎',
  ...changes,
});
const known = async (order_id: string) =>
  (await control('GET', `orders?order_id=${order_id}`)) as { orders: Record<string, unknown>[] };
const accepted = async (parcel: CarrierOrder = order()) => {
  const answer = await jdl.create(account, jdl.createBody(account, parcel));
  if (answer.outcome !== 'accepted') throw new Error(JSON.stringify(answer));
  return answer;
};

describe('calls to the JDL simulator over HTTP', () => {
  it.each([...signingAlgorithms, undefined])(
    'the JDL simulator accepts a call signed with %s',
    async (algorithm) => {
      expect(await jdl.test({ ...account, ...(algorithm && { algorithm }) })).toMatchObject({
        outcome: 'ok',
        call: { trace_id: expect.stringMatching(/.+/) },
      });
    },
  );

  it('a call to JDL with a wrong secret, token, code or clock fails, each with a different error', async () => {
    expect(await jdl.test({ ...account, app_secret: 'wrong' })).toMatchObject({
      outcome: 'gateway',
      kind: 'signature',
      pause: true,
    });
    expect(await jdl.test({ ...account, access_token: 'wrong' })).toMatchObject({
      outcome: 'gateway',
      kind: 'token',
      pause: true,
    });
    expect(await jdl.test({ ...account, app_key: 'wrong' })).toMatchObject({
      outcome: 'gateway',
      kind: 'token',
      pause: true,
    });
    expect(await jdl.test({ ...account, customer_code: 'WRONG' })).toMatchObject({
      outcome: 'refused',
    });
    const late = openCarriers({
      clock: { now: () => new Date(Date.now() - 600_000) },
      outboundAllow: [new URL(account.base_url).host],
      timeoutMs: 3_000,
    });
    expect(await late.carrierOf('jdl').test(account)).toMatchObject({
      outcome: 'gateway',
      kind: 'other',
      pause: false,
      code: '8',
    });
    late.close();
  });

  it('the JDL simulator answers a coverage request, with an estimate if the request contains a product', async () => {
    expect(await jdl.precheck(account, order({ promise_id: '' }))).toMatchObject({
      outcome: 'ok',
      value: { served: true, estimate: null },
    });
    const quoted = await jdl.precheck(account, order());
    expect(quoted).toMatchObject({
      outcome: 'ok',
      value: { served: true, estimate: { cal_weight: expect.any(Number) } },
    });
    if (quoted.outcome !== 'ok') return;
    const { estimate, pickup_windows } = quoted.value;
    expect(estimate!.fees.reduce((sum, { amount }) => sum + amount, 0)).toBe(estimate!.amount);
    expect(estimate!.fees.map(({ kind }) => kind).toSorted()).toEqual(['freight', 'insurance']);
    expect(pickup_windows.length).toBeGreaterThan(0);
    expect(await jdl.precheck(account, order({ receive_address: '超区路1号' }))).toMatchObject({
      outcome: 'refused',
      text: expect.stringContaining('超区'),
    });
  });

  it('an accepted order is stored at the JDL simulator with all its data, and its answer contains label data', async () => {
    const parcel = order();
    const answer = await accepted(parcel);
    expect(answer).toMatchObject({
      repeated: false,
      need_retry: 0,
      promise_time_type: 'ed-m-0001',
      estimate_amount: expect.any(Number),
      print_data: { road: expect.stringMatching(/.+/), hide_name: 1, trans_type: 1 },
    });
    expect(answer.delivery_promise_at! > answer.pickup_promise_at!).toBe(true);
    expect((await known(parcel.order_id)).orders).toHaveLength(1);
    expect(await control('GET', `orders/${answer.delivery_id}`)).toMatchObject({
      order_id: parcel.order_id,
      pieces: 2,
      weight: 4310,
      volume: 12_000,
      goods: '文件',
      remark: '轻放',
      insured: 50_000,
      subscribed: true,
      sender: { name: '张三', phone: '010-12345678', address: '北京市朝阳区示例路1号' },
      receiver: { name: '李四[1234]', mobile: '13900000002', address: '上海市浦东新区示例路2号' },
    });
  });
});

describe('an order that exists exactly once at the JDL simulator', () => {
  it.each([
    'drop_before',
    'drop_after',
    'error_before',
    'error_after',
    'garbage_before',
    'garbage_after',
    'cut_after',
    'slow_after',
    'gateway',
  ])(
    'an order whose first call meets the fault %s exists once at JDL, and a repeat finds it',
    async (kind) => {
      const parcel = order();
      const body = jdl.createBody(account, parcel);
      await control('POST', 'faults', {
        kind,
        path: '/ecap/v1/orders/create',
        order_id: parcel.order_id,
        ms: 3_500,
      });
      const first = await jdl.create(account, body);
      expect(first.outcome).toBe(kind === 'gateway' ? 'gateway' : 'unknown');
      const found = await jdl.create(account, body);
      expect(found).toMatchObject({ outcome: 'accepted', repeated: kind.endsWith('_after') });
      expect((await known(parcel.order_id)).orders).toMatchObject([
        { waybill_code: (found as { delivery_id: string }).delivery_id },
      ]);
    },
  );

  it('an order request that JDL receives twice creates only one order', async () => {
    const parcel = order();
    await control('POST', 'faults', {
      kind: 'doubled',
      path: '/ecap/v1/orders/create',
      order_id: parcel.order_id,
    });
    await accepted(parcel);
    expect((await known(parcel.order_id)).orders).toHaveLength(1);
  });

  it('an order that JDL refused may be sent again, and is then accepted', async () => {
    const parcel = order();
    const body = jdl.createBody(account, parcel);
    await control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/create',
      order_id: parcel.order_id,
      message: '余额不足',
    });
    expect(await jdl.create(account, body)).toMatchObject({ outcome: 'refused', text: '余额不足' });
    expect((await known(parcel.order_id)).orders).toHaveLength(0);
    expect(await jdl.create(account, body)).toMatchObject({ outcome: 'accepted', repeated: false });
  });

  it('if JDL answers a repeated order with an error, the order is reported as stored, or is accepted if its waybill number is known', async () => {
    const numbers = await jdl.prefetch(account, 2);
    if (numbers.outcome !== 'ok') throw new Error(JSON.stringify(numbers));
    expect(numbers.value).toHaveLength(2);
    for (const sub_code of ['0_0001', null]) {
      await control('POST', 'settings', { repeat_mode: 'error', repeat_error: { sub_code } });
      const parcel = order();
      const plain = jdl.createBody(account, parcel);
      await control('POST', 'faults', {
        kind: 'drop_after',
        path: '/ecap/v1/orders/create',
        order_id: parcel.order_id,
      });
      expect(await jdl.create(account, plain)).toMatchObject({ outcome: 'unknown' });
      expect(await jdl.create(account, plain)).toMatchObject({
        outcome: 'stored_without_number',
        text: '商家订单号重复',
      });

      const other = order();
      const number = numbers.value.pop()!;
      const fetched = jdl.createBody(account, other, number);
      await control('POST', 'faults', {
        kind: 'drop_after',
        path: '/ecap/v1/orders/create',
        order_id: other.order_id,
      });
      expect(await jdl.create(account, fetched)).toMatchObject({ outcome: 'unknown' });
      expect(await jdl.create(account, fetched)).toMatchObject({
        outcome: 'accepted',
        delivery_id: number,
        repeated: true,
      });
    }
    await control('POST', 'settings', { repeat_error: { with_waybill: true } });
    const parcel = order();
    const { delivery_id } = await accepted(parcel);
    expect(await jdl.create(account, jdl.createBody(account, parcel))).toMatchObject({
      outcome: 'accepted',
      delivery_id,
    });
  });

  it('an order that JDL sorts manually awaits manual pre-sorting until the sorting is done', async () => {
    const parcel = order({ remark: '人工预分拣' });
    const body = jdl.createBody(account, parcel);
    const first = await accepted(parcel);
    expect(first).toMatchObject({ need_retry: 1, print_data: { road: '' } });
    await control('POST', `orders/${first.delivery_id}/jump`, { to: 'assigned' });
    expect(await jdl.create(account, body)).toMatchObject({
      outcome: 'accepted',
      repeated: true,
      need_retry: 0,
      delivery_id: first.delivery_id,
      print_data: { road: expect.stringMatching(/.+/) },
    });
  });

  it('an order is accepted or refused in the same way if JDL answers in its older format', async () => {
    await control('POST', 'settings', { envelope: 'wrapped' });
    expect(await accepted()).toMatchObject({ outcome: 'accepted' });
    expect(
      await jdl.create(account, jdl.createBody(account, order({ receive_address: '超区路1号' }))),
    ).toMatchObject({ outcome: 'refused' });
  });
});

describe('the life of a parcel at the JDL simulator', () => {
  it('a parcel’s messages from pickup to delivery are the same in pushes and in the trace; after the delivery, weight and fee are known', async () => {
    const answer = await accepted();
    const key = { delivery_id: answer.delivery_id };
    expect(await jdl.details(account, key)).toMatchObject({
      outcome: 'ok',
      value: { jd_weight: null, jd_volume: null, package_count: 2 },
    });
    expect(await jdl.actualFee(account, key)).toMatchObject({ outcome: 'refused' });
    await control('POST', `orders/${key.delivery_id}/facts`, {
      weight: 5200,
      volume: 13_000,
      surcharges: { QLHCF: 250 },
    });
    await control('POST', `orders/${key.delivery_id}/jump`, { to: 'delivered' });
    await control('POST', 'pushes/settle', { within_ms: limitMs(10_000) });

    expect(await jdl.details(account, key)).toMatchObject({
      outcome: 'ok',
      value: { jd_weight: 5200, jd_volume: 13_000 },
    });
    const fee = await jdl.actualFee(account, key);
    if (fee.outcome !== 'ok') throw new Error(JSON.stringify(fee));
    expect(fee.value.fees.reduce((sum, { amount }) => sum + amount, 0)).toBe(fee.value.jd_amount);
    expect(fee.value.fees).toContainEqual({
      code: 'QLHCF',
      name: '包装耗材费',
      kind: 'surcharge',
      service: 'packaging',
      amount: 250,
    });

    const trace = await jdl.trace(account, key);
    if (trace.outcome !== 'ok') throw new Error(JSON.stringify(trace));
    const { messages, unreadable } = trace.value;
    expect(unreadable).toEqual([]);
    expect(messages.map(({ effect }) => effect)).toEqual(
      expect.arrayContaining([
        'ordered',
        'picking_up',
        'picked_up',
        'in_transit',
        'delivering',
        'signed',
      ]),
    );
    expect(messages.every(({ alert }) => alert === null)).toBe(true);
    const byPush = new Set(
      pushed.filter(({ delivery_id }) => delivery_id === key.delivery_id).map(({ hash }) => hash),
    );
    expect(byPush).toEqual(new Set(messages.map(({ hash }) => hash)));
  });

  it('a parcel is cancelled before pickup, is intercepted after pickup, and can no longer be cancelled after delivery', async () => {
    const early = { delivery_id: (await accepted()).delivery_id };
    expect(await jdl.cancel(account, { order_id: '', ...early }, '用户取消')).toMatchObject({
      outcome: 'ok',
      value: { result: 'cancelled' },
    });
    expect(await jdl.cancel(account, { order_id: '', ...early }, '用户取消')).toMatchObject({
      outcome: 'ok',
      value: { result: 'cancelled' },
    });
    const under = { delivery_id: (await accepted()).delivery_id };
    await control('POST', `orders/${under.delivery_id}/jump`, { to: 'picked_up' });
    expect(await jdl.cancel(account, { order_id: '', ...under }, '用户取消')).toMatchObject({
      outcome: 'ok',
      value: { result: 'intercepting' },
    });
    const done = { delivery_id: (await accepted()).delivery_id };
    await control('POST', `orders/${done.delivery_id}/jump`, { to: 'delivered' });
    expect(await jdl.cancel(account, { order_id: '', ...done }, '用户取消')).toMatchObject({
      outcome: 'ok',
      value: { result: 'cancel_failed' },
    });
    expect(
      await jdl.cancel(account, { order_id: '', delivery_id: 'JDVE99999999999' }, '用户取消'),
    ).toMatchObject({ outcome: 'refused' });
  });

  it('JDL’s message about a new label on the way back contains the new waybill number', async () => {
    const key = { delivery_id: (await accepted()).delivery_id };
    await control('POST', `orders/${key.delivery_id}/jump`, { to: 'relabelled' });
    const trace = await jdl.trace(account, key);
    if (trace.outcome !== 'ok') throw new Error(JSON.stringify(trace));
    const back = trace.value.messages.find(({ effect }) => effect === 'returning');
    expect(back).toMatchObject({
      state: '200020',
      our_state: 410,
      needs_facts: true,
      return_delivery_id: expect.stringMatching(/^JD/),
    });
    expect(back!.return_delivery_id).not.toBe(key.delivery_id);
  });

  it('JDL’s trace raises an alert for an unknown code, and reports an ended pickup as cancelled with its reason', async () => {
    const key = { delivery_id: (await accepted()).delivery_id };
    await control('POST', `orders/${key.delivery_id}/events`, {
      category: 987,
      state: '987654',
      title: '未知',
      remark: '…',
    });
    await control('POST', `orders/${key.delivery_id}/jump`, { to: 'pickup_ended' });
    const trace = await jdl.trace(account, key);
    if (trace.outcome !== 'ok') throw new Error(JSON.stringify(trace));
    expect(trace.value.messages.find(({ category }) => category === '987')).toMatchObject({
      effect: 'unlisted',
      our_state: null,
      alert: { code: 'carrier_code_unknown', params: { category: '987', state: '987654' } },
    });
    expect(trace.value.messages.find(({ state }) => state === '200052')).toMatchObject({
      effect: 'cancelled',
      our_state: 500,
    });
    await control('POST', 'pushes/settle', { within_ms: limitMs(10_000) });
    expect(
      pushed.find(({ delivery_id, state }) => delivery_id === key.delivery_id && state === '200052')
        ?.cancel_reason,
    ).toMatch(/.+/);
  });

  it('a modification changes the order at JDL; if the same modification is sent twice, the second has no further effect', async () => {
    const parcel = order();
    const key = { delivery_id: (await accepted(parcel)).delivery_id };
    const changed = {
      ...parcel,
      receive_name: '王五',
      receive_phone: '13700000003',
      receive_address: '样例路9号',
      package_count: 3,
      guarantee_value_amount: 0,
      remark: '',
    };
    const body = jdl.modifyBody(account, key, parcel, changed)!;
    for (const time of [1, 2])
      expect([time, await jdl.modify(account, body)]).toMatchObject([time, { outcome: 'ok' }]);
    expect(await control('GET', `orders/${key.delivery_id}`)).toMatchObject({
      pieces: 3,
      insured: 0,
      remark: '无',
      receiver: { name: '王五', mobile: '13700000003', address: '上海市浦东新区样例路9号' },
    });
    expect(await jdl.subscribe(account, key, changed.receive_phone)).toMatchObject({
      outcome: 'ok',
    });
    expect(await jdl.subscribe(account, key, parcel.receive_phone)).toMatchObject({
      outcome: 'refused',
    });
  });
});
