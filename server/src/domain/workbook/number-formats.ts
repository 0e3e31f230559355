import { firstOf } from '@waystation/contract/base/present.ts';
/**
 * The way a cell's number is displayed: as a date, as digits in a pattern, or in thousands; null if
 * it is displayed unchanged.
 */
export type NumberStyle = 'date' | { places: string } | { thousands: number; unit: string } | null;

const builtInDates = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51,
  52, 53, 54, 55, 56, 57, 58,
]);

/** The style of a built-in number format; workbooks do not define built-in formats themselves. */
export const builtInStyle = (id: number): NumberStyle => (builtInDates.has(id) ? 'date' : null);

/**
 * True if a number format shows a date or a time. Letters in quotation marks or square brackets do
 * not count.
 */
const isDateFormat = (code: string): boolean =>
  /\[[hms]+\]/i.test(code) ||
  /[ymdhs]/i.test(
    firstOf(code.split(';')).replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|general/gi, ''),
  );

/** Number formats for order numbers or phones with leading zeros: 00000000 and 000-0000-0000. */
const placesOnly = /^0[0 -]*0$/;
/**
 * 0.0,"kg": a number format that shows the number divided by a thousand for each comma, with its
 * unit.
 */
const inThousands = /^[#0,]*0(?:\.[0#]+)?(,{1,2})(?:"([^"]{0,10})"|([a-z]{0,4}))$/i;

/**
 * The number style of a format code; null if the format does not change how a number is displayed.
 */
export const numberStyle = (code: string): NumberStyle => {
  const first = firstOf(code.split(';')).replaceAll(/\\([- ])/g, '$1');
  if (placesOnly.test(first)) return { places: first };
  const [, commas, quoted, bare] = inThousands.exec(first) ?? [];
  if (commas !== undefined) return { thousands: commas.length, unit: quoted ?? bare ?? '' };
  return isDateFormat(code) ? 'date' : null;
};

/**
 * Writes the digits into the zeros of the pattern `places`, from the right. The first zero gets all
 * remaining digits, and a zero for which no digit is left stays 0.
 */
const inPlaces = (number: number, places: string): string => {
  const count = places.replaceAll(/[^0]/g, '').length;
  const digits = String(number).padStart(count, '0');
  let at = digits.length - count + 1;
  const [, ...others] = places;
  return (
    digits.slice(0, at) + others.map((place) => (place === '0' ? digits[at++]! : place)).join('')
  );
};

/**
 * The number of digits of a whole number that spreadsheets keep; they replace the further digits
 * with zeros.
 */
const keptDigits = 15;
const mayHaveLostDigits = (number: number): boolean =>
  Number.isInteger(number) &&
  Math.abs(number) >= 10 ** keptDigits &&
  (number % 10 === 0 || !Number.isSafeInteger(number));
/**
 * True if a number's fifteen digits end in zeros, so that the reader sees that its last digits were
 * lost.
 */
const showsLoss = /^\d{15}00+$/;

/**
 * The text of a number with the fifteen digits that spreadsheets show: 0.1 + 0.2 is 0.3. A whole
 * number that may have lost its last digits gets an exponent if its digits do not show the loss:
 * 2.61101123456789E+15.
 */
const numberText = (number: number): string => {
  const text = String(Number.isInteger(number) ? number : Number(number.toPrecision(keptDigits)));
  if (!mayHaveLostDigits(number) || showsLoss.test(text)) return text;
  return String(Number(number.toPrecision(keptDigits)).toExponential()).replace('e', 'E');
};

const dayMs = 86_400_000;
/**
 * A day number as `2026-03-02`, with its time if it has one. The 1900 date system counts a day 29
 * February 1900, which never existed.
 */
const dateText = (serial: number, since1904: boolean): string => {
  const days = since1904 || serial < 60 ? serial : Math.max(serial - 1, 59);
  const at = new Date(
    (since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31)) + Math.round(days * dayMs),
  );
  if (Number.isNaN(at.getTime())) return String(serial);
  const text = at.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
};

/** The text of a number as the spreadsheet shows it. */
export const shownNumber = (number: number, style: NumberStyle, since1904: boolean): string => {
  if (style === null) return numberText(number);
  if (style === 'date') return dateText(number, since1904);
  if ('places' in style)
    return Number.isSafeInteger(number) && number >= 0 && !mayHaveLostDigits(number)
      ? inPlaces(number, style.places)
      : numberText(number);
  return numberText(number / 1_000 ** style.thousands) + style.unit;
};
