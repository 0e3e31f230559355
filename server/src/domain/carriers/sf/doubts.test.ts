import { describe, expect, it } from 'vitest';
import type { WireAnswer } from '#domain/carriers/wire.ts';
import { readEnvelope } from './envelope.ts';
import { account, anOrder, answering, inner, refused } from './fixture.ts';
import { routeMessageOf } from './states.ts';

const body = answering().carrier.createBody(account, anOrder());
const order_id = 'WS26010200000001';
const [first, second] = ['SF7444496931331', 'SF7444496931399'] as const;
const order = { order_id, delivery_id: first };
const label = (proCode: string) => [
  { code: '1000', routeLabelData: { destRouteLabel: '020W-F0-CK', proCode } },
];
const data = (waybillNo: string, more: Record<string, unknown> = {}) => ({
  orderId: order_id,
  filterResult: 2,
  waybillNoInfoList: waybillNo === '' ? [] : [{ waybillType: 1, waybillNo }],
  routeLabelInfo: waybillNo === '' ? [] : label('标快'),
  ...more,
});
const stored = (waybillNo: string, more = {}): string =>
  inner({ success: true, msgData: data(waybillNo, more) });
const unreachable = stored('', { filterResult: 3, remark: '1' });
const repeated = refused('8016', '重复下单');
const gateway = JSON.stringify({ apiResultCode: 'A1005', apiErrorMsg: '流量受控' });
const cut = (sent: boolean): WireAnswer => ({
  got: 'nothing',
  reason: { code: 'carrier_connection_lost' },
  ms: 1,
  sent,
});
const create = (...answers: (string | WireAnswer)[]) =>
  answering(...answers).carrier.create(account, body);
const seek = (...answers: (string | WireAnswer)[]) => {
  const { carrier } = answering(...answers);
  if (carrier.recovers_by !== 'seek_by_our_number') throw new Error('no search');
  return carrier.seek(account, order);
};

describe('an answer of SF that is no clear refusal', () => {
  it.each([
    [{ success: '1', errorCode: 'S0000', msgData: data(first) }],
    [{ success: 1, msgData: data(first) }],
    [{ success: 'True' }],
    [{ success: null, errorCode: '8114', errorMsg: 'x' }],
    [{ errorCode: '8114', errorMsg: 'x' }],
    [{ success: false }],
    [{ success: false, errorCode: '9999', errorMsg: '网络异常，请稍后重试' }],
    [{ success: false, errorCode: '', errorMsg: '操作失败，请重试' }],
    [{ success: false, errorCode: '8114', errorMsg: '月结卡号未绑定', msgData: data(first) }],
  ])('an order does not count as refused after SF’s answer %j', async (fields) => {
    expect(await create(inner(fields))).toMatchObject({ outcome: 'unknown' });
  });

  it.each(['S0002', '1011', '6205', '8114', '20063'])(
    'an order counts as refused after SF’s known code %s',
    async (code) => {
      expect(await create(refused(code, '说明'))).toMatchObject({ outcome: 'refused', code });
      expect(readEnvelope(200, refused(code, '系统异常'))).toMatchObject({ is: 'unknown' });
    },
  );

  it.each(['8017', '8019', '8037', '8252'])(
    'an order that SF answers with the code %s counts as stored',
    async (code) => {
      expect(await create(refused(code, 'x'), stored(first))).toMatchObject({
        outcome: 'accepted',
        repeated: true,
      });
      expect(await create(refused(code, 'x'), refused('8018', 'x'))).toMatchObject({
        outcome: 'stored_without_number',
        code,
      });
    },
  );
});

describe('a repeated order (8016)', () => {
  it.each([
    ['the gateway', gateway],
    ['no connection', cut(false)],
    ['a lost connection', cut(true)],
    ['an unreadable answer', '<html>'],
    ['a refused search', refused('S0003', 'x')],
  ])(
    'a repeated order has an unknown outcome, and is not reported as not sent, if its search meets %s',
    async (_, found) => {
      const answer = await create(repeated, found);
      expect(answer).toMatchObject({ outcome: 'unknown' });
      expect(answer).not.toHaveProperty('not_sent');
    },
  );

  it('a repeated order that SF has cancelled is reported as stored without a waybill number, and its log entry contains both answers', async () => {
    expect(await create(repeated, refused('8037', '订单已取消'))).toMatchObject({
      outcome: 'stored_without_number',
      code: '8037',
      text: '订单已取消',
      call: { operation: 'create', answer: { create: {}, search: {} } },
    });
    expect(await seek(refused('8037', '订单已取消'))).toMatchObject({
      outcome: 'stored_without_number',
      text: '订单已取消',
    });
  });

  it('the stored delivery time of an order is the one that SF stored, so that a difference from the ordered one is noticed', async () => {
    const fast = stored(first, { routeLabelInfo: label('特快') });
    expect(await create(repeated, fast)).toMatchObject({ repeated: true, promise_time_type: '1' });
    expect(await create(fast, fast)).toMatchObject({ promise_time_type: '1' });
    expect(await create(stored(first), stored(first))).toMatchObject({ promise_time_type: '2' });
  });
});

describe('two waybills for one order', () => {
  it('an order for which SF returns two different waybills is accepted with the first waybill, and has no label yet', async () => {
    for (const answers of [
      [stored(first), stored(second)],
      [inner({ success: false, errorCode: '8016', msgData: data(first) }), stored(second)],
    ])
      expect(await create(...answers)).toMatchObject({
        outcome: 'accepted',
        delivery_id: first,
        need_retry: 1,
        print_data: null,
      });
  });

  it('an order that SF accepts but that SF’s search reports as cancelled has no label yet', async () => {
    expect(await create(stored(first), refused('8037', '订单已取消'))).toMatchObject({
      outcome: 'accepted',
      need_retry: 1,
      print_data: null,
    });
  });
});

describe('an order that SF does not reach (filterResult 3)', () => {
  it('if SF returns no waybill for an order, the create is refused and the search reports the order as not stored', async () => {
    expect(await create(unreachable)).toMatchObject({ outcome: 'refused' });
    expect(await create(repeated, unreachable)).toMatchObject({
      outcome: 'refused',
      text: '收方超出服务范围',
    });
    expect(await seek(unreachable)).toMatchObject({
      outcome: 'not_stored',
      text: '收方超出服务范围',
    });
  });

  it('if an order has a waybill but SF cannot reach its receiver, the order is accepted without a label and the reason is reported', async () => {
    const out = stored(first, { filterResult: 3, remark: '1' });
    const expected = {
      outcome: 'accepted',
      delivery_id: first,
      need_retry: 1,
      print_data: null,
      unreachable: '收方超出服务范围',
    };
    expect(await create(out, out)).toMatchObject(expected);
    expect(await create(stored(first, { filterResult: 1 }), out)).toMatchObject(expected);
    expect(await seek(out)).toMatchObject(expected);
  });
});

describe('the owner of a waybill at SF', () => {
  const weighed = inner({
    success: true,
    msgData: { waybillInfo: { orderNo: order_id, realWeightQty: '1' }, waybillFeeList: [] },
  });
  const noFee = refused('6150', '找不到该运单的费用');
  const bare = (value: boolean): string =>
    JSON.stringify({ apiResultCode: 'A1000', apiResultData: String(value) });

  it.each([
    ['weighed', [weighed], { outcome: 'ok', value: { jd_weight: 1_000, order_id } }],
    [
      'not weighed',
      [noFee, stored(first)],
      { outcome: 'ok', value: { jd_weight: null, order_id } },
    ],
    [
      'late to the search',
      [noFee, refused('8018', '未查到订单'), bare(true)],
      { outcome: 'ok', value: { order_id: '' } },
    ],
    [
      'cancelled',
      [noFee, refused('8037', '订单已取消'), bare(true)],
      { outcome: 'ok', value: { order_id: '' } },
    ],
    ['not SF’s', [noFee, refused('8018', '未查到订单'), bare(false)], { outcome: 'refused' }],
    ['not answered', [noFee, cut(true)], { outcome: 'unknown' }],
    ['not validated', [noFee, refused('8018', 'x'), cut(true)], { outcome: 'unknown' }],
  ])(
    'the weight request returns the order number of a waybill that is %s',
    async (_, answers, expected) => {
      const { carrier, calls } = answering(...answers);
      expect(await carrier.details(account, order)).toMatchObject(expected);
      expect(calls).toHaveLength(answers.length);
    },
  );
});

describe('other unclear answers and messages of SF', () => {
  it.each(['订单对应的月结卡号不存在', '运单对应的网点未找到'])(
    'SF’s words “%s” do not mean that the order is missing',
    async (text) => {
      expect(await seek(refused('8114', text))).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('a reachability answer of SF without a result is unknown, not “out of area”', async () => {
    const { carrier } = answering(JSON.stringify({ apiResultCode: 'A1000', apiResultData: '[]' }));
    expect(await carrier.precheck(account, anOrder())).toMatchObject({ outcome: 'unknown' });
  });

  const row = { acceptTime: '2026-01-02 10:00:00', mailno: first, remark: '请联系075533123456' };
  it('a return waybill is read from a message of SF only if the message reports a return and contains a new waybill', () => {
    for (const opCode of ['99', '517', '626', '627'])
      expect(routeMessageOf({ ...row, opCode })?.return_delivery_id).toBeNull();
    expect(
      routeMessageOf({ ...row, opCode: '631', remark: `新单号${second}` })?.return_delivery_id,
    ).toBe(second);
  });

  it('a lost parcel at SF is recognised by the reason codes in SF’s trace; a pushed message without reason code or remark raises no alert', async () => {
    const closed = { ...row, remark: '', opCode: '8000', reasonCode: '' };
    const traced = inner({
      success: true,
      msgData: { routeResps: [{ mailNo: first, routes: [closed], reasonCode: ['6'] }] },
    });
    const trace = await answering(traced).carrier.trace(account, order);
    const messages = trace.outcome === 'ok' ? trace.value.messages : [];
    expect(messages[0]).toMatchObject({ alert: { code: 'carrier_lost_parcel' } });
    const pushed = routeMessageOf(closed)!;
    expect(pushed.alert).toBeNull();
    expect(pushed.hash).not.toBe(messages[0]!.hash);
    expect(routeMessageOf({ ...closed, remark: '快件遗失' })?.alert).not.toBeNull();
  });
});
