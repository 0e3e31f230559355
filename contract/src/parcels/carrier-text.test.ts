import { describe, expect, it } from 'vitest';
import {
  carrierAddress,
  contactProblems,
  noteProblems,
  replacedForCarrier,
  replacedNameForCarrier,
} from './carrier-text.ts';
import type { CarrierContact } from './carrier-text.ts';

it.for([
  ['广东省', '广州市', '天河区', '示例路1号', '广东省广州市天河区示例路1号'],
  ['北京市', '市辖区', '朝阳区', '示例路1号', '北京市朝阳区示例路1号'],
  ['北京市', '北京市', '朝阳区', '示例路1号', '北京市朝阳区示例路1号'],
  ['重庆市', '县', '云阳县', '示例路1号', '重庆市云阳县示例路1号'],
  ['河南省', '省直辖县级行政区划', '济源市', '示例路1号', '河南省济源市示例路1号'],
  ['广东省', '东莞市', '', '长安镇示例路1号', '广东省东莞市长安镇示例路1号'],
  ['广东省', '东莞市', '东莞市', '长安镇示例路1号', '广东省东莞市长安镇示例路1号'],
  ['广东省', '广州市', '天河区', '广东省广州市天河区示例路1号', '广东省广州市天河区示例路1号'],
  ['广东省', '广州市', '天河区', '广东省 广州市 天河区 示例路1号', '广东省广州市天河区示例路1号'],
  ['广东省', '广州市', '天河区', '天河区示例路1号', '广东省广州市天河区示例路1号'],
  ['北京市', '市辖区', '朝阳区', '北京市北京市朝阳区示例路1号', '北京市朝阳区示例路1号'],
  ['北京市', '市辖区', '朝阳区', '朝阳路2号', '北京市朝阳区朝阳路2号'],
  ['吉林省', '吉林市', '船营区', '吉林大街3号', '吉林省吉林市船营区吉林大街3号'],
] as const)(
  'the address %s %s %s %s is sent as one line',
  ([province, city, county, address, expected]) => {
    expect(carrierAddress(province, city, county, address)).toBe(expected);
  },
);

const contact: CarrierContact = {
  name: '李四',
  phone: '13900000002',
  province: '上海市',
  city: '上海市',
  county: '浦东新区',
  address: '示例路2号',
};
const problems = (changes: Partial<CarrierContact>) => contactProblems({ ...contact, ...changes });

describe('problems that the carrier would find in a contact', () => {
  it('a valid contact and an empty contact have no problems for the carrier', () => {
    expect(problems({})).toEqual({});
    expect(
      problems({ name: '', phone: '', address: '', province: '', city: '', county: '' }),
    ).toEqual({});
  });

  it('the problems of a contact include every wrong field, and show the refused characters or the length', () => {
    expect(problems({ name: '小明😀', phone: '12', address: '3#楼"东"' })).toEqual({
      name: { code: 'carrier_rare_characters', params: { characters: '😀' } },
      phone: { code: 'carrier_phone' },
      address: { code: 'carrier_forbidden_characters', params: { characters: '#"' } },
    });
    expect(problems({ address: '路'.repeat(195) })).toEqual({
      address: { code: 'carrier_too_long', params: { max: 200, count: 202 } },
    });
  });

  it('a region that is repeated in the address is not counted twice for the length limit', () => {
    expect(problems({ address: `上海市浦东新区${'路'.repeat(193)}` })).toEqual({});
  });

  it('a contact is refused if adding its phone extension makes both the name and the address too long', () => {
    const full = { name: '名'.repeat(50), phone: '13900000002-1234' };
    expect(problems({ ...full, address: '路'.repeat(180) })).toEqual({});
    expect(problems({ ...full, address: '路'.repeat(190) })).toEqual({
      phone: { code: 'carrier_extension', params: { extension: '1234' } },
    });
  });

  it('a note is refused if it is longer than the carrier allows', () => {
    expect(
      noteProblems({ remark: 'x'.repeat(501), description: 'x'.repeat(200), thr_order_id: '' }),
    ).toEqual({
      remark: { code: 'carrier_too_long', params: { max: 500, count: 501 } },
    });
  });
});

describe('replacing characters that the carrier refuses', () => {
  it.each([
    ['3#楼502', '3号楼502'],
    ['A#栋', 'A号栋'],
    ['#502 室', '＃502 室'],
    ['M&N <东> "门"', 'M＆N ＜东＞ ”门”'],
    ["It's @ 1+1", 'It’s ＠ 1＋1'],
  ])('the text %s becomes %s, which the carrier accepts', (text, replaced) => {
    expect(replacedForCarrier(text)).toBe(replaced);
    expect(problems({ address: replaced })).toEqual({});
  });

  it('emoji and invisible characters are removed from a name, but a rare Chinese character is kept because a person must replace it', () => {
    expect(replacedNameForCarrier('小\u200b明😀❤️')).toBe('小明');
    expect(replacedNameForCarrier('A&B')).toBe('A＆B');
    expect(replacedNameForCarrier('𠮷田👍🏽🇨🇳')).toBe('𠮷田');
  });
});
