import { describe, expect, test } from 'vitest';
import { errors, errorText } from '#base/errors.ts';
import data from './divisions.json' with { type: 'json' };
import { matchNames, splitRepeatedPrefix } from './division-match.ts';
import { placeNames, readDivisions } from './divisions.ts';

const divisions = readDivisions(data);
const match = (province: string, city: string, county: string) =>
  matchNames(divisions, { province, city, county });

describe('Matching the region names of an address', () => {
  test('every county, and every city without counties, is found by its official names; a city with counties is not a complete match', () => {
    for (const division of divisions.all) {
      const result = matchNames(divisions, placeNames(division));
      if (division.children.length) expect(result.ok, division.name).toBe(false);
      else
        expect(result.ok && (result.county ?? result.city).code, division.name).toBe(division.code);
    }
  });

  test.each([
    ['广东', '深圳', '南山', '440305'],
    ['粤', '深圳', '南山区', '440305'],
    ['广东省', '', '南山区', '440305'],
    ['', '深圳市', '南山区', '440305'],
    ['', '', '浦东新区', '310115'],
    ['', '', '浦东', '310115'],
    ['北京', '', '朝阳', '110105'],
    ['北京市', '市辖区', '朝阳区', '110105'],
    ['北京市', '北京市', '朝阳区', '110105'],
    ['重庆', '县', '城口县', '500229'],
    ['内蒙', '呼市', '新城区', '150102'],
    ['内蒙古', '呼和浩特', '新城', '150102'],
    ['新疆', '自治区直辖县级行政区划', '石河子市', '659001'],
    ['湖北', '仙桃市', '', '429004'],
    ['湖北', '', '仙桃', '429004'],
    ['广东', '东莞', '东莞市', '441900'],
    ['吉林', '吉林', '龙潭区', '220203'],
    ['吉林省', '延边州', '延吉', '222401'],
    ['重庆', '重庆', '石柱县', '500240'],
    ['天津市', '天津市', '静海县', '120118'],
    ['浙江', '义乌', '', '330782'],
    ['江苏省', '昆山市', '昆山市', '320583'],
    ['河南', '郑州', '高新区', '410172'],
    ['江苏', '苏州', '工业园区', '320576'],
    ['香港', '香港特别行政区', '观塘区', '810205'],
    ['香港', '九龙', '观塘', '810205'],
    ['青海', '海南州', '共和县', '632521'],
    ['广 东 省', '深圳市 ', '　南山区', '440305'],
  ])('the names %s, %s, %s are read as %s', (province, city, county, code) => {
    const result = match(province, city, county);
    expect(result.ok && (result.county ?? result.city).code).toBe(code);
  });

  test('the town of a city without counties is kept as part of the address', () => {
    const result = match('广东省', '东莞市', '长安镇');
    expect(result).toMatchObject({ ok: true, county: null, town: '长安镇' });
  });

  test.for([
    ['广冬', '深圳', '南山', 'division_province_unknown', '无名为“广冬”的省份'],
    ['', '', '', 'division_province_required', '请填写省、市、区县'],
    ['广东', '', '', 'division_city_required', '请填写广东省的城市'],
    ['广东', '深证', '南山', 'division_city_unknown', '无名为“深证”的城市'],
    ['广东', '杭州', '西湖', 'division_city_elsewhere', '“杭州”不在广东省，而在 浙江'],
    ['广东', '深圳', '', 'division_county_required', '请填写深圳市的区县'],
    ['广东', '深圳', '天河', 'division_county_elsewhere', '“天河”不在深圳市，而在 广州'],
    ['广东', '深圳', '不存在区', 'division_county_unknown', '无名为“不存在区”的区县'],
    ['', '', '朝阳区', 'division_county_ambiguous', '“朝阳区”可能在 北京 / 长春，请选择'],
    ['上海', '上海', '朝阳', 'division_county_elsewhere', null],
  ] as const)(
    'the names %s, %s, %s contradict one another: %s',
    ([province, city, county, code, words]) => {
      const result = match(province, city, county);
      expect(result.ok).toBe(false);
      if (result.ok) return;
      expect(result.code).toBe(code);
      expect(errors).toHaveProperty(result.code);
      if (words) expect(errorText(result.code, result.params, 'zh')).toBe(words);
      expect(errorText(result.code, result.params, 'en')).not.toContain('{');
    },
  );

  test('if several counties have the same name, the name is not matched and all these counties are returned as candidates', () => {
    const result = match('', '', '朝阳');
    expect(!result.ok && result.candidates.map((division) => division.code)).toEqual([
      '110105',
      '220104',
    ]);
  });
});

describe('An address that repeats its region', () => {
  const found = (province: string, city: string, county: string) => {
    const result = match(province, city, county);
    if (!result.ok) throw new Error(result.code);
    return result;
  };
  const nanshan = found('广东', '深圳', '南山');
  const chaoyang = found('北京', '北京', '朝阳');

  test.each([
    [nanshan, '广东省深圳市南山区科技园1号', '科技园1号'],
    [nanshan, '广东深圳市南山区科技园1号', '科技园1号'],
    [nanshan, '广东深圳南山科技园1号', '科技园1号'],
    [nanshan, '广东省 深圳市 南山区 科技园1号', '科技园1号'],
    [nanshan, '广东省深圳市南山区广东省深圳市南山区科技园1号', '科技园1号'],
    [nanshan, '深圳市南山区科技园1号', '科技园1号'],
    [nanshan, '南山区科技园1号', '科技园1号'],
    [nanshan, '南山大道1号', '南山大道1号'],
    [nanshan, '深圳市民中心', '深圳市民中心'],
    [nanshan, '南山区政府', '南山区政府'],
    [nanshan, '深圳湾1号', '深圳湾1号'],
    [nanshan, '科技园1号', '科技园1号'],
    [nanshan, '', ''],
    [chaoyang, '北京市朝阳区示例路1号', '示例路1号'],
    [chaoyang, '北京市北京市朝阳区示例路1号', '示例路1号'],
    [chaoyang, '北京路1号', '北京路1号'],
    [chaoyang, '朝阳路1号', '朝阳路1号'],
    [chaoyang, '朝阳公园南路1号', '朝阳公园南路1号'],
    [found('吉林', '吉林', '昌邑'), '吉林省吉林市昌邑区示例街1号', '示例街1号'],
    [found('吉林', '吉林', '昌邑'), '吉林大街1号', '吉林大街1号'],
  ] as const)(
    'an address that repeats its place keeps the rest only (%#)',
    (place, address, rest) => {
      expect(splitRepeatedPrefix(place, address)).toBe(rest);
    },
  );
});
