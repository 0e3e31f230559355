import type { ImportColumn, ImportField } from '@waystation/contract/imports/import.ts';

/**
 * The unit in a column's title, per field, if numbers without a unit in this column are not in
 * kilograms, centimetres or yuan.
 */
export type TitleUnits = Partial<
  Record<ImportField, '克' | '斤' | '磅' | '吨' | '毫米' | '米' | '分' | '角' | '万元'>
>;

const ending = String.raw`[\s)\]】.:]*$`;
const weights: readonly [RegExp, '克' | '斤' | '磅' | '吨'][] = [
  [new RegExp(`(?:(?<![a-z])(?:t|tons?|tonnes?)|吨)${ending}`, 'i'), '吨'],
  [new RegExp(`(?:(?<![a-z])(?:g|grams?)|(?<!千)克)${ending}`, 'i'), '克'],
  [new RegExp(`(?<!公)斤${ending}`), '斤'],
  [new RegExp(`(?:(?<![a-z])(?:lbs?|pounds?)|磅)${ending}`, 'i'), '磅'],
];
const lengths: readonly [RegExp, '毫米' | '米'][] = [
  [new RegExp(`(?:(?<![a-z])mm|毫米)${ending}`, 'i'), '毫米'],
  [new RegExp(`(?:(?<![a-z])m|(?<![厘毫分])米)${ending}`, 'i'), '米'],
];
const amounts: readonly [RegExp, '分' | '角' | '万元'][] = [
  [new RegExp(`分${ending}`), '分'],
  [new RegExp(`角${ending}`), '角'],
  [new RegExp(`万元?${ending}`), '万元'],
];
const unitsOf = {
  guarantee_value_amount: amounts,
  weight: weights,
  length: lengths,
  width: lengths,
  height: lengths,
} as const;

/**
 * The units in the titles of columns, for cells that contain only a number: 重量(g), 毛重/克, weight_g,
 * 长(mm).
 */
export const titleUnits = (
  columns: readonly Pick<ImportColumn, 'index' | 'title'>[],
  mapping: Partial<Record<ImportField, number>>,
): TitleUnits => {
  const units: TitleUnits = {};
  for (const [field, known] of Object.entries(unitsOf) as [
    keyof typeof unitsOf,
    typeof weights | typeof lengths | typeof amounts,
  ][]) {
    const title =
      columns
        .find(({ index }) => index === mapping[field])
        ?.title.slice(0, 100)
        .normalize('NFKC') ?? '';
    const unit = known.find(([shape]) => shape.test(title))?.[1];
    if (unit !== undefined) units[field] = unit;
  }
  return units;
};

/** Adds the unit of the column's title to a cell that contains only a number. */
export const withUnit = (cell: string, unit: string | undefined): string => {
  if (unit === undefined) return cell;
  const text = cell.normalize('NFKC').trim();
  return /^[\d.,]+$/.test(text) ? text + unit : cell;
};

/** The unit of typed values, by field. */
const ownUnits: Partial<Record<ImportField, string>> = {
  weight: 'kg',
  guarantee_value_amount: '元',
};

/**
 * Adds the unit kilograms, centimetres or yuan to a typed text if the column's title has another
 * unit, because a user always types these units.
 */
export const withOwnUnit = (text: string, field: ImportField, units: TitleUnits): string =>
  units[field] === undefined ? text : withUnit(text, ownUnits[field] ?? 'cm');
