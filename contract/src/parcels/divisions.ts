/**
 * The official divisions: province, city and county, each with its six-digit code
 * (docs/glossary.md). The caller passes the data in, so that a browser loads it only when an
 * address cascader first opens: `readDivisions((await import('./divisions.json')).default)`.
 */
import type { Division } from './division.ts';
import { levels } from './division.ts';
import { shortName } from './division-names.ts';
import { provinceOf } from './provinces.ts';

export type { Division, Level } from './division.ts';

/**
 * The content of divisions.json. A line is `level|code|name|pinyin`; it belongs to the nearest line
 * above that has a higher level (a smaller number).
 */
export interface DivisionData {
  about: { source: string; licence: string; as_of: string };
  lines: readonly string[];
}

export interface Divisions {
  provinces: readonly Division[];
  /** All divisions; each comes before the divisions below it. */
  all: readonly Division[];
  byCode: ReadonlyMap<string, Division>;
}

/** Builds the tree in one pass, about 2 ms. */
export const readDivisions = (data: DivisionData): Divisions => {
  const all: Division[] = [];
  const open: Division[] = [];
  for (const line of data.lines) {
    const [digit, code, name, pinyin] = line.split('|') as [string, string, string, string];
    const depth = Number(digit) - 1;
    const level = levels[depth]!;
    const parent = open[depth - 1] ?? null;
    const division = {
      code,
      level,
      name,
      short: shortName(name, level),
      pinyin,
      parent,
      children: [],
    };
    open[depth] = division;
    parent?.children.push(division);
    all.push(division);
  }
  return {
    all,
    provinces: all.filter((division) => division.level === 'province'),
    byCode: new Map(all.map((division) => [division.code, division])),
  };
};

/** The divisions that contain this division, from the province down, and the division itself. */
export const pathOf = (division: Division): Division[] =>
  division.parent ? [...pathOf(division.parent), division] : [division];

export interface PlaceNames {
  province: string;
  city: string;
  county: string;
}

/** The official names that a parcel stores for a division; the names of lower levels are empty. */
export const placeNames = (division: Division): PlaceNames => {
  const [province, city, county] = pathOf(division);
  return { province: province!.name, city: city?.name ?? '', county: county?.name ?? '' };
};

/**
 * The division code under which freight templates price a receiver (docs/pricing.md): the city's
 * code, or the province's if no city is known. Chongqing's counties are priced with its districts
 * (`500100`); places directly under a province share one code (仙桃 `429004` → `429000`).
 */
export const areaCodeOf = (division: Division): string => {
  const city = pathOf(division)[1];
  return city ? `${city.code.slice(0, 4)}00` : provinceOf(division.code);
};

/**
 * Joins an address to one line, as on a label; a name that equals the name before it (北京市北京市) is
 * written once.
 */
export const fullAddress = (place: PlaceNames & { address: string }): string =>
  [
    place.province,
    place.city === place.province ? '' : place.city,
    place.county === place.city ? '' : place.county,
    place.address,
  ].join('');

const initials = (pinyin: string): string => pinyin.replace(/(\S)\S*\s?/g, '$1');

/** How well a search term matches a division, lower is better; null if it does not match. */
const rank = (division: Division, term: string): number | null => {
  if (division.name === term || division.short === term) return 0;
  if (division.name.startsWith(term)) return 1;
  if (!/^[a-z]/.test(term)) return division.name.includes(term) ? 4 : null;
  const spelled = division.pinyin.replaceAll(' ', '');
  if (spelled === term) return 1;
  if (initials(division.pinyin).startsWith(term)) return 2;
  return spelled.startsWith(term) ? 3 : null;
};

/**
 * The divisions that match a search, best match first: by name (南山), pinyin (nanshan) or initials
 * (ns, nsq). In a search with several words, the higher division comes first: `gd ns` is 南山 in
 * 广东.
 */
export const searchDivisions = (divisions: Divisions, query: string, limit = 20): Division[] => {
  const terms = query
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s/,>]+/)
    .filter(Boolean);
  const last = terms.pop();
  if (last === undefined) return [];
  const found: { division: Division; score: number }[] = [];
  for (const division of divisions.all) {
    const own = rank(division, last);
    if (own === null) continue;
    const above = pathOf(division).slice(0, -1);
    if (terms.every((term) => above.some((each) => rank(each, term) !== null)))
      found.push({ division, score: own * 3 + levels.indexOf(division.level) });
  }
  // sorting is stable, so divisions of equal rank keep the official order
  return found
    .toSorted((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ division }) => division);
};
