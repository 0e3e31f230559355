import { lastOf, present } from '@waystation/contract/base/present.ts';
import type { MergedCells, TextRow } from '#domain/workbook/workbook.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';

/** The number of rows that are read and written together. */
const slice = 1_000;

type StoredRow = RowOf<'import_rows', 'no' | 'line' | 'cells'>;

interface Filled {
  no: number;
  cells: string[];
  merged: number[];
}

/**
 * The cells of a row, with the texts of merged ranges in its empty cells. `texts`: the text per
 * column index. Null if none of these cells is empty.
 */
const withTexts = (
  cells: TextRow,
  texts: ReadonlyMap<number, string>,
): Omit<Filled, 'no'> | null => {
  const merged = [...texts.keys()].filter((column) => (cells[column] ?? '') === '');
  if (merged.length === 0) return null;
  const width = Math.max(cells.length, ...merged.map((column) => column + 1));
  return {
    cells: Array.from({ length: width }, (_, column) =>
      merged.includes(column) ? present(texts.get(column)) : (cells[column] ?? ''),
    ),
    merged,
  };
};

/** Fills the cells of merged ranges. The rows must be given in the order of their lines. */
const createFiller = (ranges: readonly MergedCells[]): ((row: StoredRow) => Filled | null) => {
  const byFrom = Map.groupBy(ranges, ({ from }) => from);
  const byLine = new Map<number, Map<number, string>>();
  return ({ no, line, cells }) => {
    for (const { column, to } of byFrom.get(line) ?? []) {
      const text = cells[column] ?? '';
      for (let below = line + 1; text !== '' && below <= to; below++)
        byLine.set(below, (byLine.get(below) ?? new Map<number, string>()).set(column, text));
    }
    const texts = byLine.get(line);
    byLine.delete(line);
    const filled = texts && withTexts(cells, texts);
    return filled ? { no, ...filled } : null;
  };
};

/**
 * Writes the text of a merged range into each of its rows, because a sheet contains the text only
 * in the first row. Ranges that begin above the rows, for example in the titles, are ignored.
 */
export const fillMerged = async (
  work: Work,
  import_id: number,
  ranges: readonly MergedCells[],
): Promise<void> => {
  if (ranges.length === 0) return;
  const fill = createFiller(ranges);
  for (let after = 0; ;) {
    const { rows } = await sql<StoredRow>`select no, line, cells from import_rows
        where import_id = ${import_id} and no > ${after} order by no
        limit ${slice}`.execute(work.tx);
    const filled = rows.flatMap((row) => fill(row) ?? []);
    if (filled.length > 0)
      await sql`update import_rows w set cells = x.cells, merged = x.merged
        from jsonb_to_recordset(${jsonText(filled)}::jsonb) as x (no int, cells jsonb,
        merged jsonb)
        where w.import_id = ${import_id} and w.no = x.no`.execute(work.tx);
    if (rows.length < slice) return;
    after = lastOf(rows).no;
  }
};
