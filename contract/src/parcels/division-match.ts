/**
 * Finds the official divisions for the names in an address, and reports names for which no single
 * division is found.
 */
import type { Alias } from './division-names.ts';
import { aliasesOf, provinceLetters } from './division-names.ts';
import type { Division } from './division.ts';
import type { Divisions, PlaceNames } from './divisions.ts';
import type { ErrorCode } from '#base/errors.ts';
import { visibleText } from '#base/visible-text.ts';

export interface Named extends Alias {
  division: Division;
}

const indexes = new WeakMap<Divisions, Map<string, Named[]>>();

/**
 * The possible divisions of every alias; the index is created on first use, which takes about 15
 * ms.
 */
export const aliasIndex = (divisions: Divisions): ReadonlyMap<string, readonly Named[]> => {
  const known = indexes.get(divisions);
  if (known) return known;
  const index = new Map<string, Named[]>();
  for (const division of divisions.all) {
    // the only city of a municipality has the name of its province, and adds no alias
    if (division.parent?.name === division.name) continue;
    for (const alias of aliasesOf(division)) {
      const entry = { ...alias, division };
      const named = index.get(alias.text);
      if (named) named.push(entry);
      else index.set(alias.text, [entry]);
    }
  }
  indexes.set(divisions, index);
  return index;
};

export type Match =
  | {
      ok: true;
      province: Division;
      city: Division;
      /** Null if the city has no counties. */
      county: Division | null;
      /**
       * The text in the county field if the city has no counties (东莞: 长安镇); it belongs at the
       * beginning of the address.
       */
      town: string;
    }
  | {
      ok: false;
      field: 'province' | 'city' | 'county';
      code: Extract<ErrorCode, `division_${string}`>;
      params: Record<string, string>;
      /** The divisions elsewhere that have this name, from which the user can choose. */
      candidates: Division[];
    };

/**
 * The divisions that are inside another division of the same level: 伊犁哈萨克自治州 contains two
 * prefectures, but the official divisions list all three on the same level.
 */
const parts: Readonly<Record<string, readonly string[]>> = { 654000: ['654200', '654300'] };

/** The cities that lie inside another city. */
export const partsOf = (division: Division): Division[] =>
  division.parent && parts[division.code]
    ? division.parent.children.filter(({ code }) => parts[division.code]!.includes(code))
    : [];

const placeholders = /^(?:市辖区|县|-+|\/|无|.*直辖.*)$/;
const strengths = { full: 0, variant: 1, local: 2, short: 3, swapped: 4 };

export const cleanName = (name: string): string => {
  const text = visibleText(name).normalize('NFKC').replace(/\s+/g, '');
  return placeholders.test(text) ? '' : text;
};

/**
 * Finds the divisions of a level that have this name, inside `within` if it is given. Only the most
 * certain kind of match is returned.
 */
export const namedDivisions = (
  divisions: Divisions,
  text: string,
  level: Division['level'],
  within: Division | null,
): Division[] => {
  const hits = (aliasIndex(divisions).get(text) ?? []).filter(
    ({ division, kind }) =>
      division.level === level &&
      (division.parent === within ||
        (kind !== 'local' &&
          (!within || division === within || division.parent?.parent === within))),
  );
  const best = Math.min(...hits.map((hit) => strengths[hit.kind]));
  return hits.filter((hit) => strengths[hit.kind] === best).map((hit) => hit.division);
};

const placed = (divisions: readonly Division[]): string =>
  divisions
    .slice(0, 8)
    .map((division) =>
      division.level === 'county' ? `${division.parent!.short}` : division.parent!.short,
    )
    .join(' / ');

const failed = (
  field: 'province' | 'city' | 'county',
  reason: string,
  params: Record<string, string>,
  candidates: Division[] = [],
): Match => ({
  ok: false,
  field,
  code: `division_${field}_${reason}` as Extract<ErrorCode, `division_${string}`>,
  params,
  candidates,
});

/** The error for a name that does not exist, is ambiguous, or is not inside the given division. */
const misfit = (
  divisions: Divisions,
  field: 'city' | 'county',
  { name, within, found }: { name: string; within: Division | null; found: Division[] },
): Match => {
  if (found.length > 1)
    return failed(field, 'ambiguous', { name, candidates: placed(found) }, found);
  const elsewhere = within ? namedDivisions(divisions, name, field, null) : [];
  if (elsewhere.length)
    return failed(
      field,
      'elsewhere',
      { name, place: within!.name, candidates: placed(elsewhere) },
      elsewhere,
    );
  return failed(field, 'unknown', { name });
};

const done = (city: Division, county: Division | null, town = ''): Match => ({
  ok: true,
  province: city.parent!,
  city,
  county,
  town,
});

/** Matches a county name within a known city. */
const matchCounty = (divisions: Divisions, city: Division, name: string): Match => {
  if (!city.children.length)
    return done(
      city,
      null,
      !name || namedDivisions(divisions, name, 'city', city).length || city.name === name
        ? ''
        : name,
    );
  if (!name) return failed('county', 'required', { place: city.name }, city.children);
  const own = namedDivisions(divisions, name, 'county', city);
  const found =
    own.length > 0
      ? own
      : partsOf(city).flatMap((part) => namedDivisions(divisions, name, 'county', part));
  return found.length === 1
    ? done(found[0]!.parent!, found[0]!)
    : misfit(divisions, 'county', { name, within: city, found });
};

/**
 * Finds a place without a city. If only one city contains this county, it is used. The county field
 * may also contain a city without counties (湖北, –, 仙桃).
 */
const matchWithoutCity = (divisions: Divisions, province: Division | null, name: string): Match => {
  if (province?.children.length === 1) return matchCounty(divisions, province.children[0]!, name);
  if (!name)
    return failed('city', 'required', { place: province?.name ?? '' }, province?.children ?? []);
  const found = namedDivisions(divisions, name, 'county', province);
  if (found.length === 1) return done(found[0]!.parent!, found[0]!);
  const cities = found.length
    ? []
    : namedDivisions(divisions, name, 'city', province).filter((city) => !city.children.length);
  return cities.length === 1
    ? done(cities[0]!, null)
    : misfit(divisions, 'county', { name, within: province, found });
};

/**
 * True if a name looks like a town in a county-level city, written in the county field: 江苏省 吴江市
 * 盛泽镇.
 */
export const isTown = (divisions: Divisions, name: string): boolean =>
  /(?:[镇乡]|街道)$/.test(name) ||
  (name !== '' && !/[区县市旗]$/.test(name) && !aliasIndex(divisions).has(name));

/**
 * Matches the division names of a parcel or of an import row; returns the divisions, or the code
 * and parameters of the first mismatch. A name may lack its suffix or be a former name (广东, 静海县).
 * An empty province or city is found from the name below it, if only one is possible.
 */
export const matchNames = (divisions: Divisions, names: PlaceNames): Match => {
  const [provinceText, cityText, countyText] = [
    cleanName(names.province),
    cleanName(names.city),
    cleanName(names.county),
  ];
  const letter = provinceLetters[provinceText];
  const province = letter
    ? divisions.byCode.get(letter)!
    : (namedDivisions(divisions, provinceText, 'province', null)[0] ?? null);
  if (provinceText && !province) return failed('province', 'unknown', { name: provinceText });
  const sameAsProvince =
    cityText !== '' && namedDivisions(divisions, cityText, 'province', province).length > 0;
  // 吉林 is the name of a province and of a city. For a municipality, and for 香港特别行政区, the city only
  // repeats the province's name
  const cities = cityText ? namedDivisions(divisions, cityText, 'city', province) : [];
  if (!cities.length && sameAsProvince)
    return matchWithoutCity(
      divisions,
      province ?? namedDivisions(divisions, cityText, 'province', null)[0]!,
      countyText,
    );
  if (!cityText) {
    if (!province && !countyText)
      return failed('province', 'required', {}, [...divisions.provinces]);
    return matchWithoutCity(divisions, province, countyText);
  }
  if (cities.length === 1) return matchCounty(divisions, cities[0]!, countyText);
  // a county-level city (义乌) that was written in the city field
  const counties = cities.length ? [] : namedDivisions(divisions, cityText, 'county', province);
  if (counties.length === 1) {
    if (!countyText || namedDivisions(divisions, countyText, 'county', counties[0]!).length)
      return done(counties[0]!.parent!, counties[0]!);
    if (isTown(divisions, countyText)) return done(counties[0]!.parent!, counties[0]!, countyText);
  }
  return misfit(divisions, 'city', { name: cityText, within: province, found: cities });
};

const place = '路街巷弄里村镇乡桥寺庙祠塔宫山站苑府';
const word =
  '大道|大街|胡同|社区|小区|花园|花苑|广场|大厦|大楼|公园|医院|中学|小学|大学|学院|学校|职院|[一二三]中|[东西南北]站|[火汽]车|高铁|机场|码头|酒店|宾馆|饭店|商场|商城|超市|市场|国际|新村|新城|新苑|家园|佳苑|公寓|公馆|人家|豪庭|银行|支行|菜(?!市口|园)|烤|面馆|餐|料理|小吃|[湖河江海港](?:路|街|公园|风景|大道|大街)';
const goesOn = new RegExp(
  `^(?:[${place}]|${word}|[东西南北中前后内外上下新老]?[一二三四五六七八九十]{0,2}(?:路|街|巷|弄|大街|大道|横路|支路|环路))`,
);
const cityGoesOn = /^(?:场|民(?!族)|政府|委|立)/;

/**
 * True if an alias is only the beginning of another word: 南京 in 南京路, 深圳市 in 深圳市民中心. `rest` is the
 * text after the alias.
 */
export const isPartOfWord = (alias: Alias, rest: string): boolean =>
  alias.kind === 'short' ? goesOn.test(rest) : alias.text.endsWith('市') && cityGoesOn.test(rest);

const separators = /^[\s,，、;；:：/|>·.-]{1,8}/;
/** Words after a division's name that make it the name of an office: 南山区政府 does not repeat 南山区. */
const office =
  /^(?:政[府务协]|委|人民(?:政府|医院|法院|检察|公园|武装|大会)|法院|检察|公安|税务|第[一二三四五六七八九十]|医[院保]|图书|博物|体育(?:局|馆|中心|场)|[火汽]车|高铁|中心(?:医院|小学|幼儿|学校|卫生))/;

const fillers = /^(?:市辖区|(?:省|自治区)?直辖县级行政区划)/;
const skip = (text: string): string =>
  text.replace(separators, '').replace(fillers, '').replace(separators, '');

interface Taken {
  alias: Alias;
  rest: string;
}

const aliases = new WeakMap<Division, Alias[]>();
/** The known names of a division, longest first. */
const knownAliases = (division: Division): Alias[] => {
  const known = aliases.get(division);
  if (known) return known;
  const made = aliasesOf(division).toSorted((a, b) => b.text.length - a.text.length);
  aliases.set(division, made);
  return made;
};

/** The longest name of `division` with which `text` begins, and the rest of the text. */
const taken = (division: Division | null, text: string): Taken | null => {
  if (!division) return null;
  const alias = knownAliases(division).find((each) => text.startsWith(each.text));
  return alias ? { alias, rest: text.slice(alias.text.length) } : null;
};

const withoutOnce = (chain: readonly (Division | null)[], address: string): string => {
  const found: Taken[] = [];
  let rest = skip(address);
  for (const division of chain) {
    const next = taken(division, rest);
    if (!next) continue;
    found.push(next);
    rest = skip(next.rest);
  }
  // Only the last name can be the beginning of a longer word; a name that is followed by another
  // division is complete.
  const last = found.at(-1);
  if (last && isPartOfWord(last.alias, last.rest)) {
    found.pop();
    rest = last.alias.text + last.rest;
  }
  const whole = found.some(({ alias }) => alias.kind !== 'short');
  return found.length > 1 || (whole && !office.test(rest)) ? rest : address;
};

/**
 * The address without province, city and county, if it begins with them, even several times
 * (requirements §3: an address is stored beside its province). 广东省 深圳市 南山区 + 广东深圳市南山区科技园1号 → 科技园1号.
 * 北京路1号 in 北京 is unchanged.
 */
export const splitRepeatedPrefix = (
  found: { province: Division | null; city: Division | null; county: Division | null },
  address: string,
): string => {
  const city = found.city && found.city.name === found.province?.name ? null : found.city;
  let rest = address;
  // a real address repeats the names at most four times
  for (let times = 0; times < 4; times += 1) {
    const next = withoutOnce([found.province, city, found.county], rest);
    if (next === rest) break;
    rest = next;
  }
  return rest;
};
