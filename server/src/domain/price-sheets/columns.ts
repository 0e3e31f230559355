import { mostBrackets } from '@waystation/contract/money/voucher-content.ts';
import type { CellKind } from '#domain/workbook/workbook.ts';

export type Language = 'zh' | 'en';

/**
 * A column of the price sheet. The key of a column shows its content, for example
 * `brackets.0.up_to_g`; brackets are counted from 0.
 */
export interface PriceColumn {
  key: string;
  kind: Extract<CellKind, 'text' | 'kg' | 'money'>;
  zh: string;
  en: string;
}

const before: readonly PriceColumn[] = [
  { key: 'senders', kind: 'text', zh: '寄件省份', en: 'Senders' },
  { key: 'province', kind: 'text', zh: '收件省份', en: 'Province' },
  { key: 'city', kind: 'text', zh: '收件城市', en: 'City' },
  { key: 'name', kind: 'text', zh: '分区', en: 'Zone' },
  { key: 'first.max_g', kind: 'kg', zh: '首重（kg）', en: 'First weight (kg)' },
  { key: 'first.price', kind: 'money', zh: '首重价（元）', en: 'First price (¥)' },
];
const minimum: PriceColumn = {
  key: 'minimum',
  kind: 'money',
  zh: '最低收费（元）',
  en: 'Minimum (¥)',
};

/** The columns of a price sheet with this number of brackets, in the order of the editor's grid. */
export const columnsOf = (brackets: number): PriceColumn[] => [
  ...before,
  ...Array.from({ length: brackets }, (_, index): PriceColumn[] => [
    {
      key: `brackets.${index}.up_to_g`,
      kind: 'kg',
      zh: `续重 ${index + 1} 上限（kg）`,
      en: `Bracket ${index + 1} up to (kg)`,
    },
    {
      key: `brackets.${index}.step_g`,
      kind: 'kg',
      zh: `续重 ${index + 1} 单位（kg）`,
      en: `Step ${index + 1} (kg)`,
    },
    {
      key: `brackets.${index}.price`,
      kind: 'money',
      zh: `续重 ${index + 1} 单价（元）`,
      en: `Step ${index + 1} price (¥)`,
    },
  ]).flat(),
  minimum,
];

/** A title without its unit and spaces, in lower case, as titles are compared. */
const plainTitle = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\((?:kg|元|¥)\)|\s+/g, '');

/** Every possible column title in both languages, including the numbered titles of each bracket. */
const known: ReadonlyMap<string, PriceColumn> = new Map(
  columnsOf(mostBrackets).flatMap((column) => [
    [plainTitle(column.zh), column],
    [plainTitle(column.en), column],
  ]),
);

export const columnOf = (title: string): PriceColumn | undefined => known.get(plainTitle(title));

/** The columns that every price sheet must have. */
export const neededColumns: readonly PriceColumn[] = before.filter(({ key }) =>
  ['province', 'first.max_g', 'first.price'].includes(key),
);

export const closedWord = { zh: '不送达', en: 'Not served' } as const;
export const otherSenders = { zh: '其余省份', en: 'All others' } as const;
