import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn, WorkbookFormat } from '#domain/workbook/workbook.ts';

/** Returns a file with these texts, as the product writes it. */
export const bytesOfSheet = async (
  format: WorkbookFormat,
  titles: readonly string[],
  rows: readonly (readonly CellValue[])[],
): Promise<Buffer> => {
  async function* all() {
    yield* rows;
  }
  const columns: SheetColumn[] = titles.map((title) => ({ title, kind: 'text' }));
  return Buffer.concat(
    await Array.fromAsync(writeWorkbook(format, { name: '订单', columns, rows: all() })),
  );
};
