import { visibleText } from '@waystation/contract/visible-text.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';

/** Words that programs write where there is no value, and strokes that people write there. */
const noValue = /^['‘’`"]?[([<]?(?:null|nil|n\/a|na|n\.a\.?|undefined|nan|none|#n\/a n\/a|\\n|[-–—_/\\]+)[)\]>]?["]?$/i;

/** Whether a text is such a word. */
export const isNoValue = (text: string): boolean => text.length <= 12 && noValue.test(text.normalize('NFKC'));

/** The text of a cell as it is meant: without invisible characters, '' where a word says that there is none. */
export const cellOf = (cells: TextRow, index: number | undefined): string => {
  const text = index === undefined ? '' : visibleText(cells[index] ?? '').trim();
  return isNoValue(text) ? '' : text;
};
