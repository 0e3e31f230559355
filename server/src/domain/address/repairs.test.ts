import { mostRepairs } from '@waystation/contract/parcels/address.ts';
import { expect, test } from 'vitest';
import { placeOf, repairsOf } from './address.ts';

const shown = (province: string, city: string, county: string): string => {
  const { reason, places } = repairsOf({ province, city, county });
  return [
    reason?.code ?? 'fits',
    ...places.slice(0, 3).map((place) => `${place.city}${place.county}`),
  ].join(' ');
};

test.each([
  [
    '广东省',
    '深圳市',
    '天河区',
    'division_county_elsewhere 广州市天河区 深圳市罗湖区 深圳市福田区',
  ],
  [
    '广东省',
    '广州市',
    '南山区',
    'division_county_elsewhere 深圳市南山区 鹤岗市南山区 广州市南沙区',
  ],
  ['浙江省', '深圳市', '南山区', 'division_city_elsewhere 深圳市南山区'],
  ['江苏省', '杭州市', '西湖区', 'division_city_elsewhere 杭州市西湖区'],
  [
    '北京市',
    '北京市',
    '天河区',
    'division_county_elsewhere 广州市天河区 北京市东城区 北京市西城区',
  ],
  ['广东省', '', '朝阳区', 'division_county_elsewhere 北京市朝阳区 长春市朝阳区'],
  ['', '', '鼓楼区', 'division_county_ambiguous 南京市鼓楼区 徐州市鼓楼区 福州市鼓楼区'],
  ['江苏省', '', '鼓楼区', 'division_county_ambiguous 南京市鼓楼区 徐州市鼓楼区'],
  ['广东省', '广州市', '天和区', 'division_county_unknown 广州市天河区 广州市荔湾区 广州市越秀区'],
  ['山西省', '大同市', '城区', 'division_county_former 大同市平城区 大同市云冈区'],
  ['河北省', '石家庄市', '桥东', 'division_county_former 石家庄市长安区 石家庄市桥西区'],
  ['江苏省', '苏州市', '吴县', 'division_county_former 苏州市吴中区 苏州市相城区'],
  ['安徽省', '巢湖地区', '', 'division_city_former 合肥市 芜湖市 马鞍山市'],
  ['广东省', '珠海市', '', 'division_county_required 珠海市香洲区 珠海市斗门区 珠海市金湾区'],
  ['广东省', '广州市', '', 'division_county_required'],
  ['无此省', '深圳市', '南山区', 'division_province_unknown'],
  ['', '', '', 'division_province_required'],
  ['广东省', '东莞市', '', 'fits'],
  ['上海市', '上海市', '南汇', 'fits'],
  ['广东', '深圳', '南山', 'fits'],
])('the division names %s %s %s are repaired: %s', (province, city, county, expected) => {
  expect(shown(province, city, county)).toBe(expected);
});

test('at most nine official divisions, all different, are suggested if the province, city and county of an address contradict each other', () => {
  for (const county of ['天河区', '朝阳区', '鼓楼区', '市中区', '城关区', '西湖区'])
    for (const [province, city] of [
      ['广东省', '深圳市'],
      ['重庆市', '重庆市'],
      ['', ''],
    ] as const) {
      const { places } = repairsOf({ province, city, county });
      expect(places.length).toBeLessThanOrEqual(mostRepairs);
      expect(new Set(places.map((place) => Object.values(place).join(' '))).size).toBe(
        places.length,
      );
      for (const place of places)
        expect(placeOf(place.province, place.city, place.county)).toMatchObject(place);
    }
});
