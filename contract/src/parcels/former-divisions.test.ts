import { expect, test } from 'vitest';
import data from './divisions.json' with { type: 'json' };
import { aliasIndex, matchNames } from './division-match.ts';
import { placeNames, readDivisions } from './divisions.ts';
import formerData from './former-divisions.json' with { type: 'json' };
import { isShortFormer, matchFormer, readFormer, resolveNames } from './former-divisions.ts';

const divisions = readDivisions(data);
const former = readFormer(divisions, formerData);

test('every code that a former division lists belongs to a present division and is listed once', () => {
  const codes = formerData.lines.flatMap((line) =>
    (line.split('|')[2] ?? '').split(' ').filter(Boolean),
  );
  expect(codes.length).toBeGreaterThan(1_500);
  for (const code of codes)
    expect(divisions.byCode.get(code.replace('*', ''))?.level, code).toMatch(/^(?:city|county)$/);
  for (const line of formerData.lines)
    expect(line).toMatch(
      /^(?:1\|[^|]+|2\|[^|]+(?:\|\d{6}\*?(?: \d{6})*)?|3\|[^|]+\|\d{6}\*?(?: \d{6})*)$/,
    );
  for (const { now } of former.all) expect(new Set(now).size).toBe(now.length);
});

test('a former county, written with its former city, is read as its present division', () => {
  const counties = former.all.filter(({ level }) => level === 'county');
  expect(counties.length).toBeGreaterThan(1_000);
  for (const { name, province, city, now, main } of counties) {
    const names = {
      province: province.name,
      city: city || (province.children.length === 1 ? province.name : ''),
      county: name,
    };
    const label = Object.values(names).join(' ');
    const match = resolveNames(divisions, former, names);
    if (now.length === 1 && !now[0]!.children.length)
      expect([label, match.ok && (match.county ?? match.city).name]).toEqual([label, now[0]!.name]);
    // 南海市 is now 南海区; a part of its area is now 禅城区
    else if (match.ok)
      expect([label, (match.county ?? match.city).name]).toEqual([label, main?.name]);
    else
      expect([label, match.candidates]).toEqual([
        label,
        expect.arrayContaining(now[0]!.children.length ? [] : [...now]),
      ]);
  }
});

test('a former county written without its ending is read as its present division, unless a present place has that name', () => {
  const counties = [...former.byText].flatMap(([text, named]) =>
    named.filter((one) => isShortFormer(one, text)).map((one) => ({ ...one, text, named })),
  );
  expect(counties.length).toBeGreaterThan(400);
  for (const { text, named, province, city, now } of counties) {
    const names = {
      province: province.name,
      city: city || (province.children.length === 1 ? province.name : ''),
      county: text,
    };
    const match = resolveNames(divisions, former, names);
    const today =
      aliasIndex(divisions)
        .get(text)
        ?.map(({ division }) => division) ?? [];
    const meant = [...named.flatMap((one) => one.now), ...today];
    if (match.ok) expect(meant).toContain(match.county ?? match.city);
    else
      expect(
        new Set(named.flatMap((one) => one.now)).size + today.length,
        `${text} ${now[0]!.name}`,
      ).toBeGreaterThan(1);
  }
});

test('a present-day name is never read as the name of a former division', () => {
  for (const division of divisions.all) {
    if (division.children.length > 0) continue;
    const names = placeNames(division);
    expect(resolveNames(divisions, former, names)).toEqual(matchNames(divisions, names));
  }
});

test.each([
  ['安徽省', '巢湖市', '无为县', '芜湖市无为市'],
  ['安徽省', '巢湖市', '', '合肥市巢湖市'],
  ['安徽省', '巢湖地区', '和县', '马鞍山市和县'],
  ['湖北省', '襄樊市', '襄州区', '襄阳市襄州区'],
  ['湖北省', '襄阳市', '襄阳区', '襄阳市襄州区'],
  ['四川省', '万县市', '开县', '重庆市开州区'],
  ['重庆市', '重庆市', '江北县', 'division_county_former 渝北区 / 江北区 / 北碚区'],
  ['江苏省', '苏州市', '吴县', 'division_county_former 吴中区 / 相城区'],
  ['江苏省', '', '吴县市', 'division_county_former 吴中区 / 相城区'],
  ['山西省', '大同市', '城区', 'division_county_former 平城区 / 云冈区'],
  ['河北省', '石家庄市', '桥东区', 'division_county_former 长安区 / 桥西区'],
  ['安徽省', '巢湖地区', '', 'division_city_former 合肥市 / 芜湖市 / 马鞍山市'],
  ['上海市', '上海市', '南汇', '上海市浦东新区'],
  ['上海', '', '卢湾', '上海市黄浦区'],
  ['天津市', '天津市', '塘沽', '天津市滨海新区'],
  ['北京市', '', '宣武', '北京市西城区'],
  ['江苏省', '南京市', '白下', '南京市秦淮区'],
  ['江苏省', '淮阴市', '清浦', '淮安市清江浦区'],
  ['河北省', '石家庄市', '桥东', 'division_county_former 长安区 / 桥西区'],
  ['', '', '南市', 'division_county_former 莲池区 / 黄浦区'],
  ['湖北省', '武汉市', '汉阳', '武汉市汉阳区'],
  ['山西省', '大同市', '大同', 'division_county_elsewhere'],
  ['广东省', '深圳市', '天河区', 'division_county_elsewhere'],
  ['广东省', '深圳市', '不存在区', 'division_county_unknown'],
] as const)('the former names %s %s %s are read as %s', (province, city, county, expected) => {
  const match = resolveNames(divisions, former, { province, city, county });
  const shown = match.ok
    ? `${match.city.name}${match.county?.name ?? ''}`
    : match.code + (match.code.endsWith('former') ? ` ${String(match.params['candidates'])}` : '');
  expect(shown).toBe(expected);
});

test('a former county that is now several areas is read as the area that kept the name', () => {
  expect(
    matchFormer(divisions, former, { province: '江苏省', city: '', county: '锡山市' }),
  ).toMatchObject({ main: { name: '锡山区' }, isCertain: false });
});
