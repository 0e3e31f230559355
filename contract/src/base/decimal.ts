/**
 * Converts decimal text to whole numbers of a smallest unit and back, digit by digit, so that no
 * fraction is ever a float. `places` is the number of decimals of the smallest unit: 2 for fen in a
 * yuan, 3 for grams in a kilogram.
 */
import { visibleText } from './visible-text.ts';

const decimal = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/;
/** Matches the point in 1。5 and 1·5: some Chinese input methods type these for 1.5. */
const otherPoints = /(?<=\d)[。·](?=\d)/;
const longest = 40;

interface Digits {
  negative: boolean;
  whole: string;
  fraction: string;
}

const plainNumber = (text: string): string =>
  visibleText(text).normalize('NFKC').trim().replace(otherPoints, '.');

const digitsOf = (text: string): Digits | null => {
  if (text.length > longest * 4) return null;
  const plain = plainNumber(text);
  if (plain.length > longest) return null;
  const match = decimal.exec(plain);
  if (!match) return null;
  const whole = match[2]!.replaceAll(',', '');
  const fraction = match[3] ?? '';
  return whole + fraction === '' ? null : { negative: match[1] === '-', whole, fraction };
};

const signed = (value: number, negative: boolean): number | null => {
  if (!Number.isSafeInteger(value)) return null;
  return negative && value !== 0 ? -value : value;
};

/**
 * Converts a typed number to whole units; the text may contain full-width digits, thousands
 * separators and `。` as the decimal point. Null if it is no number, has too many decimals or is
 * too large.
 */
export const parseDecimal = (text: string, places: number): number | null => {
  const digits = digitsOf(text);
  if (!digits || /[1-9]/.test(digits.fraction.slice(places))) return null;
  return signed(
    Number(digits.whole + digits.fraction.slice(0, places).padEnd(places, '0')),
    digits.negative,
  );
};

/**
 * Matches a number such as 0,5 or 12,25. Its comma must be a decimal comma, because it cannot
 * separate thousands.
 */
const decimalComma = /^(\d+),(\d{1,2}|\d{4,})$|^(0),(\d{3})$/;
/**
 * Matches a number such as 1,500, which may mean 1.5 or 1500. Does not match 1,000, which is always
 * a thousand.
 */
const eitherComma = /^[1-9]\d{0,2},(?!000)\d{3}$/;

/**
 * Reads a weight or a length as people type it, with a point or a comma as the decimal sign: `0,5`
 * is 0.5; `1,500` could mean two numbers and returns null.
 */
export const parseMeasure = (text: string, places: number): number | null => {
  if (text.length > longest * 4) return null;
  const plain = plainNumber(text);
  return eitherComma.test(plain)
    ? null
    : parseDecimal(decimalComma.test(plain) ? plain.replace(',', '.') : plain, places);
};

/**
 * Reads a measure like `parseMeasure`, but rounds it half up if it has too many decimals. The
 * result of a spreadsheet formula may have such decimals.
 */
export const roundMeasure = (text: string, places: number): number | null => {
  if (text.length > longest * 4) return null;
  const plain = plainNumber(text);
  return eitherComma.test(plain)
    ? null
    : roundDecimal(decimalComma.test(plain) ? plain.replace(',', '.') : plain, places);
};

/**
 * Converts a figure from another system to whole units, rounded half up by its decimal digits (half
 * away from zero if it is negative). Null: not a number, or too large. A JSON number is read as its
 * shortest decimal text, so that 1.005 counts as exactly a half.
 */
export const roundDecimal = (value: string | number, places: number): number | null => {
  // JavaScript writes a number below a millionth with an exponent; such a number is treated as zero
  const text = typeof value === 'number' && Math.abs(value) < 1e-6 ? '0' : String(value);
  const digits = digitsOf(text);
  if (!digits) return null;
  const rounded = Number(digits.whole + digits.fraction.slice(0, places).padEnd(places, '0'));
  const next = digits.fraction.charAt(places);
  return signed(next >= '5' ? rounded + 1 : rounded, digits.negative);
};

/**
 * Converts whole units to decimal text with at least `least` decimals and no other trailing zeros.
 * `Intl.NumberFormat` formats this text without rounding it to a float.
 */
export const decimalText = (units: number, places: number, least: number = places): `${number}` => {
  if (!Number.isSafeInteger(units)) throw new RangeError(`not a whole number: ${units}`);
  const digits = String(Math.abs(units)).padStart(places + 1, '0');
  const at = digits.length - places;
  let fraction = digits.slice(at);
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  return `${units < 0 ? '-' : ''}${digits.slice(0, at)}${fraction && '.'}${fraction}` as `${number}`;
};
