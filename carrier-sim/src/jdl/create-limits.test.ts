import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { anOrder, call, paths } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({ paused: true, now: Date.parse('2026-01-02T02:00:00Z') });
});
afterAll(() => carrier.close());

const create = (orderId: string, change?: Record<string, unknown>): Promise<Json> =>
  call(carrier.url, paths.create, anOrder(orderId, change));
const count = (): number => carrier.control.health().orders;

const contact = { name: '李四', mobile: '13900000002', fullAddress: '上海市浦东新区示例路2号' };
const cargo = { name: '文件', quantity: 1, weight: 1.5, volume: 1000 };

describe('a request that breaks a limit is refused and leaves nothing', () => {
  test.each<[string, Record<string, unknown>]>([
    ['an order number of 51 characters', { orderId: 'x'.repeat(51) }],
    ['no order number', { orderId: undefined }],
    ['an origin that is none', { orderOrigin: 3 }],
    ['no customer code', { customerCode: undefined }],
    ['a settlement that is none', { settleType: 4 }],
    ['settlement by several parties outside pickups', { settleType: 5 }],
    ['a name of 51 characters', { receiverContact: { ...contact, name: '长'.repeat(51) } }],
    ['a name with emoji', { receiverContact: { ...contact, name: '李四😀' } }],
    [
      'a name with a character beyond the basic plane',
      { receiverContact: { ...contact, name: '𠮷田' } },
    ],
    ['a mobile of ten digits', { receiverContact: { ...contact, mobile: '1390000000' } }],
    ['a mobile with an extension', { receiverContact: { ...contact, mobile: '13900000002-1234' } }],
    ['neither mobile nor phone', { receiverContact: { ...contact, mobile: undefined } }],
    [
      'a phone that is none',
      { receiverContact: { ...contact, mobile: undefined, phone: '12345' } },
    ],
    [
      'an address of 201 characters',
      { receiverContact: { ...contact, fullAddress: `上海市浦东新区${'路'.repeat(200)}` } },
    ],
    [
      'an address without a province',
      { receiverContact: { ...contact, fullAddress: '浦东新区示例路2号' } },
    ],
    [
      'an address without a city',
      { receiverContact: { ...contact, fullAddress: '广东省示例路2号' } },
    ],
    ['no product', { productsReq: {} }],
    ['a product nobody sells', { productsReq: { productCode: 'ed-m-9999' } }],
    ['a fresh product without its temperature', { productsReq: { productCode: 'LL-HD-M' } }],
    [
      'an unknown service',
      { productsReq: { productCode: 'ed-m-0001', addedProducts: [{ productCode: 'ed-a-9999' }] } },
    ],
    [
      'an insured value above 300000',
      {
        addedProducts: [
          { productCode: 'ed-a-0002', productAttrs: { guaranteeMoney: '300000.01' } },
        ],
      },
    ],
    [
      'an insured value of nothing',
      { addedProducts: [{ productCode: 'ed-a-0002', productAttrs: { guaranteeMoney: 0 } }] },
    ],
    ['no cargo', { cargoes: [] }],
    ['two cargoes', { cargoes: [cargo, cargo] }],
    ['no weight', { cargoes: [{ ...cargo, weight: 0 }] }],
    ['a weight with three decimals', { cargoes: [{ ...cargo, weight: 1.505 }] }],
    ['ten tons and a bit', { cargoes: [{ ...cargo, weight: 10_000.01 }] }],
    ['no volume', { cargoes: [{ ...cargo, volume: 0 }] }],
    ['no pieces', { cargoes: [{ ...cargo, quantity: 0 }] }],
    ['half a piece', { cargoes: [{ ...cargo, quantity: 1.5 }] }],
    ['a goods name of 201 characters', { cargoes: [{ ...cargo, name: '物'.repeat(201) }] }],
    ['a remark of 501 characters', { remark: '注'.repeat(501) }],
    ['no channel', { commonChannelInfo: undefined }],
    ['a channel without its code', { commonChannelInfo: { channelOrderCode: 'shop-1' } }],
    ['a channel that is none', { commonChannelInfo: { channelCode: '1' } }],
    ['a waybill number that was never fetched', { waybillCode: 'JDVE00000099999' }],
  ])('a request beyond a limit is refused and nothing is stored: %s', async (name, change) => {
    const before = count();
    const answer = await create(`L-${name}`.slice(0, 50), change);
    expect(answer.error_response).toBeUndefined();
    expect(answer).toMatchObject({ success: false });
    expect(answer.msg).not.toBe('');
    expect(count()).toBe(before);
  });
});

describe('what the limits allow is accepted', () => {
  test.each<[string, Record<string, unknown>]>([
    [
      '50 characters of name, 200 of address, 500 of remark',
      {
        receiverContact: {
          ...contact,
          name: '长'.repeat(50),
          fullAddress: '上海市浦东新区示例路'.padEnd(200, '路'),
        },
        remark: '注'.repeat(500),
      },
    ],
    [
      'a landline instead of a mobile',
      { receiverContact: { ...contact, mobile: undefined, phone: '021-66668888' } },
    ],
    [
      '10000 kg in 99999999 pieces',
      { cargoes: [{ ...cargo, weight: 10_000, quantity: 99_999_999 }] },
    ],
    [
      'services beside the product',
      { addedProducts: [{ productCode: 'ed-a-0002', productAttrs: { guaranteeMoney: 300_000 } }] },
    ],
    [
      'a fresh product with its temperature',
      { productsReq: { productCode: 'LL-HD-M', productAttrs: { warmLayer: 'cold' } } },
    ],
    [
      'a channel, in either spelling',
      {
        commonChannelInfo: undefined,
        CommonChannelInfo: { channelCode: '0030001', channelOrderCode: 'shop-1' },
      },
    ],
    [
      'a municipality named twice',
      { receiverContact: { ...contact, fullAddress: '上海市上海市浦东新区示例路2号' } },
    ],
  ])('a request at a limit is accepted: %s', async (name, change) => {
    expect(await create(`A-${name}`.slice(0, 50), change)).toMatchObject({ success: true });
  });

  test('a name with rare characters is accepted if the carrier is configured to accept such names', async () => {
    carrier.control.change({ names: 'any' });
    const answer = await create('A-rare', { receiverContact: { ...contact, name: '𠮷田' } });
    carrier.control.change({ names: 'strict' });
    expect(answer.success).toBe(true);
  });
});
