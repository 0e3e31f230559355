import { UnreadableFile, keptChars, mostColumns } from './limits.ts';

/** A row as displayed: one trimmed text a cell, without empty ones at the end. Empty rows are omitted. */
export type TextRow = readonly string[];

/** A cell's text on one line, cut to the stored length. Throws `file_cell` beyond the limit. */
export const cellText = (text: string, limit: number): string => {
  if (text.length > limit) throw new UnreadableFile('file_cell', { limit });
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f\ufeff]+/g, ' ')
    .trim()
    .slice(0, keptChars);
};

/** The row without columns beyond the limit and without empty cells at its end. */
export const rowOf = (cells: readonly (string | undefined)[]): string[] => {
  const row = Array.from({ length: Math.min(cells.length, mostColumns) }, (_, index) => cells[index] ?? '');
  let length = row.length;
  while (length > 0 && row[length - 1] === '') length--;
  return row.slice(0, length);
};
