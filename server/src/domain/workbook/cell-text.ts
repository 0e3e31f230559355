import { oneLine } from '@waystation/contract/base/visible-text.ts';
import { UnreadableFile, keptChars, mostColumns } from './limits.ts';

/**
 * A row as displayed: one trimmed text for each cell, without the empty cells at the end. Empty
 * rows are omitted.
 */
export type TextRow = readonly string[];

/** A row with the texts that a spreadsheet shows for it. */
export interface SheetRow {
  cells: TextRow;
  /** The row number that a spreadsheet shows, counted from 1 with empty rows. */
  line: number;
  /** True if a user or a filter hides the row. */
  hidden: boolean;
}

/**
 * Cells of one column, counted from 0, that are merged from line `from` to line `to`; only the
 * first line contains their text.
 */
export interface MergedCells {
  column: number;
  from: number;
  to: number;
}

/** The facts about a file that are known only after its rows were read. */
export interface SheetEnd {
  merged: readonly MergedCells[];
  /** The sheets of a workbook, in order; empty for a CSV file. */
  sheets: readonly { name: string; hidden: boolean }[];
  /** The index of the sheet that was read; null if no sheet was read. */
  sheet: number | null;
}

export const noSheets: SheetEnd = { merged: [], sheets: [], sheet: null };

/**
 * The text of a cell on one line, without invisible characters, and cut to the length that is
 * stored. Throws `file_cell` if the text exceeds the limit.
 */
export const cellText = (text: string, limit: number): string => {
  if (text.length > limit) throw new UnreadableFile('file_cell', { limit });
  const line = oneLine(text);
  return line.length <= keptChars ? line : oneLine(line.slice(0, keptChars));
};

/**
 * Returns the cells of a row. Columns beyond the limit and empty cells at the end are left out.
 * Throws `file_row` if the row has too many characters.
 */
export const rowOf = (
  cells: readonly (string | undefined)[],
  line: number,
  limit: number,
): string[] => {
  const row = Array.from(
    { length: Math.min(cells.length, mostColumns) },
    (_, index) => cells[index] ?? '',
  );
  let length = row.length;
  while (length > 0 && row[length - 1] === '') length--;
  let chars = 0;
  for (const cell of row) chars += cell.length;
  if (chars > limit) throw new UnreadableFile('file_row', { line, limit });
  return row.slice(0, length);
};
