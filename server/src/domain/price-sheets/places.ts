import { aliasesOf } from '@waystation/contract/parcels/division-names.ts';
import { areaCodeOf } from '@waystation/contract/parcels/divisions.ts';
import type { Division } from '@waystation/contract/parcels/divisions.ts';
import { provinceName, provinceOf, provinces } from '@waystation/contract/parcels/provinces.ts';
import { divisions } from '#domain/address/address.ts';
import { otherSenders } from './columns.ts';

const isNamed = (division: Division, text: string): boolean =>
  division.code === text || aliasesOf(division).some((alias) => alias.text === text);

/**
 * The code of a province, found by its code or by any spelling of its name; undefined if the text
 * is not a province.
 */
export const provinceCodeOf = (text: string): string | undefined => {
  const plain = text.normalize('NFKC').trim();
  const listed = provinces.find(
    ({ zh, en }) => plain === zh || plain.toLowerCase() === en.toLowerCase(),
  );
  return (listed ?? divisions.provinces.find((division) => isNamed(division, plain)))?.code;
};

/**
 * The code that templates use for a city of the province; undefined if the province has no such
 * city.
 */
export const cityCodeOf = (province: string, text: string): string | undefined => {
  const plain = text.normalize('NFKC').trim();
  const children = divisions.byCode.get(province)?.children ?? [];
  if (/^\d{6}$/.test(plain))
    return provinceOf(plain) === province && children.some((city) => areaCodeOf(city) === plain)
      ? plain
      : undefined;
  const city = children.find((child) => isNamed(child, plain));
  return city && areaCodeOf(city);
};

/**
 * The code of a city whose name is written without its province; undefined if no city or several
 * cities have the name.
 */
export const cityNamed = (text: string): string | undefined => {
  const plain = text.normalize('NFKC').trim();
  if (plain.length < 2) return undefined;
  const found = divisions.provinces.flatMap(({ children }) =>
    children.filter((city) => isNamed(city, plain)),
  );
  const [city] = found;
  return found.length === 1 && city ? areaCodeOf(city) : undefined;
};

/** The name of the province or city that has this code in a template. */
export const areaName = (area: string, language: 'zh' | 'en'): string => {
  const province = provinceOf(area);
  const city = divisions.byCode.get(province)?.children.find((each) => areaCodeOf(each) === area);
  return area === province || !city ? provinceName(area, language) : city.name;
};

const everyOther: readonly string[] = ['', otherSenders.zh, otherSenders.en.toLowerCase()];

/**
 * Returns the sender provinces of a cell; none means all others. If a name is not a province,
 * returns the first such name instead.
 */
export const sendersOf = (text: string): { provinces: string[] } | { unknown: string } => {
  const plain = text.normalize('NFKC').trim();
  if (everyOther.includes(plain.toLowerCase())) return { provinces: [] };
  const found: string[] = [];
  for (const name of plain.split(/[、,;/|]/).map((part) => part.trim())) {
    if (name === '') continue;
    const code = provinceCodeOf(name);
    if (code === undefined) return { unknown: name };
    if (!found.includes(code)) found.push(code);
  }
  return { provinces: found };
};
