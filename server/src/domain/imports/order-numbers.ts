import { narrow } from '@waystation/contract/shell/search.ts';
import { scientific, wholeNumber } from './phones.ts';
import type { Sheet } from './row-texts.ts';

/**
 * A number with more digits than a spreadsheet can store, so that its last digits have become
 * zeros.
 */
const zeroed = /^\d{15}00+$/;

/**
 * True if a spreadsheet has read an order number as a number and lost its last digits: 1.23E+17,
 * 261101123456789000.
 */
const isCut = (text: string): boolean =>
  scientific.test(text) ? wholeNumber(text) === null : zeroed.test(text);

/** A date that a spreadsheet has made of a number such as 11-1 or 1-2. */
const day = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/**
 * Reports a date instead of an address as an error. An order number may look like a date, so a date
 * instead of an order number is only a warning.
 */
export const checkDays = (sheet: Sheet): void => {
  for (const field of ['receive_address', 'sender_address'] as const)
    if (day.test(sheet.text(field)))
      sheet.say(field, 'error', { code: 'import_day', params: { text: sheet.text(field) } });
  if (day.test(sheet.text('thr_order_id')))
    sheet.say('thr_order_id', 'warning', {
      code: 'import_day',
      params: { text: sheet.text('thr_order_id') },
    });
};

/**
 * A shop's order number that lost digits gets a warning, because the order cannot be found by the
 * remaining digits. Full-width characters are normalised as in a search.
 */
export const checkOrderNumber = (sheet: Sheet): void => {
  const written = sheet.text('thr_order_id');
  const typed = narrow(written);
  if (isCut(typed))
    return sheet.say('thr_order_id', 'warning', {
      code: 'import_digits_lost',
      params: { text: typed.slice(0, 40) },
    });
  const number = scientific.test(typed) ? wholeNumber(typed)! : typed;
  if (number !== written) sheet.repair('thr_order_id', number);
};
