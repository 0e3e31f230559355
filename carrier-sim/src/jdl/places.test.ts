import { expect, test } from 'vitest';
import { placeOf, shortCity, zoneBetween } from './places.ts';
import { billedKilograms, feesOf, listFreight, yuan } from './fees.ts';
import { stationOf } from './stations.ts';
import type { Place, Zone } from './places.ts';

test.each([
  ['北京市朝阳区示例路1号', '北京市', '北京市', '朝阳区'],
  ['北京市北京市朝阳区示例路1号', '北京市', '北京市', '朝阳区'],
  ['北京朝阳区示例路1号', '北京市', '北京市', '朝阳区'],
  ['广东省广州市天河区示例路1号', '广东省', '广州市', '天河区'],
  ['广东广州市天河区示例路1号', '广东省', '广州市', '天河区'],
  ['内蒙古自治区锡林郭勒盟锡林浩特市示例街', '内蒙古自治区', '锡林郭勒盟', '锡林浩特市'],
  ['四川省凉山彝族自治州西昌市示例街', '四川省', '凉山彝族自治州', '西昌市'],
  ['黑龙江省大兴安岭地区漠河市示例街', '黑龙江省', '大兴安岭地区', '漠河市'],
  ['湖北省神农架林区示例镇', '湖北省', '神农架林区', ''],
  ['海南省省直辖县级行政区划文昌市示例街', '海南省', '省直辖县级行政区划', '文昌市'],
  ['新疆维吾尔自治区乌鲁木齐市天山区示例街', '新疆维吾尔自治区', '乌鲁木齐市', '天山区'],
  ['四川省乐山市市中区示例街', '四川省', '乐山市', '市中区'],
  ['香港特别行政区 油尖旺区示例道', '香港特别行政区', '香港特别行政区', '油尖旺区'],
])('the address %s is in %s %s %s', (address, province, city, county) => {
  expect(placeOf(address)).toMatchObject({ province, city, county });
});

test.each(['', '天河区示例路', '广东省示例路1号', '某省某市某区'])(
  'the address "%s" names no province and city',
  (address) => {
    expect(placeOf(address)).toBeNull();
  },
);

const at = (address: string): Place => placeOf(address) as Place;

test.each<[string, string, Zone]>([
  ['北京市朝阳区', '北京市海淀区', 0],
  ['广东省广州市', '广东省深圳市', 1],
  ['江苏省南京市', '浙江省杭州市', 2],
  ['北京市朝阳区', '上海市浦东新区', 3],
  ['广东省广州市', '西藏自治区拉萨市', 4],
])('the zone from %s to %s is %i', (from, to, zone) => {
  expect(zoneBetween(at(from), at(to))).toBe(zone);
  expect(zoneBetween(at(to), at(from))).toBe(zone);
});

test('stations in one county have the same name, which can be recognised as invented', () => {
  expect(stationOf(at('广东省广州市天河区示例路1号'))).toEqual(
    stationOf(at('广东省广州市天河区另一条路')),
  );
  expect(stationOf(at('广东省广州市天河区'))).toMatchObject({
    number: expect.stringMatching(/^\d{6}$/),
    name: '*天河区示例营业部',
  });
  expect(shortCity(at('四川省凉山彝族自治州西昌市'))).toBe('凉山彝族');
});

test.each([
  [1000, 1000, 1],
  [1010, 1000, 2],
  [5000, 40_000, 5],
  [5000, 40_001, 6],
  [10, 1, 1],
])('a parcel of %i g and %i cm³ is billed as %i kg', (weight, volume, kilograms) => {
  expect(billedKilograms('ed-m-0001', weight, volume)).toBe(kilograms);
});

test('the volumetric weight is the volume divided by 6000 for a freight product, and by 8000 for other products', () => {
  expect(billedKilograms('fr-m-0002', 1000, 60_000)).toBe(10);
  expect(billedKilograms('ed-m-0001', 1000, 60_000)).toBe(8);
});

test('the simulator rounds its fees to whole fen', () => {
  const charged = {
    to: '四川省',
    productCode: 'ed-m-0002',
    weight: 2340,
    volume: 1000,
    insured: 33_333,
    cashOnDelivery: 100_050,
    receiptReturned: true,
    rate: 6543,
  };
  expect(listFreight(charged)).toBe(3280);
  expect(feesOf(charged).map(({ code, amount }) => [code, amount])).toEqual([
    ['QIPSF', 2146],
    ['QLBJ', 50],
    ['QLDS', 1501],
    ['QLQDFH', 500],
  ]);
  expect(yuan(1450)).toBe(14.5);
});
