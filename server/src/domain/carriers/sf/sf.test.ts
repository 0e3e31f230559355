import { describe, expect, it } from 'vitest';
import type { WireAnswer } from '#domain/carriers/wire.ts';
import { account, anOrder, answering, golden, inner, refused } from './fixture.ts';
import { sign } from './sign.ts';

const body = answering().carrier.createBody(account, anOrder());
const stored = (waybillNo: string, more: Record<string, unknown> = {}): string =>
  inner({
    success: true,
    msgData: {
      orderId: 'WS26010200000001',
      filterResult: 2,
      waybillNoInfoList: [{ waybillType: 1, waybillNo }],
      ...more,
    },
  });
const silent: WireAnswer = {
  got: 'nothing',
  reason: { code: 'carrier_connection_lost' },
  ms: 1,
  sent: true,
};
const order = { order_id: 'WS26010200000001', delivery_id: 'SF7444496931331' };
const places = anOrder({ promise_id: '' });

describe('a call to SF', () => {
  it('every call to SF has a signature of its exact body and its own request number', async () => {
    const { carrier, calls } = answering(golden('create'), golden('create'));
    await carrier.create(account, body);
    const [first, second] = calls;
    expect(first!.url).toBe(account.base_url);
    expect(Object.fromEntries(first!.form)).toMatchObject({
      partnerID: 'PARTNER01',
      serviceCode: 'EXP_RECE_CREATE_ORDER',
      timestamp: '1767315600000',
      msgData: body,
      msgDigest: sign({
        msgData: body,
        timestamp: '1767315600000',
        check_word: account.app_secret,
      }),
    });
    expect(first!.form.get('requestID')).not.toBe(second!.form.get('requestID'));
  });

  it('the log entry of a call to SF contains no partner ID, no check word and no unmasked phone', async () => {
    const { carrier } = answering(refused('8003', 'check word a-check-word-of-32-characters-xx'));
    const answer = await carrier.create(account, body);
    expect(JSON.stringify(answer)).not.toMatch(/check-word-of|PARTNER01|13900000002/);
    expect(answer).toMatchObject({ outcome: 'refused', call: { trace_id: 'R1' } });
  });

  it('calls to an SF base URL without a path use the path /std/service on that host; subscriptions always go to SF’s own host', async () => {
    const { carrier, calls } = answering(
      inner({ success: true, msgData: {} }),
      inner({ success: true, msgData: {} }),
    );
    await carrier.test({ ...account, base_url: 'http://127.0.0.1:8090' });
    await carrier.subscribe(account, order, '13900000002-1234');
    expect(calls.map(({ url }) => url)).toEqual([
      'http://127.0.0.1:8090/std/service',
      'https://sfapi.sf-express.com/std/service',
    ]);
    expect(calls[1]!.data).toMatchObject({ attributeNo: order.delivery_id, checkPhoneNo: '0002' });
  });

  it('a call to SF is not sent if the base URL is invalid', async () => {
    const { carrier, calls } = answering();
    expect(await carrier.test({ ...account, base_url: 'ftp://x' })).toMatchObject({
      outcome: 'unknown',
      not_sent: true,
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ['A1006', true],
    ['A1005', false],
  ])(
    'the code %s of SF’s gateway does not count as a refusal of an order',
    async (apiResultCode, pause) => {
      const answer = JSON.stringify({ apiResultCode, apiErrorMsg: 'x' });
      const { carrier } = answering(answer, answer, answer);
      expect(await carrier.create(account, body)).toMatchObject({ outcome: 'gateway', pause });
    },
  );
});

describe('choosing the kind of signature for SF', () => {
  const wrong = JSON.stringify({ apiResultCode: 'A1006', apiErrorMsg: '数字签名无效' });

  it('if SF refuses a call’s signature, the call is signed with another kind of signature, and later calls use the accepted kind', async () => {
    const fine = inner({ success: true, msgData: {} });
    const { carrier, calls } = answering(wrong, wrong, fine, fine);
    expect(await carrier.test(account)).toMatchObject({ outcome: 'ok' });
    expect(await carrier.test(account)).toMatchObject({ outcome: 'ok' });
    const digests = calls.map(({ form }) => form.get('msgDigest')!.length);
    expect(digests).toEqual([24, 24, 64, 64]);
  });

  it('an SF account is paused if SF refuses all three kinds of signature', async () => {
    const { carrier, calls } = answering(wrong, wrong, wrong);
    expect(await carrier.test(account)).toMatchObject({
      outcome: 'gateway',
      kind: 'signature',
      pause: true,
    });
    expect(calls).toHaveLength(3);
  });
});

describe('an order at SF', () => {
  it('the body of an order for SF is exactly the expected one', () => {
    expect(JSON.parse(body)).toEqual(JSON.parse(golden('create-request')));
  });

  it('an order that SF accepts is confirmed by a search, and has its waybill numbers and label data', async () => {
    const { carrier, calls } = answering(golden('create'), golden('create'));
    expect(await carrier.create(account, body)).toMatchObject({
      outcome: 'accepted',
      delivery_id: 'SF7444496931331',
      package_ids: ['SF7444496931332'],
      repeated: false,
      need_retry: 0,
      promise_time_type: '1',
      print_data: {
        end_site_name: '020W-F0-CK',
        road: 'K35',
        target_cross_code: '1A',
        aging_name: '特快',
        source_cross_code: '755W',
        qrcode_url: expect.stringMatching(/^MMM=/),
        own_numbers: 1,
      },
    });
    expect(calls.map(({ form }) => form.get('serviceCode'))).toEqual([
      'EXP_RECE_CREATE_ORDER',
      'EXP_RECE_SEARCH_ORDER_RESP',
      'EXP_RECE_QUERY_DELIVERTM',
    ]);
    expect(calls[1]!.data).toEqual({ language: 'zh-CN', orderId: 'WS26010200000001' });
  });

  it('an accepted SF order has the delivery time that SF promises for its product, or null if SF promises none', async () => {
    const times = (deliverTime: unknown) =>
      inner({
        success: true,
        msgData: {
          deliverTmDto: [
            { businessType: '1', deliverTime: '2026-01-03 10:00:00,2026-01-03 12:00:00' },
            { businessType: '2', deliverTime },
          ],
        },
      });
    const { carrier, calls } = answering(
      golden('create'),
      golden('create'),
      times('2026-01-04 18:00:00,2026-01-04 20:00:00'),
    );
    expect(await carrier.create(account, body)).toMatchObject({
      outcome: 'accepted',
      delivery_promise_at: new Date('2026-01-04T12:00:00Z'),
      call: { operation: 'create', answer: { create: {}, search: {}, promise: {} } },
    });
    expect(calls[2]!.data).toMatchObject({
      businessType: '2',
      monthlyCard: '7551234567',
      weight: 1.305,
      consignedTime: '2026-01-02 09:00:00',
      srcAddress: { province: '广东省', city: '深圳市', district: '南山区' },
      destAddress: { province: '上海市', city: '上海市', district: '浦东新区' },
    });
    for (const answer of [times(''), times(null), refused('S0003', 'x'), silent]) {
      const { carrier: mute } = answering(golden('create'), golden('create'), answer);
      expect(await mute.create(account, body)).toMatchObject({
        outcome: 'accepted',
        delivery_promise_at: null,
      });
    }
  });

  it.each([
    ['the search is silent', silent],
    ['the search is refused', refused('S0003', 'x')],
  ])('an order that SF accepted stays accepted if %s', async (_, answer) => {
    const { carrier } = answering(golden('create'), answer);
    expect(await carrier.create(account, body)).toMatchObject({
      outcome: 'accepted',
      delivery_id: 'SF7444496931331',
    });
  });

  it.each([
    [stored('SF7444496931331'), { outcome: 'accepted', repeated: true }],
    [refused('8018', '未查到订单'), { outcome: 'stored_without_number', code: '8016' }],
    [silent, { outcome: 'unknown' }],
  ])(
    'a repeated order (8016) has the outcome that a search at SF gives (%#)',
    async (found, expected) => {
      const { carrier } = answering(refused('8016', '重复下单'), found);
      expect(await carrier.create(account, body)).toMatchObject(expected);
    },
  );

  it('an order that awaits SF’s manual sorting gets its label data when it is searched later', async () => {
    const byHand = stored('SF7444496931331', { filterResult: 1 });
    const { carrier } = answering(byHand, byHand, golden('create'));
    expect(await carrier.create(account, body)).toMatchObject({
      outcome: 'accepted',
      need_retry: 1,
      print_data: null,
    });
    expect(carrier.recovers_by).toBe('seek_by_our_number');
    if (carrier.recovers_by !== 'seek_by_our_number') return;
    expect(await carrier.seek(account, order)).toMatchObject({
      outcome: 'accepted',
      need_retry: 0,
      print_data: { road: 'K35' },
    });
  });

  it('an order whose receiver is outside SF’s area is refused', async () => {
    const { carrier } = answering(
      inner({ success: true, msgData: { orderId: 'W', filterResult: 3, remark: '1' } }),
    );
    expect(await carrier.create(account, body)).toMatchObject({
      outcome: 'refused',
      text: '收方超出服务范围',
    });
  });

  it.each([
    [refused('8018', '未查到订单'), 'not_stored'],
    [refused('6150', '找不到该订单'), 'not_stored'],
    [refused('S0003', '数据错误'), 'unknown'],
    [refused('8037', '订单已取消'), 'stored_without_number'],
    [stored('SF7444496931331', { orderId: 'ANOTHER' }), 'unknown'],
    [inner({ success: true, msgData: { orderId: 'WS26010200000001' } }), 'stored_without_number'],
    [silent, 'unknown'],
    [JSON.stringify({ apiResultCode: 'A1005' }), 'gateway'],
    ['<html>', 'unknown'],
  ])(
    'a search at SF has the outcome not stored, stored or unknown, never refused (%#)',
    async (answer, outcome) => {
      const { carrier } = answering(answer);
      if (carrier.recovers_by !== 'seek_by_our_number') throw new Error('no search');
      expect(await carrier.seek(account, order)).toMatchObject({ outcome });
    },
  );
});

describe('a change or cancel at SF', () => {
  const modify = (changes: object) =>
    answering().carrier.modifyBody(account, order, anOrder(), anOrder(changes));

  it('the change of an SF order contains the receiver, product and insurance only if they changed', () => {
    expect(modify({ weight: 2_000 })).toBeNull();
    expect(JSON.parse(modify({ receive_name: '王五' })!)).toMatchObject({
      orderId: order.order_id,
      dealType: 1,
      isConfirmNew: 1,
      destContactInfo: { contact: '王五[1234]', mobile: '13900000002' },
      waybillNoInfoList: [{ waybillType: 1, waybillNo: order.delivery_id }],
    });
    expect(JSON.parse(modify({ promise_id: '1', guarantee_value_amount: 0 })!)).toMatchObject({
      expressTypeId: 1,
      serviceList: [],
    });
    expect(() => modify({ goods: '茶叶' })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
  });

  it('the receiver of an SF order can be changed even if its packages are lighter than SF’s minimum weight for a new order', () => {
    const light = anOrder({ package_count: 2, weight: 5_000 });
    const body = answering().carrier.modifyBody(account, order, light, {
      ...light,
      receive_name: '王五',
    });
    expect(JSON.parse(body!)).toMatchObject({ isConfirmNew: 1 });
  });

  it.each([
    [inner({ success: true, msgData: { resStatus: 2 } }), 'ok'],
    [inner({ success: true, msgData: { resStatus: '1' } }), 'refused'],
    [refused('8252', '已确认'), 'refused'],
    [inner({ success: true, msgData: {} }), 'unknown'],
  ])(
    'a change or cancel at SF is carried out only with resStatus 2 (%#)',
    async (answer, outcome) => {
      const { carrier } = answering(answer, answer);
      expect(await carrier.modify(account, '{}')).toMatchObject({ outcome });
      expect(await carrier.cancel(account, order, '')).toMatchObject({ outcome });
    },
  );

  it('a cancel of an order that SF has cancelled already is reported as cancelled', async () => {
    const { carrier, calls } = answering(refused('8037', '已取消'));
    expect(await carrier.cancel(account, order, '')).toMatchObject({
      outcome: 'ok',
      value: { result: 'cancelled' },
    });
    expect(calls[0]!.data).toMatchObject({ orderId: order.order_id, dealType: 2 });
  });
});

describe('SF’s answer about coverage', () => {
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
        { businessType: '1', businessTypeDesc: '顺丰特快', deliverTime: '', fee: null },
      ],
    },
  });
  const filtered = (filterResult: number): string =>
    JSON.stringify({
      apiResultCode: 'A1000',
      apiResultData: JSON.stringify([{ orderId: '', filterResult, remark: '1' }]),
    });

  it('an SF coverage answer has the time and price of each product, and an estimate for the ordered product', async () => {
    const { carrier, calls } = answering(filtered(2), times);
    expect(await carrier.precheck(account, anOrder())).toMatchObject({
      outcome: 'ok',
      value: {
        served: true,
        products: [
          {
            promise_id: '2',
            amount: 2_850,
            delivery_promise_at: new Date('2026-01-04T12:00:00Z'),
          },
          { promise_id: '1', amount: null, delivery_promise_at: null },
        ],
        estimate: { amount: 2_850 },
      },
    });
    expect(calls[1]!.data).toMatchObject({
      businessType: '2',
      monthlyCard: '7551234567',
      searchPrice: '1',
      destAddress: { city: '上海市', district: '浦东新区' },
    });
  });

  it.each([
    [1, true],
    [2, true],
    [3, false],
    [4, false],
  ])('an SF coverage answer with filterResult %i means %s', async (result, served) => {
    const { carrier } = answering(filtered(result), times);
    expect(await carrier.precheck(account, places)).toMatchObject({ value: { served } });
  });

  it.each([
    ['收方超出服务范围', 'out_of_area'],
    ['该地区暂停收派', 'suspended'],
    ['月结卡号未绑定', 'refused'],
  ])('SF’s words %s mean coverage %s', (text, meaning) => {
    expect(answering().carrier.refusedCoverage(text)).toBe(meaning);
  });
});
