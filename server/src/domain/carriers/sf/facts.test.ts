import { describe, expect, it } from 'vitest';
import { account, anOrder, answering, golden, inner, refused } from './fixture.ts';

const key = { delivery_id: 'SF7444496931331' };
const { carrier } = answering();

describe('a route of SF', () => {
  const push = (rows: object[]): string => JSON.stringify({ Body: { WaybillRoute: rows } });
  const row = (changes: object = {}) => ({
    ...(JSON.parse(golden('push-route')) as { Body: { WaybillRoute: object[] } }).Body
      .WaybillRoute[0],
    ...changes,
  });
  const read = (body: string) => {
    const answer = carrier.parsePush(body);
    if (answer.outcome !== 'ok') throw new Error(answer.reason.code);
    return answer;
  };

  it('a pushed and a traced copy of the same row of SF’s route have the same hash, even if their row IDs differ', async () => {
    const { carrier } = answering(golden('routes'));
    const trace = await carrier.trace(account, key);
    if (trace.outcome !== 'ok') throw new Error(trace.outcome);
    const { messages } = read(push([row(), row({ id: '2' }), row({ id: '3' })]));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      ...key,
      order_id: 'WS26010200000001',
      operation_time: new Date('2026-01-02T02:00:00Z'),
      effect: 'picked_up',
      our_state: 200,
      needs_facts: true,
      alert: null,
    });
    expect(trace.value.messages.map(({ hash }) => hash)).toContain(messages[0]!.hash);
    expect(trace.value.messages.map(({ state, our_state }) => [state, our_state])).toEqual([
      ['50', 200],
      ['125', 220],
      ['80', 300],
    ]);
  });

  it.each([
    ['50 51 54', 'picked_up', 200],
    ['30 31 36 302 304 3036 10 11 105 106', 'in_transit', 210],
    ['44 204 634 123 125 126 128 130', 'delivering', 220],
    ['33 34 66 70 72 77', 'stopped', 400],
    ['99 517 626 627 631 648', 'returning', 410],
    ['80', 'signed', 300],
    ['607 642 655 656 657 658 659 660 678 679 84 8000', 'unlisted', null],
  ])('SF’s route codes %s mean %s', (codes, effect, our_state) => {
    for (const opCode of codes.split(' '))
      expect(read(push([row({ opCode })])).messages[0]).toMatchObject({
        effect,
        our_state,
        alert: null,
      });
  });

  it('an unknown route code of SF changes no state and raises an alert', () => {
    expect(read(push([row({ opCode: '9999' })])).messages[0]).toMatchObject({
      effect: 'unlisted',
      our_state: null,
      alert: { code: 'carrier_code_unknown', params: { state: '9999' } },
    });
  });

  it('an SF message about a return contains the new waybill number, and an SF message about a lost parcel raises an alert', () => {
    const remark = '快件已退回/转寄，新单号为：SF7444496931340（原单号SF7444496931331）';
    expect(read(push([row({ opCode: '648', remark })])).messages[0]).toMatchObject({
      return_delivery_id: 'SF7444496931340',
    });
    expect(read(push([row({ opCode: '8000', reasonCode: '6' })])).messages[0]).toMatchObject({
      our_state: null,
      alert: { code: 'carrier_lost_parcel' },
    });
    expect(read(push([row({ opCode: '84' })])).messages[0]).toMatchObject({ needs_facts: true });
  });

  it('a row of SF’s route without a time, a code or a number is returned unchanged in the list of unreadable rows', () => {
    const bad = [row({ acceptTime: '' }), row({ opCode: '' }), row({ mailno: '', orderid: '' })];
    expect(read(push([row(), ...bad]))).toMatchObject({ unreadable: bad });
  });

  it.each(['', '{', '{}', '[]', '"x"', '{"Body":{"WaybillRoute":[]}}', 'a=b'])(
    'a push without events is unreadable: %s',
    (body) => {
      expect(carrier.parsePush(body)).toMatchObject({
        outcome: 'unreadable',
        reason: { code: 'carrier_push_unreadable' },
      });
    },
  );

  it('the answer to a push from SF has SF’s field names, with code 0000 for an accepted push and code 1000 for a refused push', () => {
    expect(carrier.pushAnswer(true)).toEqual({ return_code: '0000', return_msg: '' });
    expect(carrier.pushAnswer(false)).toMatchObject({ return_code: '1000' });
  });
});

describe('the state of an order at SF', () => {
  it.each([
    ['04-40037', 'ordered', 100],
    ['04-40001', 'picking_up', 100],
    ['05-40003', 'picked_up', 200],
  ])('the state %s means %s', (orderStateCode, effect, our_state) => {
    const body = golden('push-order').replace('04-40001', orderStateCode);
    expect(carrier.parsePush(body)).toMatchObject({
      outcome: 'ok',
      messages: [{ ...key, effect, our_state, operator_name: '40001234', alert: null }],
    });
  });
});

describe('weight and fee in SF’s answers', () => {
  it('weight and fee of a waybill are read in grams and fen', async () => {
    const { carrier } = answering(golden('waybill'), golden('waybill'));
    expect(await carrier.details(account, key)).toMatchObject({
      value: { jd_weight: 2_150, order_id: 'WS26010200000001', unreadable: [] },
    });
    expect(await carrier.actualFee(account, key)).toMatchObject({
      value: {
        jd_amount: 1_750,
        jd_cal_weight: 2_200,
        fees: [
          { code: '1', kind: 'freight', amount: 1_200 },
          { code: '3', kind: 'insurance', amount: 250 },
          { code: '59', kind: 'surcharge', service: 'unknown', amount: 300 },
        ],
        unreadable: [],
      },
    });
  });

  it('if an SF waybill has no fees, the query for its fee is refused; fees that cannot be read are returned as unreadable', async () => {
    const fees = (waybillFeeList: unknown) =>
      inner({ success: true, msgData: { waybillInfo: {}, waybillFeeList } });
    const none = answering(fees([]), fees(null), refused('6150', '找不到'));
    for (let n = 0; n < 3; n += 1)
      expect(await none.carrier.actualFee(account, key)).toMatchObject({ outcome: 'refused' });
    const bad = answering(fees([{ type: '1', value: '-5' }]));
    expect(await bad.carrier.actualFee(account, key)).toMatchObject({
      value: { unreadable: ['1 -5'] },
    });
  });

  it('a pushed fee of SF is read with its version number', () => {
    const expected = {
      outcome: 'ok',
      messages: [],
      fees: [
        {
          ...key,
          order_id: 'WS26010200000001',
          version: 3,
          fee: { jd_amount: 6_200, jd_cal_weight: 2_200 },
        },
      ],
    };
    expect(carrier.parsePush(golden('push-fee'))).toMatchObject(expected);
    const form = new URLSearchParams({ content: golden('push-fee') }).toString();
    expect(carrier.parsePush(form)).toMatchObject(expected);
  });
});

describe('the limits of an order for SF', () => {
  it.each([
    [{}, {}],
    [{ package_count: 2, weight: 6_000 }, { weight: { code: 'carrier_under_weight' } }],
    [{ package_count: 2, weight: 6_001 }, {}],
    [{ package_count: 308, weight: 9_000 }, { package_count: { code: 'too_big' } }],
    [{ weight: 300_001 }, { weight: { code: 'carrier_over_weight' } }],
    [{ promise_id: 'ed-m-0001' }, { promise_id: { code: 'invalid' } }],
    [{ goods: '' }, { goods: { code: 'required' } }],
    [{ remark: '字'.repeat(98) }, { remark: { code: 'carrier_too_long' } }],
    [{ receive_phone: '12' }, { receive_phone: { code: 'carrier_phone' } }],
    [{ receive_address: '字'.repeat(201) }, { receive_address: { code: 'carrier_too_long' } }],
    [{ sender_name: '' }, { sender_name: { code: 'required' } }],
  ])('an order for SF with %o has the problems %o', (changes, problems) => {
    const found = carrier.problemsOf(anOrder(changes));
    expect(found).toMatchObject(problems);
    expect(Object.keys(found)).toEqual(Object.keys(problems));
  });
});
