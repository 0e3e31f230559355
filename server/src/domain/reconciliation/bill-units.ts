import type { BillField } from '@waystation/contract/money/reconciliation.ts';

/**
 * The units that apply if a number in a bill has no unit. They are the weight unit in grams, and
 * the number of decimals that turn an amount into fen.
 */
export interface BillUnits {
  grams: number;
  places: number;
}

const weights: readonly [RegExp, number][] = [
  [/kg|公斤|千克/, 1_000],
  [/吨|(?:^|[^a-z])t(?:ons?)?(?:[^a-z]|$)/, 1_000_000],
  [/斤/, 500],
  [/(?:^|[^a-z])lbs?(?:[^a-z]|$)|磅/, 453.592_37],
  [/克|(?:^|[^a-z])g(?:rams?)?(?:[^a-z]|$)/, 1],
];

/** The unit in the title of a weight column, in grams; null if the title has no unit. */
export const namedWeight = (title: string): number | null => {
  const words = title.normalize('NFKC').toLowerCase();
  return weights.find(([shape]) => shape.test(words))?.[1] ?? null;
};

const amounts: readonly [RegExp, number][] = [
  [/万元?[)\]】\s]*$/, 6],
  [/角[)\]】\s]*$/, 1],
  [/分[)\]】\s]*$/, 0],
];

/**
 * Returns the units of a bill, read from the titles of its columns. If a title has no unit, weights
 * are in kilograms and amounts in yuan. If `unit` is grams, it overrides the title of the weights.
 */
export const billUnits = (
  columns: readonly { index: number; title: string }[],
  mapping: Partial<Record<BillField, number>>,
  unit: 'kg' | 'g',
): BillUnits => {
  const titleOf = (index: number | undefined): string =>
    (columns.find((column) => column.index === index)?.title ?? '').normalize('NFKC');
  const named = namedWeight(titleOf(mapping.weight));
  const kilograms = named === null || named === 1 ? 1_000 : named;
  return {
    grams: unit === 'g' ? 1 : kilograms,
    places: amounts.find(([shape]) => shape.test(titleOf(mapping.amount)))?.[1] ?? 2,
  };
};
