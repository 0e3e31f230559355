import type { Reason } from '@waystation/contract/base/envelope.ts';
import { readPhone } from '@waystation/contract/parcels/phone.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';

/** The reason for leaving out a row that repeats the titles, as in joined sheets. */
export const titlesRow = { code: 'import_titles_row' } as const satisfies Reason;

/** True if a row repeats the titles of the sheet. */
export const isTitlesRow = (cells: TextRow, titles: TextRow): boolean =>
  cells.length > 1 &&
  cells[0] === titles[0] &&
  cells.length === titles.length &&
  cells.every((cell, at) => cell === titles[at]);

/** The reason for leaving out a row that the sheet hides. A user can include the row. */
export const hiddenRow = { code: 'import_hidden_row' } as const satisfies Reason;

/** The reason for leaving out a row of sums. A user can include the row. */
export const totalsRow = { code: 'import_totals_row' } as const satisfies Reason;

const named = /^(?:合计|总计|小计|共计|总数|汇总|grandtotal|subtotal|total)(?:[:：(（\d].*)?$/i;

/**
 * True if a row contains sums of the rows above it: its first text is a word for a sum, and no cell
 * is a phone.
 */
export const isTotalsRow = (cells: TextRow): boolean => {
  const first = cells.find((cell) => cell !== '');
  return (
    first !== undefined &&
    named.test(first.slice(0, 40).replaceAll(/\s+/g, '')) &&
    !cells.some((cell) => cell.length <= 100 && readPhone(cell).ok)
  );
};
