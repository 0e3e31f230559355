import { describe, expect, it } from 'vitest';
import type { WireAnswer } from '#domain/carriers/wire.ts';
import { account, anOrder, answering, golden, inner, refused } from './fixture.ts';

const order = { order_id: 'WS26010200000001', delivery_id: 'SF7444496931331' };
const body = answering().carrier.createBody(account, anOrder());
const places = anOrder({ promise_id: '' });
const silent: WireAnswer = {
  got: 'nothing',
  reason: { code: 'carrier_connection_lost' },
  ms: 1,
  sent: true,
};
const times = inner({
  success: true,
  msgData: {
    deliverTmDto: [
      {
        businessType: '2',
        businessTypeDesc: '顺丰标快',
        deliverTime: '2026-01-04 18:00:00,2026-01-04 20:00:00',
        fee: 28.5,
      },
    ],
  },
});
const filtered = (filterResult: number): string =>
  JSON.stringify({
    apiResultCode: 'A1000',
    apiResultData: JSON.stringify([{ orderId: '', filterResult, remark: '1' }]),
  });
const pickup = {
  pickup_from: new Date('2026-01-02T10:00:00+08:00'),
  pickup_until: new Date('2026-01-02T12:00:00+08:00'),
};

describe('an order with a pickup window', () => {
  it('an order to SF has the start of the pickup window as sendStartTm and its end in extraInfoList', async () => {
    const { carrier, calls } = answering(golden('create'), golden('create'));
    const bytes = carrier.createBody(account, anOrder(pickup));
    expect(JSON.parse(bytes)).toMatchObject({
      isDocall: 1,
      sendStartTm: '2026-01-02 10:00:00',
      extraInfoList: [{ attrName: 'pickupAppointEndTime', attrVal: '2026-01-02 12:00:00' }],
    });
    expect(JSON.parse(body)).not.toHaveProperty('sendStartTm');
    await carrier.create(account, bytes);
    expect(calls[2]!.data).toMatchObject({ consignedTime: '2026-01-02 10:00:00' });
  });

  it('a changed pickup window is sent to SF, and removing the pickup window is refused', () => {
    const { carrier } = answering();
    const change = (before: object, after: object) =>
      carrier.modifyBody(account, order, anOrder(before), anOrder(after));
    expect(JSON.parse(change({}, pickup)!)).toEqual({
      language: 'zh-CN',
      orderId: order.order_id,
      dealType: 1,
      waybillNoInfoList: [{ waybillType: 1, waybillNo: order.delivery_id }],
      sendStartTm: '2026-01-02 10:00:00',
      pickupAppointEndtime: '2026-01-02 12:00:00',
    });
    expect(change(pickup, structuredClone(pickup))).toBeNull();
    expect(() => change(pickup, { pickup_from: null, pickup_until: null })).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: { fields: { pickup_from: { code: 'carrier_cannot_modify' } } },
      }),
    );
  });
});

describe('the pickup windows of SF', () => {
  const windows = (msgData: unknown): string => inner({ success: true, msgData });

  it('SF’s coverage answer contains pickup windows if both contacts have phones, and omits pickup windows that cannot be read', async () => {
    const { carrier, calls } = answering(
      filtered(2),
      times,
      windows([
        {
          serviceDate: '2026-01-02',
          startTime: '2026-01-02 10:00:00',
          endTime: '2026-01-02 12:00:00',
        },
        { serviceDate: '2026-01-02', startTime: '1400', endTime: '16:00:00' },
        { serviceDate: '20260103', startTime: '9:00', endTime: '24:00' },
        { serviceDate: '2026-02-30', startTime: '10:00', endTime: '12:00' },
        { serviceDate: '2026-01-02', startTime: '18:00', endTime: '' },
        'x',
      ]),
    );
    expect(await carrier.precheck(account, places)).toMatchObject({
      outcome: 'ok',
      value: {
        pickup_windows: [
          { starts_at: pickup.pickup_from, ends_at: pickup.pickup_until },
          {
            starts_at: new Date('2026-01-02T14:00:00+08:00'),
            ends_at: new Date('2026-01-02T16:00:00+08:00'),
          },
          {
            starts_at: new Date('2026-01-03T09:00:00+08:00'),
            ends_at: new Date('2026-01-04T00:00:00+08:00'),
          },
        ],
      },
    });
    expect(calls[2]!.form.get('serviceCode')).toBe('EXP_RECE_PRE_ORDER');
    expect(calls[2]!.data).toMatchObject({
      orderId: expect.stringMatching(/./),
      cargoName: '文件',
      monthlyCard: '7551234567',
      expressTypeId: 1,
      contactInfoList: [
        { contactType: 1, tel: '0755-26000000-12', city: '深圳市', county: '南山区' },
        { contactType: 2, mobile: '13900000002', city: '上海市' },
      ],
    });
    expect(calls[2]!.data['contactInfoList']).not.toMatchObject([{ contact: expect.anything() }]);
  });

  const never = { serviceDate: '2026-01-02', startTime: '上午', endTime: '下午' };
  it.each([
    ['refused', refused('1012', '电话不能为空'), '1012'],
    ['not permitted', JSON.stringify({ apiResultCode: 'A1004', apiErrorMsg: '无权限' }), 'A1004'],
    ['unreadable', '<html>', 'carrier_unreadable'],
    ['without a time', windows([never]), 'carrier_unreadable'],
    ['silent', silent, 'carrier_connection_lost'],
  ])(
    'coverage whose windows are %s has no windows, remains valid, and records the reason',
    async (_, answer, code) => {
      const { carrier } = answering(filtered(2), times, answer);
      expect(await carrier.precheck(account, places)).toMatchObject({
        outcome: 'ok',
        value: { served: true, pickup_windows: [] },
        call: { answer: { windows: { code } } },
      });
    },
  );

  it('a coverage request to SF does not ask for pickup windows if a phone is missing or the place is not served', async () => {
    const unknown = answering(filtered(2), times);
    await unknown.carrier.precheck(account, { ...places, receive_phone: '' });
    const unserved = answering(filtered(3), times);
    await unserved.carrier.precheck(account, places);
    expect([unknown.calls.length, unserved.calls.length]).toEqual([2, 2]);
  });
});
