import { mostPriceSheetBytes, mostPriceSheetRows } from '@waystation/contract/base/limits.ts';
import { mostListColumns, mostListSheets } from '@waystation/contract/money/price-list.ts';
import { failUnreadable, requireFormat } from '#domain/edited-sheets/edited-sheets.ts';
import type { SheetFile } from '#domain/edited-sheets/edited-sheets.ts';
import { readSheet } from '#domain/workbook/workbook.ts';
import type { SheetEnd, SheetRow, WorkbookFormat } from '#domain/workbook/workbook.ts';
import { failFields } from '#platform/fail.ts';

export interface ListSheet {
  index: number;
  name: string;
  hidden: boolean;
  rows: SheetRow[];
}

/**
 * Copies the text of vertically merged cells, which only the first row has, into their other rows.
 */
const filled = (rows: readonly SheetRow[], { merged }: SheetEnd): SheetRow[] => {
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const result = new Map(rows.map((row) => [row.line, { ...row, cells: [...row.cells] }]));
  for (const { column, from, to } of merged) {
    const text = byLine.get(from)?.cells[column] ?? '';
    for (let line = from + 1; line <= to; line++) {
      const row = result.get(line);
      if (!row || text === '') continue;
      while (row.cells.length <= column) row.cells.push('');
      row.cells[column] ||= text;
    }
  }
  return [...result.values()];
};

const readOne = async (
  format: WorkbookFormat,
  bytes: Buffer,
  { sheet, isBusy, most }: { sheet: number | undefined; isBusy: () => boolean; most: number },
): Promise<{ rows: SheetRow[]; end: SheetEnd }> => {
  const batches = readSheet(format, bytes, { isBusy, sheet });
  const rows: SheetRow[] = [];
  for (;;) {
    const { done, value } = await batches.next();
    if (done) return { rows: filled(rows, value), end: value };
    if (rows.length === most) {
      await batches.return({ merged: [], sheets: [], sheet: null });
      failFields({
        file: { code: 'price_sheet_too_many_rows', params: { limit: mostPriceSheetRows } },
      });
    }
    rows.push({ ...value, cells: value.cells.slice(0, mostListColumns) });
  }
};

/**
 * Reads the rows of all sheets of a file. The limits of a price list apply to all sheets together.
 */
export const readListFile = async (
  file: SheetFile,
  isBusy: () => boolean,
): Promise<ListSheet[]> => {
  const format = requireFormat(file, { most: mostPriceSheetBytes, code: 'price_sheet_too_large' });
  try {
    const first = await readOne(format, file.bytes, {
      sheet: undefined,
      isBusy,
      most: mostPriceSheetRows,
    });
    const { sheets, sheet } = first.end;
    if (sheets.length > mostListSheets)
      failFields({
        file: { code: 'file_sheets', params: { count: sheets.length, limit: mostListSheets } },
      });
    if (sheets.length === 0) return [{ index: 0, name: '', hidden: false, rows: first.rows }];
    const found: ListSheet[] = [];
    let left = mostPriceSheetRows - first.rows.length;
    for (const [index, { name, hidden }] of sheets.entries()) {
      const rows =
        index === sheet
          ? first.rows
          : (await readOne(format, file.bytes, { sheet: index, isBusy, most: left })).rows;
      if (index !== sheet) left -= rows.length;
      found.push({ index, name, hidden, rows });
    }
    return found;
  } catch (error) {
    return failUnreadable(error);
  }
};
