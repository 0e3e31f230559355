import { scientific, wholeNumber } from './phones.ts';
import type { Sheet } from './row-texts.ts';

/** More digits than a spreadsheet keeps of a number, all further ones zero. */
const zeroed = /^\d{15}00+$/;

/** Whether a spreadsheet took a number for a figure and lost its last digits: 1.23E+17, 261101123456789000. */
const isCut = (text: string): boolean => (scientific.test(text) ? wholeNumber(text) === null : zeroed.test(text));

/** What is left of 11-1 or 1-2 once a spreadsheet has taken it for a day. */
const day = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/** An address that is a day alone is nobody's; an order number may be one, and is a warning. */
export const checkDays = (sheet: Sheet): void => {
  for (const field of ['receive_address', 'sender_address'] as const)
    if (day.test(sheet.text(field))) sheet.say(field, 'error', { code: 'import_day', params: { text: sheet.text(field) } });
  if (day.test(sheet.text('thr_order_id'))) sheet.say('thr_order_id', 'warning', { code: 'import_day', params: { text: sheet.text('thr_order_id') } });
};

/** A shop's order number that lost digits is a warning: nobody finds the order by what is left. */
export const checkOrderNumber = (sheet: Sheet): void => {
  const typed = sheet.text('thr_order_id').normalize('NFKC');
  if (isCut(typed)) return sheet.say('thr_order_id', 'warning', { code: 'import_digits_lost', params: { text: typed.slice(0, 40) } });
  if (scientific.test(typed)) sheet.repair('thr_order_id', wholeNumber(typed)!);
};
