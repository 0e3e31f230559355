import { streamXlsxRows } from 'hucre/xlsx';
import { isHarmlessArchive } from './archive.ts';
import { separated } from './separated.ts';
import type { WorkbookFormat } from './cells.ts';

/** A row as a person sees it: one text a cell, trimmed, no empty ones at the end. A row without any is not there. */
export type TextRow = readonly string[];

const mostColumns = 200;
const longestCell = 2_000;

/** A file that cannot be read, whatever the reason: damaged, another kind of file under this name, or made to do harm. */
export class UnreadableFile extends Error {}

const day = (at: Date): string => {
  const text = at.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
};

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : day(value);
  return String(value as string | number | boolean)
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f\ufeff]+/g, ' ')
    .trim()
    .slice(0, longestCell);
};

const rowOf = (values: readonly unknown[]): string[] => {
  const row = values.slice(0, mostColumns).map(cellText);
  let length = row.length;
  while (length > 0 && row[length - 1] === '') length--;
  return row.slice(0, length);
};

async function* xlsx(file: Buffer): AsyncGenerator<readonly unknown[]> {
  if (!(await isHarmlessArchive(file))) throw new UnreadableFile('no workbook, or one that inflates beyond measure');
  for await (const row of streamXlsxRows(file)) yield row.values;
}

/** The rows of the first sheet of a workbook, or of a CSV file (UTF-8 or GBK; comma, semicolon or tab), one after another. Throws `UnreadableFile`. */
export async function* readTable(format: WorkbookFormat, file: Buffer): AsyncGenerator<TextRow> {
  const rows = format === 'csv' ? separated(file) : xlsx(file);
  try {
    for await (const values of rows) {
      const row = rowOf(values);
      if (row.length > 0) yield row;
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('the file is damaged', { cause: error });
  }
}
