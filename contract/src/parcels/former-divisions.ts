/**
 * Divisions that were renamed, merged, moved or dissolved since 1981, with the present divisions
 * that replaced them. The caller passes the data in, as for the present divisions:
 * `readFormer(divisions, (await import('./former-divisions.json')).default)`.
 */
import type { Alias } from './division-names.ts';
import { aliasesOf, shortName } from './division-names.ts';
import type { Division, Level } from './division.ts';
import type { Match } from './division-match.ts';
import { aliasIndex, cleanName, isTown, matchNames, namedDivisions } from './division-match.ts';
import type { Divisions, PlaceNames } from './divisions.ts';
import { pathOf } from './divisions.ts';

/** The content of former-divisions.json; its field `about` explains the format of its lines. */
export interface FormerData {
  about: { source: string; licence: string; as_of: string; line: string };
  lines: readonly string[];
}

export interface FormerDivision {
  level: Exclude<Level, 'province'>;
  /** The name of the former division, for example 居巢区 in 巢湖市, 安徽省. */
  name: string;
  province: Division;
  /**
   * The name of the city to which the county belonged; empty for a city, and for a county directly
   * under its province.
   */
  city: string;
  /** The present divisions in the area of the former division; for a former city only cities. */
  now: readonly Division[];
  /**
   * The division in `now` that took over the former name, or else most of the area. Null if there
   * are several divisions, and none of them took over the name or most of the area.
   */
  main: Division | null;
}

export interface FormerDivisions {
  /** The former divisions that each way of writing a name may mean. */
  byText: ReadonlyMap<string, readonly FormerDivision[]>;
  all: readonly FormerDivision[];
}

/** Every way to write the name of a former division: 景谷傣族彝族自治县 and 景谷县, 襄樊市 and 襄樊, 南汇区 and 南汇. */
export const formerAliases = ({ level, name, province }: FormerDivision): Alias[] =>
  aliasesOf({
    code: '',
    level,
    name,
    short: shortName(name, level),
    pinyin: '',
    parent: level === 'county' ? { ...province, level: 'city', parent: province } : province,
    children: [],
  }).filter(
    ({ kind }) =>
      kind === 'full' ||
      kind === 'variant' ||
      (kind === 'short' && (level === 'county' || name.endsWith('市'))),
  );

/**
 * True if a text is the name of a former county without its ending: 南汇 for 南汇区. Such a text may
 * also begin another word (塘沽 in 塘沽大街).
 */
export const isShortFormer = ({ level, name }: FormerDivision, text: string): boolean =>
  level === 'county' && text === shortName(name, level) && text !== name;

/**
 * True if a present city or province has the short name of a former county: 大同 means 大同市 rather
 * than 大同县.
 */
const isLargerPlace = (divisions: Divisions, text: string): boolean =>
  (aliasIndex(divisions).get(text) ?? []).some(({ division }) => division.level !== 'county');

/** Reads the data of former divisions and builds their index. */
export const readFormer = (divisions: Divisions, data: FormerData): FormerDivisions => {
  const byText = new Map<string, FormerDivision[]>();
  const all: FormerDivision[] = [];
  let province = divisions.provinces[0]!;
  let city = '';
  for (const line of data.lines) {
    const [digit, name, codes = ''] = line.split('|') as [string, string, string?];
    if (digit === '1') {
      province = divisions.provinces.find((one) => one.name === name)!;
      city = '';
      continue;
    }
    if (digit === '2') city = name;
    if (codes === '') continue;
    const now = codes.split(' ').map((code) => divisions.byCode.get(code.replace('*', ''))!);
    const main = codes.includes('*') || now.length === 1 ? now[0]! : null;
    const former: FormerDivision = {
      level: digit === '2' ? 'city' : 'county',
      name,
      province,
      city: digit === '2' ? '' : city,
      now,
      main,
    };
    all.push(former);
    for (const { text } of formerAliases(former)) {
      if (
        isShortFormer(former, text) &&
        (text === shortName(city, 'city') || isLargerPlace(divisions, text))
      )
        continue;
      const known = byText.get(text);
      if (known) known.push(former);
      else byText.set(text, [former]);
    }
  }
  return { byText, all };
};

const cityOf = (division: Division): Division =>
  division.level === 'county' ? division.parent! : division;

/**
 * The area in which a former division is searched: a province, present cities, and the text that
 * was written as the city. Null, or empty, means that none was given.
 */
export interface Within {
  province: Division | null;
  cities: readonly Division[] | null;
  cityText: string;
}

/**
 * True if a former division lay in this province and city at its time, or its area lies there
 * today.
 */
export const isWithin = (former: FormerDivision, { province, cities, cityText }: Within): boolean =>
  (province === null ||
    former.province === province ||
    former.now.some((division) => pathOf(division)[0] === province)) &&
  (cities === null ||
    former.city === cityText ||
    former.now.some((division) => cities.includes(cityOf(division))));

/** The present divisions that replace a former division, the likeliest first. */
export interface FormerMatch {
  now: readonly Division[];
  /**
   * The present division that the text means: certain if `isCertain`, else likely; null if the text
   * may mean several divisions.
   */
  main: Division | null;
  isCertain: boolean;
}

/** The present divisions for several former divisions of the same name. */
export const presentOf = (
  found: readonly FormerDivision[],
  { cityText }: Within,
): FormerMatch | null => {
  const exact = found.filter(({ city }) => cityText !== '' && city === cityText);
  const chosen = exact.length > 0 ? exact : found;
  if (chosen.length === 0) return null;
  const now = [...new Set(chosen.flatMap((former) => former.now))];
  const mains = new Set(chosen.map(({ main }) => main));
  const main = mains.size === 1 ? chosen[0]!.main : null;
  // 和县 moved to another city and is still called 和县, although one of its towns belongs elsewhere
  const isCertain =
    now.length === 1 || (main !== null && chosen.every(({ name }) => name === main.name));
  return {
    now: main === null ? now : [main, ...now.filter((division) => division !== main)],
    main,
    isCertain,
  };
};

/**
 * The present cities for the text of a city: 淮阴市 is now 淮安市, and 巢湖市 is now part of three cities.
 * Null if the text is a present city.
 */
const citiesOf = (
  divisions: Divisions,
  former: FormerDivisions,
  cityText: string,
  province: Division | null,
): Division[] | null => {
  const present = namedDivisions(divisions, cityText, 'city', province);
  const past = (former.byText.get(cityText) ?? []).filter(
    (one) => one.level === 'city' && isWithin(one, { province, cities: null, cityText: '' }),
  );
  const cities = [...new Set([...present, ...past.flatMap(({ now }) => now)])];
  if (cities.length > 0) return cities;
  // the text of the city is the name of a municipality
  return province && namedDivisions(divisions, cityText, 'province', province).length > 0
    ? province.children
    : null;
};

/**
 * Finds the present divisions for three names of which at least one is a former name, the most
 * likely first; null if no former division has such a name. The names may be from the same time or
 * from different times: 安徽省 巢湖市 无为县, 合肥市 居巢区, 广东省 – 番禺市, 四川省 万县市 开县.
 */
export const matchFormer = (
  divisions: Divisions,
  former: FormerDivisions,
  names: PlaceNames,
): FormerMatch | null => {
  const [provinceText, cityText, countyText] = [
    cleanName(names.province),
    cleanName(names.city),
    cleanName(names.county),
  ];
  const province = namedDivisions(divisions, provinceText, 'province', null)[0] ?? null;
  if (provinceText !== '' && province === null) return null;
  const search = (text: string, within: Within): FormerMatch | null =>
    presentOf(
      (former.byText.get(text) ?? []).filter(
        (one) => one.level === 'county' && isWithin(one, within),
      ),
      within,
    );
  if (countyText === '') {
    if (cityText === '') return null;
    // the city field contains the name of a former county-level city
    const county = search(cityText, { province, cities: null, cityText: '' });
    if (county !== null) return county;
    const cities = citiesOf(divisions, former, cityText, province) ?? [];
    return cities.length === 0
      ? null
      : {
          now: cities,
          main: cities.length === 1 ? cities[0]! : null,
          isCertain: cities.length === 1,
        };
  }
  const cities = cityText === '' ? null : citiesOf(divisions, former, cityText, province);
  if (cityText !== '' && cities === null) return null;
  const found = search(countyText, { province, cities, cityText });
  if (found !== null || cities === null) return found;
  // a present county whose name follows the name of a former city
  const counties = cities.flatMap((city) => namedDivisions(divisions, countyText, 'county', city));
  return counties.length === 0
    ? null
    : {
        now: counties,
        main: counties.length === 1 ? counties[0]! : null,
        isCertain: counties.length === 1,
      };
};

/**
 * True if a county's name matches only because of an ending from another time: 江北县 for 江北区,
 * although the former 江北县 is 渝北区 today.
 */
const isSwapped = (divisions: Divisions, county: Division, text: string): boolean =>
  (aliasIndex(divisions).get(text) ?? []).some(
    (alias) => alias.division === county && alias.kind === 'swapped',
  );

const mostNamed = 8;

/** The error for a former name. It lists the present divisions, which may be of another level. */
const former422 = (names: PlaceNames, { now }: FormerMatch): Match => {
  const field = names.county === '' ? 'city' : 'county';
  const candidates = now.slice(0, mostNamed).map(({ name }) => name);
  return {
    ok: false,
    field,
    code: `division_${field}_former`,
    params: { name: names[field], candidates: candidates.join(' / ') },
    candidates: [...now],
  };
};

/**
 * Like `matchNames`, but also accepts names that divisions had since 1981. A former name means the
 * present division if its area is now a single division. If it is several divisions, the match
 * fails with all of them as candidates, unless one of them still has the name.
 */
export const resolveNames = (
  divisions: Divisions,
  former: FormerDivisions,
  names: PlaceNames,
): Match => {
  const match = matchNames(divisions, names);
  const countyText = cleanName(names.county) || (match.ok ? cleanName(names.city) : '');
  // 淮阴市 清浦: a text that looks like a town may be the name of a former county
  if (
    match.ok &&
    match.town === '' &&
    !(match.county && isSwapped(divisions, match.county, countyText))
  )
    return match;
  const past = matchFormer(divisions, former, names);
  if (past === null && match.ok) return match;
  if (
    past === null &&
    names.city !== '' &&
    isTown(divisions, countyText) &&
    matchFormer(divisions, former, { ...names, county: '' }) !== null
  ) {
    const above = resolveNames(divisions, former, { ...names, county: '' });
    return above.ok ? { ...above, town: countyText } : above;
  }
  if (past === null || (match.ok && past.main === match.county)) return match;
  if (!past.isCertain) return former422(names, past);
  const [province, city, county] = pathOf(past.main!);
  return matchNames(divisions, {
    province: province!.name,
    city: city!.name,
    county: county?.name ?? '',
  });
};
