import { provinceLetters } from '@waystation/contract/parcels/division-names.ts';
import { provinces } from '@waystation/contract/parcels/provinces.ts';
import { cityCodeOf, cityNamed, provinceCodeOf } from './places.ts';

/**
 * Names of groups of provinces that mean the same in every list. 东北 and 华东 are missing, because
 * their meaning differs from list to list.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  江浙沪: ['320000', '330000', '310000'],
  江浙: ['320000', '330000'],
  东三省: ['210000', '220000', '230000'],
  东北三省: ['210000', '220000', '230000'],
  两广: ['440000', '450000'],
  两湖: ['420000', '430000'],
  内蒙: ['150000'],
};

const names = new Map<string, readonly string[]>([
  ...Object.entries(provinceLetters).map(([letter, code]) => [letter, [code]] as const),
  ...Object.entries(groups),
  ...provinces.map(({ zh, code }) => [zh, [code]] as const),
]);
const longest = Math.max(...[...names.keys()].map((name) => name.length));

/** Splits names without separators: 江浙沪皖, 江苏浙江. Null unless the whole text consists of names. */
const joined = (text: string): string[] | null => {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    let length = Math.min(longest, text.length - at);
    while (length > 0 && !names.has(text.slice(at, at + length))) length--;
    if (length === 0) return null;
    found.push(...(names.get(text.slice(at, at + length)) ?? []));
    at += length;
    if (/[省市]/.test(text[at] ?? '')) at++;
  }
  return found;
};

const partsOf = (cell: string): string[] => cell.normalize('NFKC').split(/[、,;/|+&\n]|[和及与]/);

/**
 * The code of a city that is written with or without its province: 深圳, 广东深圳, 广东(深圳). Null if the
 * text is not a city.
 */
const cityIn = (text: string): string | null => {
  const plain = text.replaceAll(/[\s()（）]/g, '');
  for (let length = Math.min(longest + 1, plain.length - 1); length > 0; length--) {
    const code = provinceCodeOf(plain.slice(0, length));
    const city = code === undefined ? undefined : cityCodeOf(code, plain.slice(length));
    if (city !== undefined) return city;
  }
  return cityNamed(plain) ?? null;
};

/**
 * Returns the areas that a part of a cell means; null if it means none or can be read in two ways.
 * For example, 青海海南 may be two provinces, or a prefecture of the first one. Only the ending 市 makes
 * it clear.
 */
const areasOf = (part: string): string[] | null => {
  const province = provinceCodeOf(part);
  if (province !== undefined) return [province];
  const city = cityIn(part);
  const provinces = joined(part.replaceAll(/\s+/g, ''));
  if (city === null) return provinces;
  return provinces === null || part.endsWith('市') ? [city] : null;
};

type Places = { areas: string[] } | { unknown: string };

/**
 * Returns the codes of the cities in a cell, which must all be in the given province. If a part of
 * the cell is not such a city, returns the first such part instead.
 */
export const citiesIn = (province: string, cell: string): Places => {
  const found: string[] = [];
  for (const part of partsOf(cell).filter((each) => each.trim() !== '')) {
    const code = cityCodeOf(province, part);
    if (code === undefined) return { unknown: part.trim() };
    found.push(code);
  }
  return { areas: found };
};

/**
 * Returns the provinces and cities in a cell. If a part of the cell is neither, returns the first
 * such part instead.
 */
export const provincesIn = (cell: string): Places => {
  const found = new Set<string>();
  const parts = partsOf(cell);
  for (const part of parts.map((each) => each.trim()).filter((each) => each !== '')) {
    const codes = areasOf(part);
    if (codes === null) return { unknown: part };
    for (const code of codes) found.add(code);
  }
  return found.size === 0 ? { unknown: cell } : { areas: [...found] };
};
