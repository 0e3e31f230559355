/**
 * Money is whole fen everywhere in the code; users see and type yuan. This is the only file that
 * rounds money: half up, to whole fen (docs/pricing.md).
 */
import { decimalText, parseDecimal, roundDecimal } from '#base/decimal.ts';

/** 100 % in basis points. */
export const wholeRate = 10_000;

/**
 * `amount` fen × `rate` basis points / 10000, rounded half up to whole fen. Exact for every safe
 * integer: whole ten-thousands are multiplied separately, and only the rest is divided.
 */
export const halfUp = (amount: number, rate: number): number => {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`not an amount in fen: ${amount}`);
  if (!Number.isSafeInteger(rate) || rate < 0)
    throw new RangeError(`not a rate in basis points: ${rate}`);
  const rest = amount % wholeRate;
  const scaled = rest * rate + wholeRate / 2;
  return ((amount - rest) / wholeRate) * rate + (scaled - (scaled % wholeRate)) / wholeRate;
};

/**
 * The average of `sum` fen over `parts`, rounded half up to whole fen; zero if the sum is negative.
 */
export const averageOf = (sum: number, parts: number): number => {
  const whole = Math.max(0, sum);
  const rest = whole % parts;
  return (whole - rest) / parts + (2 * rest >= parts ? 1 : 0);
};

/**
 * Converts typed yuan ("1,234.5", "¥12", "１２．５元") to fen; null if it is not an amount of whole fen.
 */
export const parseYuan = (text: string): number | null =>
  parseDecimal(text.normalize('NFKC').trim().replace(/^¥/, '').replace(/元$/, ''), 2);

/** Converts a carrier's yuan to fen, rounded half up; null if it is not a number. */
export const yuanToFen = (yuan: string | number): number | null => roundDecimal(yuan, 2);

/** Writes fen as yuan, for forms and files: "1234.50". */
export const yuanText = (fen: number): `${number}` => decimalText(fen, 2);

let sums: Intl.NumberFormat | undefined;

/**
 * Writes fen as yuan, "1,234.50", as screens show it in both languages. It is exact, because the
 * text is never converted to a float.
 */
export const formatYuan = (fen: number): string =>
  (sums ??= new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })).format(yuanText(fen));

/** Basis points → per cent: 8500 → "85". */
export const percentText = (rate: number): string => decimalText(rate, 2, 0);

/** Basis points → the Chinese form of a discount, in tenths: 8500 → "8.5" 折. */
export const zheText = (rate: number): string => decimalText(rate, 3, 0);

/**
 * Converts a typed percentage ("85", "85.5%") to basis points; null if the text is not a percentage
 * with at most two decimals.
 */
export const parsePercent = (text: string): number | null =>
  parseDecimal(text.normalize('NFKC').trim().replace(/%$/, ''), 2);
