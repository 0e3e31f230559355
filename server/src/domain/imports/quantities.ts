import { parseDecimal, roundDecimal, roundMeasure } from '@waystation/contract/base/decimal.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import { kgText, startedSteps } from '@waystation/contract/base/weight.ts';

/** The grams of each unit that people write. A number without a unit is in kilograms. */
const units: readonly [RegExp, number][] = [
  [/吨$/, 1_000_000],
  [/(?:kgs?|公斤|千克)$/i, 1_000],
  [/(?:斤|市斤)$/, 500],
  [/(?:lbs?|磅)$/i, 453.592_37],
  [/(?:grams?|克|g)$/i, 1],
];

/**
 * Prepares a text as a number by removing spaces that separate thousands: `1 500 g`. Returns '' if
 * another space separates digits (1 5), because this is a typing error.
 */
const figure = (text: string): string => {
  const plain = text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  const joined = plain.replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, '');
  return /\d \d/.test(joined) ? '' : joined.replaceAll(' ', '').slice(0, 40);
};

/** `1.5`, `1.5kg`, `500g`, `3斤` → grams, rounded; null if the text is no weight. */
export const gramsOf = (text: string): number | null => {
  const plain = figure(text);
  const [unit, factor] = units.find(([shape]) => shape.test(plain)) ?? [/$/, 1_000];
  // In an amount of grams, a comma separates thousands.
  const thousandths = (factor === 1 ? roundDecimal : roundMeasure)(plain.replace(unit, ''), 3);
  return thousandths === null ? null : Math.round((thousandths * factor) / 1_000);
};

/** Matches a number whose comma may separate thousands or mark the decimals. */
const eitherComma = /^(\d{1,3}),(\d{3})(?![\d.,])/;

/**
 * The weights in a text, in kilograms, if the whole text is not one weight (约2kg, 1-2公斤, 1,500).
 */
export const weightsIn = (text: string): string[] => {
  const parts =
    text
      .normalize('NFKC')
      .slice(0, 100)
      .match(/\d[\d.,]{0,20}\s?(?:kg|公斤|千克|市?斤|g|克|lbs?|磅)?/gi) ?? [];
  const grams = parts
    .flatMap((part) =>
      eitherComma.test(part)
        ? [part.replace(eitherComma, '$1.$2'), part.replace(eitherComma, '$1$2')]
        : [part],
    )
    .map(gramsOf)
    .filter((each) => each !== null && each > 0);
  return [...new Set(grams.map((each) => kgText(each!)))].slice(0, 3);
};

/** `2`, `2.0`, `2件` → 2; null if the text is no whole number. */
export const wholeOf = (text: string): number | null => {
  return parseDecimal(figure(text).replace(/(?:件|个|箱|包|cm|厘米)$/i, ''), 0);
};

const sideUnits: readonly [RegExp, (thousandths: number) => number][] = [
  [/(?:mm|毫米)$/i, (thousandths) => startedSteps(thousandths, 10_000)],
  [/(?<![c厘])(?:m|米)$/i, (thousandths) => startedSteps(thousandths * 100, 1_000)],
  [/(?:cm|厘米|公分)?$/i, (thousandths) => startedSteps(thousandths, 1_000)],
];

/**
 * `30`, `30.5cm`, `300mm`, `0.3米` → whole centimetres, rounded up as carriers measure; null if the
 * text is no length.
 */
export const sideOf = (text: string): number | null => {
  const plain = figure(text);
  const [unit, centimetres] = sideUnits.find(([shape]) => shape.test(plain))!;
  const thousandths = roundMeasure(plain.replace(unit, ''), 3);
  return thousandths === null || thousandths < 0 ? null : centimetres(thousandths);
};

/**
 * Per unit of money: the number of decimals that an amount in this unit may have, so that it is
 * whole fen.
 */
const moneyUnits: readonly [RegExp, number][] = [
  [/分$/, 0],
  [/角$/, 1],
  [/万元?$/, 6],
];

/** `¥500`, `500元`, `50000分`, `0.05万元` → fen; null if the text is no amount. */
export const fenOf = (text: string): number | null => {
  const plain = figure(text);
  const [unit, places] = moneyUnits.find(([shape]) => shape.test(plain)) ?? [];
  return unit === undefined || places === undefined
    ? parseYuan(plain)
    : parseDecimal(plain.replace(unit, ''), places);
};
