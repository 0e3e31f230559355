import { describe, expect, it } from 'vitest';
import { Failure } from '#platform/fail.ts';
import type { CarrierAccount, CarrierOrder } from '#domain/carriers/carriers.ts';
import {
  aboutBody,
  cancelBody,
  createBody,
  modifyBody,
  precheckBody,
  prefetchBody,
} from './build-order.ts';

const account: CarrierAccount = {
  provider: 'jdl',
  base_url: 'https://carrier.example',
  app_key: 'k',
  app_secret: 's',
  access_token: 't',
  customer_code: '010K000001',
  warehouse_code: '',
};
const order: CarrierOrder = {
  order_id: 'T202601020001',
  thr_order_id: '',
  sender_name: '张三',
  sender_phone: '13800000001',
  sender_province: '北京市',
  sender_city: '市辖区',
  sender_county: '朝阳区',
  sender_address: '示例路1号',
  receive_name: '李四',
  receive_phone: '13900000002',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '上海市浦东新区示例路2号',
  package_count: 1,
  goods: '文件',
  goods_type: 1,
  weight: 1500,
  length: 0,
  width: 0,
  height: 0,
  guarantee_value_amount: 0,
  promise_id: 'ed-m-0001',
  remark: '',
  description: '',
};
const window = {
  pickup_from: new Date('2026-01-02T10:00:00+08:00'),
  pickup_until: new Date('2026-01-02T12:00:00+08:00'),
};
const key = { delivery_id: 'JDVE00000000017' };
const sent = (body: string | null) => (JSON.parse(body ?? 'null') as Record<string, never>[])[0];

describe('the body of an order', () => {
  it('the body of a minimal order is byte for byte the expected one', () => {
    expect(createBody(account, order)).toBe(
      '[{"orderId":"T202601020001","orderOrigin":1,"customerCode":"010K000001","settleType":3,' +
        '"senderContact":{"name":"张三","mobile":"13800000001","fullAddress":"北京市朝阳区示例路1号"},' +
        '"receiverContact":{"name":"李四","mobile":"13900000002","fullAddress":"上海市浦东新区示例路2号"},' +
        '"productsReq":{"productCode":"ed-m-0001"},"cargoes":[{"name":"文件","quantity":1,"weight":1.5,"volume":1}],' +
        '"commonChannelInfo":{"channelCode":"0030001"},"extendProps":{"autoSubscribe":"1"}}]',
    );
  });

  it('the body of an order with all optional fields has exactly the expected bytes', () => {
    const whole: CarrierOrder = {
      ...order,
      thr_order_id: 'SHOP-1',
      sender_phone: '010-12345678',
      receive_phone: '13900000002-1234',
      package_count: 3,
      promise_id: 'LL-SD-M',
      goods_type: 8,
      weight: 4301,
      length: 30,
      width: 20,
      height: 10,
      guarantee_value_amount: 50_050,
      remark: '"轻放"',
      description: '易碎',
    };
    expect(createBody({ ...account, warehouse_code: 'W1' }, whole, 'JDV000000000018')).toBe(
      '[{"orderId":"T202601020001","orderOrigin":1,"customerCode":"010K000001","settleType":3,' +
        '"senderContact":{"name":"张三","phone":"010-12345678","fullAddress":"北京市朝阳区示例路1号","warehouseCode":"W1"},' +
        '"receiverContact":{"name":"李四[1234]","mobile":"13900000002","fullAddress":"上海市浦东新区示例路2号"},' +
        '"productsReq":{"productCode":"LL-SD-M","productAttrs":{"warmLayer":"freezing"},"addedProducts":[{"productCode":"ed-a-0002","productAttrs":{"guaranteeMoney":"500.50"}}]},' +
        '"cargoes":[{"name":"文件","quantity":3,"weight":4.31,"volume":18000,"length":30,"width":20,"hight":10,"remark":"易碎"}],' +
        '"remark":"\\"轻放\\"","commonChannelInfo":{"channelCode":"0030001","channelOrderCode":"SHOP-1"},"waybillCode":"JDV000000000018","extendProps":{"autoSubscribe":"1"}}]',
    );
  });

  it('the body of an order with a pickup window differs from the body without one only in the start and end time of the window', () => {
    expect(createBody(account, { ...order, ...window })).toBe(
      createBody(account, order).replace(
        '"commonChannelInfo"',
        '"pickupStartTime":1767319200000,"pickupEndTime":1767326400000,"commonChannelInfo"',
      ),
    );
    expect(createBody(account, { ...order, pickup_from: null, pickup_until: null })).toBe(
      createBody(account, order),
    );
  });

  it('the body of the same order has the same bytes every time', () => {
    expect(createBody(account, { ...order })).toBe(createBody(account, order));
  });

  it.each([
    [1, 0.01],
    [10, 0.01],
    [11, 0.02],
    [999, 1],
    [1000, 1],
    [1001, 1.01],
    [4300, 4.3],
    [4301, 4.31],
    [10_000_000, 10_000],
  ])(
    'the body of an order has the weight rounded up to the next 10 g (%i g becomes %d kg)',
    (weight, kilograms) => {
      expect(sent(createBody(account, { ...order, weight }))).toMatchObject({
        cargoes: [{ weight: kilograms }],
      });
    },
  );

  it('the body of an order contains every weight with at most two decimals', () => {
    for (let weight = 1; weight < 60_000; weight += 7)
      expect(/"weight":\d+(\.\d{1,2})?,/.test(createBody(account, { ...order, weight }))).toBe(
        true,
      );
  });

  it('the body of an order contains the insured value in yuan, with decimals only if the value is not whole yuan', () => {
    for (const [fen, yuan] of [
      [50_000, '500'],
      [50_050, '500.50'],
      [1, '0.01'],
      [30_000_000, '300000'],
    ] as const)
      expect(sent(createBody(account, { ...order, guarantee_value_amount: fen }))).toMatchObject({
        productsReq: {
          addedProducts: [{ productCode: 'ed-a-0002', productAttrs: { guaranteeMoney: yuan } }],
        },
      });
  });

  it.each([
    [1, 'common'],
    [2, 'usual'],
    [5, 'alive'],
    [6, 'control'],
    [7, 'cold'],
    [8, 'freezing'],
    [9, 'deepCool'],
  ])(
    'the body of an order gives goods type %i of a fresh product the temperature layer %s',
    (goods_type, warmLayer) => {
      for (const promise_id of ['LL-HD-M', 'll-m-0015'])
        expect(sent(createBody(account, { ...order, goods_type, promise_id }))).toMatchObject({
          productsReq: { productAttrs: { warmLayer } },
        });
      expect(sent(createBody(account, { ...order, goods_type }))).not.toHaveProperty(
        'productsReq.productAttrs',
      );
    },
  );

  it('the body of an order is not built, and an error is thrown, if JDL would refuse the order', () => {
    expect(() => createBody(account, { ...order, receive_phone: '138****0001' })).toThrow(Failure);
  });
});

describe('the body of a precheck', () => {
  it('the body of a precheck for coverage has the two addresses without names', () => {
    expect(precheckBody(account, { ...order, promise_id: '' })).toBe(
      '[{"orderOrigin":1,"customerCode":"010K000001","senderContact":{"fullAddress":"北京市朝阳区示例路1号"},"receiverContact":{"fullAddress":"上海市浦东新区示例路2号"}}]',
    );
  });

  it('the body of a precheck contains goods and product if an estimate is wanted', () => {
    expect(sent(precheckBody(account, order))).toMatchObject({
      productsReq: { productCode: 'ed-m-0001' },
      cargoes: [{ name: '文件', weight: 1.5, volume: 1 }],
    });
  });
});

describe('the body of a modification', () => {
  const modified = (changes: Partial<CarrierOrder>) =>
    modifyBody(account, key, order, { ...order, ...changes });

  it('the body of a modification is null if only fields changed that JDL cannot change', () => {
    expect(modified({})).toBeNull();
    expect(
      modified({
        weight: 9000,
        length: 10,
        width: 10,
        height: 10,
        description: 'x',
        goods_type: 7,
      }),
    ).toBeNull();
  });

  it('the body of a modification contains all fields of the receiver if one of them changed', () => {
    expect(modified({ receive_phone: '13900000003' })).toBe(
      '[{"waybillCode":"JDVE00000000017","orderOrigin":1,"customerCode":"010K000001","receiverContact":{"name":"李四","mobile":"13900000003","fullAddress":"上海市浦东新区示例路2号"}}]',
    );
  });

  it('the body of a modification has the whole product if the insured value or product changed, so that a removed insurance ends', () => {
    expect(
      sent(modifyBody(account, key, { ...order, guarantee_value_amount: 100_000 }, order)),
    ).toEqual({
      waybillCode: 'JDVE00000000017',
      orderOrigin: 1,
      customerCode: '010K000001',
      productsReq: { productCode: 'ed-m-0001' },
    });
    expect(sent(modified({ promise_id: 'ed-m-0002' }))).toMatchObject({
      productsReq: { productCode: 'ed-m-0002' },
    });
  });

  it('the body of a modification has the new number of packages and the new remark, or “无” for a removed remark', () => {
    expect(sent(modified({ package_count: 2, remark: '轻放' }))).toMatchObject({
      cargoes: [{ quantity: 2 }],
      remark: '轻放',
    });
    expect(sent(modifyBody(account, key, { ...order, remark: '轻放' }, order))).toMatchObject({
      remark: '无',
    });
  });

  it('the body of a modification never contains a pickup window, because JDL documents no field for it', () => {
    expect(modified(window)).toBeNull();
    expect(modified({ ...window, package_count: 2 })).toBe(modified({ package_count: 2 }));
  });

  it('a modification of an order’s sender or goods is refused, because JDL cannot change them', () => {
    for (const change of [
      { sender_name: '王五' },
      { goods: '手机' },
      { sender_address: '别处' },
      { order_id: 'other' },
    ]) {
      const [field] = Object.keys(change);
      expect(() => modified(change)).toThrow(
        expect.objectContaining({
          code: 'invalid_input',
          details: { fields: { [field!]: { code: 'carrier_cannot_modify' } } },
        }),
      );
    }
  });

  it('a modification is refused before the call to JDL if JDL would refuse its new receiver', () => {
    expect(() => modified({ receive_name: '😀' })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
  });
});

describe('the bodies of other requests', () => {
  it('the body of a request about one waybill has exactly the bytes of JDL’s published example', () => {
    expect(aboutBody(account, key)).toBe(
      '[{"waybillCode":"JDVE00000000017","orderOrigin":1,"customerCode":"010K000001"}]',
    );
  });

  it('the body of a cancel has a reason of 1 to 30 characters', () => {
    expect(cancelBody(account, key, '用户取消')).toBe(
      '[{"waybillCode":"JDVE00000000017","orderOrigin":1,"customerCode":"010K000001","cancelReason":"用户取消","cancelReasonCode":"1","cancelType":1,"subscribeIntercept":"1"}]',
    );
    expect([
      ...String(sent(cancelBody(account, key, '因'.repeat(40)))?.['cancelReason']),
    ]).toHaveLength(30);
    expect(sent(cancelBody(account, key, '  '))).toMatchObject({ cancelReason: '用户取消' });
  });

  it('the body of a request for waybill numbers has the requested count', () => {
    expect(prefetchBody(account, 500)).toBe(
      '[{"orderOrigin":1,"customerCode":"010K000001","sum":500}]',
    );
  });
});
