import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataOf, readEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { coverageOf, refusedCoverage } from './parse-facts.ts';

const answer = (name: string): Envelope =>
  readEnvelope(200, readFileSync(join(import.meta.dirname, 'golden', `${name}.json`), 'utf8'));
const data = (name: string) => {
  const envelope = answer(name);
  if (envelope.is !== 'ok') throw new Error(`${name} is ${envelope.is}`);
  return dataOf(envelope);
};

describe('JDL’s answer about coverage', () => {
  it('JDL’s coverage answer is read with its products, pickup windows and estimate', () => {
    expect(coverageOf(data('precheck'), 'ed-m-0001')).toEqual({
      served: true,
      start_station_name: '*示例营业部',
      end_station_name: '*样例营业部',
      products: [
        {
          promise_id: 'ed-m-0001',
          promise_name: '京东标快',
          amount: 2000,
          delivery_promise_at: new Date(1767416400000),
          max_weight: 50_000,
        },
        {
          promise_id: 'ed-m-0002',
          promise_name: '京东特快',
          amount: 2650,
          delivery_promise_at: null,
          max_weight: null,
        },
      ],
      pickup_windows: [
        {
          starts_at: new Date('2026-01-02T09:00:00+08:00'),
          ends_at: new Date('2026-01-02T11:00:00+08:00'),
        },
        {
          starts_at: new Date('2026-01-03T09:00:00+08:00'),
          ends_at: new Date('2026-01-03T11:00:00+08:00'),
        },
      ],
      estimate: {
        amount: 2056,
        cal_weight: 5000,
        fees: [
          { code: 'QIPSF', name: '快递运费', kind: 'freight', service: 'carriage', amount: 1856 },
          { code: 'QLBJ', name: '保价费', kind: 'insurance', service: 'insurance', amount: 200 },
        ],
      },
    });
  });
  it('coverage is read as not served if JDL’s answer does not list the chosen product', () => {
    expect(coverageOf(data('precheck'), 'LL-SD-M').served).toBe(false);
    expect(coverageOf({}, '')).toEqual({
      served: false,
      start_station_name: '',
      end_station_name: '',
      products: [],
      pickup_windows: [],
      estimate: null,
    });
  });
});

describe('a refusal of coverage', () => {
  // JDL does not publish its table of business codes, so the words of the text decide. Unknown
  // words do not mean that the place is not served.
  it.each([
    ['收件地址超区，不在服务范围内', 'out_of_area'],
    ['寄件地址超出服务范围', 'out_of_area'],
    ['该地址不在揽收区域', 'out_of_area'],
    ['该区域暂不支持派送', 'out_of_area'],
    ['目的地无法送达', 'out_of_area'],
    ['The address is outside the delivery area', 'out_of_area'],
    ['收件地址在服务范围外', 'out_of_area'],
    ['寄件地址位于配送区域以外', 'out_of_area'],
    ['该地区暂停收寄', 'suspended'],
    ['因疫情管控，收件地址超区', 'suspended'],
    ['PIN与商家编码不匹配', 'refused'],
    ['参数错误：receiverContact.fullAddress 长度超出范围', 'refused'],
    ['重量超出范围', 'refused'],
    ['商家合同已到期', 'refused'],
    // These texts resemble texts about a place, but are about something else.
    ['商家账号已暂停使用', 'refused'],
    ['账户余额不足，暂停揽收服务', 'refused'],
    ['您的月结账号已停发', 'refused'],
    ['该商品不支持寄递', 'refused'],
    ['该品类无法收寄', 'refused'],
    ['重量超出配送范围', 'refused'],
    ['包裹尺寸不在服务范围', 'refused'],
    ['预约时间不在服务范围', 'refused'],
    ['该时段不提供上门取件', 'refused'],
    ['The weight is out of range', 'refused'],
    ['', 'refused'],
  ])('a refusal of coverage is classified as %s: %s', (text, result) => {
    expect(refusedCoverage(text)).toBe(result);
  });
});
