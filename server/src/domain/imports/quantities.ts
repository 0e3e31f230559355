import { parseDecimal } from '@waystation/contract/decimal.ts';

/** Grams of a unit, as people write it; kilograms without one. */
const units: readonly [RegExp, number][] = [
  [/(?:kgs?|公斤|千克)$/i, 1_000],
  [/(?:斤|市斤)$/, 500],
  [/(?:grams?|克|g)$/i, 1],
];

/** `1.5`, `1.5kg`, `500g`, `3斤` → grams; null: no weight, or finer than a gram. */
export const gramsOf = (text: string): number | null => {
  const plain = text.normalize('NFKC').replaceAll(/\s+/g, '').slice(0, 40);
  const [unit, factor] = units.find(([shape]) => shape.test(plain)) ?? [/$/, 1_000];
  const thousandths = parseDecimal(plain.replace(unit, ''), 3);
  if (thousandths === null) return null;
  const grams = (thousandths * factor) / 1_000;
  return Number.isInteger(grams) ? grams : null;
};

/** `2`, `2.0`, `2件` → 2; null: no whole number. */
export const wholeOf = (text: string): number | null => {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\s+/g, '')
    .replace(/(?:件|个|箱|包|cm|厘米)$/i, '')
    .slice(0, 40);
  return parseDecimal(plain, 0);
};
