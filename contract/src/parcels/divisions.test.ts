import { describe, expect, test } from 'vitest';
import data from './divisions.json' with { type: 'json' };
import {
  areaCodeOf,
  fullAddress,
  pathOf,
  placeNames,
  readDivisions,
  searchDivisions,
} from './divisions.ts';
import { provinces } from './provinces.ts';

const divisions = readDivisions(data);
const at = (code: string) => divisions.byCode.get(code)!;

describe('The official divisions', () => {
  test('the official divisions consist of the 34 provinces, and each province has cities', () => {
    expect(divisions.provinces.map((province) => [province.code, province.short])).toEqual(
      provinces.map(({ code, zh }) => [code, zh]),
    );
    for (const province of divisions.provinces)
      expect(province.children.length, province.name).toBeGreaterThan(0);
  });

  test('each division has a unique six-digit code, which begins with the two digits of its province', () => {
    expect(divisions.byCode.size).toBe(divisions.all.length);
    for (const division of divisions.all) {
      expect(division.code).toMatch(/^[1-8]\d{5}$/);
      expect(division.code.slice(0, 2)).toBe(pathOf(division)[0]!.code.slice(0, 2));
      expect(division.pinyin.split(' '), division.name).toHaveLength([...division.name].length);
      expect(division.short.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('the name of a division is unique within its parent', () => {
    for (const division of divisions.all)
      expect(new Set(division.children.map((child) => child.name)).size).toBe(
        division.children.length,
      );
  });

  test.each([
    ['110105', '北京市', '北京市', '朝阳区'],
    ['500229', '重庆市', '重庆市', '城口县'],
    ['441900', '广东省', '东莞市', ''],
    ['460400', '海南省', '儋州市', ''],
    ['620200', '甘肃省', '嘉峪关市', ''],
    ['429004', '湖北省', '仙桃市', ''],
    ['659001', '新疆维吾尔自治区', '石河子市', ''],
    ['440305', '广东省', '深圳市', '南山区'],
    ['810101', '香港特别行政区', '香港岛', '中西区'],
    ['820104', '澳门特别行政区', '澳门半岛', '花地玛堂区'],
    ['710000', '台湾省', '', ''],
  ])('the division %s is %s %s %s', (code, province, city, county) => {
    expect(placeNames(at(code))).toEqual({ province, city, county });
  });

  test.each([
    ['440305', '440300'],
    ['440000', '440000'],
    ['500229', '500100'],
    ['429004', '429000'],
    ['441900', '441900'],
  ])('the division %s is priced under %s', (code, area) => {
    expect(areaCodeOf(at(code))).toBe(area);
  });

  test.each([
    ['440000', '广东'],
    ['150000', '内蒙古'],
    ['222400', '延边'],
    ['532900', '大理'],
    ['310115', '浦东'],
    ['500240', '石柱'],
    ['150722', '莫力达瓦'],
    ['150724', '鄂温克'],
    ['530925', '双江'],
    ['622926', '东乡'],
    ['371402', '德城'],
    ['370402', '市中区'],
    ['130107', '井陉矿区'],
    ['410184', '新郑'],
  ])('the division %s has the short name %s', (code, short) => {
    expect(at(code).short).toBe(short);
  });
});

test('the name of a municipality is written only once in an address line', () => {
  expect(
    fullAddress({ province: '北京市', city: '北京市', county: '朝阳区', address: '示例路1号' }),
  ).toBe('北京市朝阳区示例路1号');
  expect(
    fullAddress({ province: '广东省', city: '东莞市', county: '', address: '长安镇示例路1号' }),
  ).toBe('广东省东莞市长安镇示例路1号');
});

describe('The search box of a cascader', () => {
  const found = (query: string) =>
    searchDivisions(divisions, query, 5).map((division) => division.code);

  test.each([
    ['南山', '440305'],
    ['nanshan', '440305'],
    ['ns 深圳', null],
    ['gd ns', '440305'],
    ['广东 南山', '440305'],
    ['sz ns', '440305'],
    ['mhq', '310112'],
    ['闵行', '310112'],
    ['chongqing', '500000'],
    ['changsha', '430100'],
    ['neimeng', '150000'],
    ['亳州', '341600'],
    ['bozhou', '341600'],
    ['ＧＤ', '440000'],
    ['嘉峪关', '620200'],
  ])('a search of the cascader for %s finds its division', (query, code) => {
    if (code === null) expect(found(query)).toEqual([]);
    else expect(found(query)).toContain(code);
  });

  test('a search in the address cascader for blanks or for an unknown text finds nothing', () => {
    expect(found('')).toEqual([]);
    expect(found('  ')).toEqual([]);
    expect(found('zzzz')).toEqual([]);
  });
});
