import { describe, expect, it } from 'vitest';
import type { CarrierOrder } from '#domain/carriers/carriers.ts';
import { contactOf } from './contact.ts';
import { problemsOf } from './limits.ts';

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
  receive_city: '市辖区',
  receive_county: '浦东新区',
  receive_address: '示例路2号',
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
const problems = (changes: Partial<CarrierOrder>) => problemsOf({ ...order, ...changes });

describe('the problems of an order for JDL', () => {
  it('a regular order has no problems', () => {
    expect(problems({})).toEqual({});
  });

  it.each<[Partial<CarrierOrder>, Record<string, unknown>]>([
    [
      { receive_name: '𠮷田' },
      { receive_name: { code: 'carrier_rare_characters', params: { characters: '𠮷' } } },
    ],
    [
      { receive_name: '小明😀❤️😀' },
      { receive_name: { code: 'carrier_rare_characters', params: { characters: '😀❤\ufe0f' } } },
    ],
    [{ sender_name: '张\u200b三' }, {}],
    [
      { receive_name: 'محمد' },
      { receive_name: { code: 'label_nothing_printable', params: { text: 'محمد' } } },
    ],
    [
      { receive_address: '😀 가나' },
      { receive_address: { code: 'label_nothing_printable', params: { text: '😀 가나' } } },
    ],
    [{ receive_address: '人民路😀1号', remark: '😀', goods: '手机😀' }, {}],
    [{ sender_name: '' }, { sender_name: { code: 'required' } }],
    [
      { sender_name: '名'.repeat(51) },
      { sender_name: { code: 'carrier_too_long', params: { max: 50, count: 51 } } },
    ],
    [
      { sender_name: 'A&B<C>' },
      { sender_name: { code: 'carrier_forbidden_characters', params: { characters: '&<>' } } },
    ],
    [
      { receive_address: '3#楼"东"' },
      { receive_address: { code: 'carrier_forbidden_characters', params: { characters: '#"' } } },
    ],
    [
      { receive_address: '路'.repeat(195) },
      { receive_address: { code: 'carrier_too_long', params: { max: 200, count: 202 } } },
    ],
    [{ receive_address: '' }, { receive_address: { code: 'required' } }],
    [{ receive_province: '' }, { receive_province: { code: 'required' } }],
    [{ receive_city: '' }, { receive_city: { code: 'required' } }],
    [{ receive_phone: '' }, { receive_phone: { code: 'required' } }],
    [{ receive_phone: '138****0001' }, { receive_phone: { code: 'carrier_phone' } }],
    [
      { order_id: 'x'.repeat(51) },
      { order_id: { code: 'carrier_too_long', params: { max: 50, count: 51 } } },
    ],
    [
      { thr_order_id: 'x'.repeat(51) },
      { thr_order_id: { code: 'carrier_too_long', params: { max: 50, count: 51 } } },
    ],
    [{ goods: ' ' }, { goods: { code: 'required' } }],
    [
      { goods: 'x'.repeat(201) },
      { goods: { code: 'carrier_too_long', params: { max: 200, count: 201 } } },
    ],
    [
      { description: 'x'.repeat(201) },
      { description: { code: 'carrier_too_long', params: { max: 200, count: 201 } } },
    ],
    [
      { remark: 'x'.repeat(501) },
      { remark: { code: 'carrier_too_long', params: { max: 500, count: 501 } } },
    ],
    [{ weight: 0 }, { weight: { code: 'too_small' } }],
    [
      { weight: 10_000_001 },
      { weight: { code: 'carrier_over_weight', params: { limit_weight: 10_000_000 } } },
    ],
    [{ package_count: 0 }, { package_count: { code: 'too_small' } }],
    [
      { guarantee_value_amount: 30_000_001 },
      {
        guarantee_value_amount: {
          code: 'carrier_over_insured',
          params: { limit_amount: 30_000_000 },
        },
      },
    ],
    [{ promise_id: '' }, { promise_id: { code: 'required' } }],
    [
      { promise_id: 'LL-SD-M', goods_type: 3 },
      {
        goods_type: {
          code: 'carrier_goods_type',
          params: { promise_id: 'LL-SD-M', goods_type: 3 },
        },
      },
    ],
  ])('an order has exactly the problems %j', (changes, expected) => {
    expect(problems(changes)).toEqual(expected);
  });

  it('the problems of an order include every invalid field, not only the first', () => {
    expect(
      Object.keys(
        problems({ sender_name: '', sender_phone: 'x', receive_name: '😀', weight: 0 }),
      ).toSorted(),
    ).toEqual(['receive_name', 'sender_name', 'sender_phone', 'weight']);
  });

  it('an order whose texts, weight and insured value are exactly at the limits has no problems', () => {
    expect(
      problems({
        sender_name: '名'.repeat(50),
        receive_address: '路'.repeat(193),
        goods: 'x'.repeat(200),
        remark: 'x'.repeat(500),
        description: 'x'.repeat(200),
        weight: 10_000_000,
        guarantee_value_amount: 30_000_000,
      }),
    ).toEqual({});
  });

  it('a rare character in an order’s address is not a problem', () => {
    expect(problems({ receive_address: '𡌴村1号' })).toEqual({});
  });
});

describe('a phone extension', () => {
  const receiver = (changes: Partial<CarrierOrder>) =>
    contactOf({ ...order, receive_phone: '13900000002-1234', ...changes }, 'receive');

  it('a phone extension is written after the name, because a mobile number has only 11 digits', () => {
    expect(receiver({})).toEqual({
      contact: {
        name: '李四[1234]',
        mobile: '13900000002',
        fullAddress: '上海市浦东新区示例路2号',
      },
      problems: {},
    });
  });

  it('a phone extension is written after the address if the name has no room', () => {
    expect(receiver({ receive_name: '名'.repeat(45) })).toMatchObject({
      contact: { name: '名'.repeat(45), fullAddress: '上海市浦东新区示例路2号[1234]' },
      problems: {},
    });
    expect(receiver({ receive_name: '名'.repeat(44) })).toMatchObject({
      contact: { name: `${'名'.repeat(44)}[1234]` },
    });
  });

  it('the extension of a landline stays in the phone number; the extension of a 400 number is written after the name', () => {
    expect(receiver({ receive_phone: '0571-1234567转802' }).contact).toMatchObject({
      name: '李四',
      phone: '0571-1234567-802',
    });
    expect(receiver({ receive_phone: '400-800-0000转8' }).contact).toEqual({
      name: '李四[8]',
      phone: '4008000000',
      fullAddress: '上海市浦东新区示例路2号',
    });
  });

  it('a phone extension is recognised after a Chinese word, hyphen or comma, and in full-width digits', () => {
    for (const receive_phone of [
      '13900000002转1234',
      '139 0000 0002-1234',
      '+86 13900000002,1234',
      '１３９０００００００２－１２３４',
    ])
      expect(receiver({ receive_phone }).contact).toMatchObject({
        name: '李四[1234]',
        mobile: '13900000002',
      });
  });

  it('a phone extension is reported as a problem if neither the name nor the address has room for it', () => {
    expect(
      receiver({ receive_name: '名'.repeat(50), receive_address: '路'.repeat(190) }).problems,
    ).toEqual({
      receive_phone: { code: 'carrier_extension', params: { extension: '1234' } },
    });
  });
});
