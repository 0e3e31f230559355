import { afterAll, describe, expect, it } from 'vitest';
import { changesPart, offeredProviders } from '@waystation/contract/network/provider.ts';
import type { CarrierPart } from '@waystation/contract/network/provider.ts';
import { systemClock } from '#platform/clock.ts';
import { Failure } from '#platform/fail.ts';
import { openCarriers } from './carriers.ts';
import type { CarrierAccount, CarrierOrder } from './port.ts';

const carriers = openCarriers({ clock: systemClock, outboundAllow: [], timeoutMs: 1_000 });
afterAll(() => carriers.close());

const account = (provider: CarrierAccount['provider']): CarrierAccount => ({
  provider,
  base_url: 'https://carrier.example',
  app_key: 'key',
  app_secret: 'secret',
  access_token: '',
  customer_code: '010K000001',
  warehouse_code: '',
});
const order: CarrierOrder = {
  order_id: 'WS26010200000001',
  thr_order_id: 'SHOP-1',
  sender_name: '张三',
  sender_phone: '0755-26000000',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
  receive_name: '李四',
  receive_phone: '13900000002',
  receive_province: '上海市',
  receive_city: '市辖区',
  receive_county: '浦东新区',
  receive_address: '样例大道1号',
  package_count: 2,
  goods: '文件',
  goods_type: 1,
  weight: 7_000,
  length: 30,
  width: 20,
  height: 10,
  guarantee_value_amount: 50_000,
  promise_id: '2',
  remark: '轻放',
  description: '易碎',
  pickup_from: new Date('2026-01-02T10:00:00+08:00'),
  pickup_until: new Date('2026-01-02T12:00:00+08:00'),
};

/**
 * Changed values for the fields of each part of an order. The fields of a part are tried one by
 * one.
 */
const changes: Record<CarrierPart, readonly Partial<CarrierOrder>[]> = {
  receiver: [
    { receive_name: '王五' },
    { receive_phone: '13900000003' },
    { receive_province: '江苏省', receive_city: '苏州市', receive_county: '姑苏区' },
    { receive_address: '样例大道2号' },
  ],
  product: [{ promise_id: '1' }],
  insured_value: [{ guarantee_value_amount: 60_000 }, { guarantee_value_amount: 0 }],
  package_count: [{ package_count: 3 }],
  remark: [{ remark: '重放' }, { remark: '' }],
  description: [{ description: '液体' }, { description: '' }],
  pickup: [
    {
      pickup_from: new Date('2026-01-02T14:00:00+08:00'),
      pickup_until: new Date('2026-01-02T16:00:00+08:00'),
    },
  ],
};
/** Fields that no carrier can change after ordering. */
const fixed: readonly Partial<CarrierOrder>[] = [
  { thr_order_id: 'SHOP-2' },
  { sender_name: '王五' },
  { sender_phone: '0755-26000001' },
  { sender_address: '示例科技路3号' },
  { goods: '衣服' },
];

describe.each(offeredProviders)('changes of a parcel of the carrier %s', (provider) => {
  const carrier = carriers.carrierOf(provider);
  const refused = (change: Partial<CarrierOrder>): readonly string[] => {
    try {
      carrier.modifyBody(
        account(provider),
        { delivery_id: 'SF0000000000001' },
        structuredClone(order),
        { ...structuredClone(order), ...change },
      );
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return Object.entries(error.details.fields ?? {}).map(
        ([name, { code }]) => `${name} ${code}`,
      );
    }
  };
  const parts = Object.keys(changes) as CarrierPart[];

  it.each(parts.filter((part) => changesPart(provider, part)))(
    'a change of %s is accepted for a parcel whose carrier declares it as changeable',
    (part) => {
      for (const change of changes[part]) expect(refused(change)).toEqual([]);
    },
  );

  // The pickup is left out: the server itself refuses a changed pickup if the adapter does not
  // support one.
  it.each(parts.filter((part) => part !== 'pickup' && !changesPart(provider, part)))(
    'a change of %s is refused by its field for a parcel whose carrier does not declare it as changeable',
    (part) => {
      for (const change of changes[part])
        expect(refused(change)).toEqual([`${Object.keys(change)[0]} carrier_cannot_modify`]);
    },
  );

  it('a change of the sender, the goods or the customer’s own number of an ordered parcel is refused with the field’s name', () => {
    for (const change of fixed)
      expect(refused(change)).toEqual([`${Object.keys(change)[0]} carrier_cannot_modify`]);
  });

  it('the weight and sizes of an ordered parcel can be changed, because the carrier measures them itself', () => {
    expect(refused({ weight: 8_000, length: 40, width: 40, height: 40 })).toEqual([]);
  });
});
