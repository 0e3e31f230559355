import { provinceCodes } from './provinces.ts';

/** The 34 province-level divisions, grouped into regions as in price lists. */
export const regions = [
  {
    key: 'north',
    zh: '华北',
    en: 'North',
    provinces: ['110000', '120000', '130000', '140000', '150000'],
  },
  { key: 'northeast', zh: '东北', en: 'North-east', provinces: ['210000', '220000', '230000'] },
  {
    key: 'east',
    zh: '华东',
    en: 'East',
    provinces: ['310000', '320000', '330000', '340000', '350000', '360000', '370000'],
  },
  { key: 'central', zh: '华中', en: 'Central', provinces: ['410000', '420000', '430000'] },
  { key: 'south', zh: '华南', en: 'South', provinces: ['440000', '450000', '460000'] },
  {
    key: 'southwest',
    zh: '西南',
    en: 'South-west',
    provinces: ['500000', '510000', '520000', '530000', '540000'],
  },
  {
    key: 'northwest',
    zh: '西北',
    en: 'North-west',
    provinces: ['610000', '620000', '630000', '640000', '650000'],
  },
  {
    key: 'beyond',
    zh: '港澳台',
    en: 'Hong Kong, Macao, Taiwan',
    provinces: ['710000', '810000', '820000'],
  },
] as const satisfies readonly {
  key: string;
  zh: string;
  en: string;
  provinces: readonly string[];
}[];
export type RegionKey = (typeof regions)[number]['key'];

/**
 * The pairs of provinces that have a common border, or a strait that parcels cross, written as the
 * first two digits of their codes. Each pair is listed once.
 */
const borders =
  '11-12 11-13 12-13 13-14 13-15 13-21 13-37 13-41 14-15 14-41 14-61 15-21 15-22 15-23 15-61 15-62 15-64 21-22 22-23 31-32 31-33 32-33 32-34 32-37 33-34 33-35 33-36 34-36 34-37 34-41 34-42 35-36 35-44 36-42 36-43 36-44 37-41 41-42 41-61 42-43 42-50 42-61 43-44 43-45 43-50 43-52 44-45 44-46 45-46 45-52 45-53 50-51 50-52 50-61 51-52 51-53 51-54 51-61 51-62 51-63 52-53 53-54 54-63 54-65 61-62 61-64 62-63 62-64 62-65 63-65';

const neighbours = new Map<string, string[]>(provinceCodes.map((code) => [code, []]));
for (const pair of borders.split(' ')) {
  const [one, other] = pair.split('-').map((digits) => `${digits}0000`) as [string, string];
  neighbours.get(one)!.push(other);
  neighbours.get(other)!.push(one);
}

/**
 * The provinces that border on a province. Empty for Taiwan, Hong Kong and Macao, whose prices do
 * not depend on neighbours.
 */
export const neighboursOf = (province: string): readonly string[] => neighbours.get(province) ?? [];
