import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn, WorkbookFormat } from '#domain/workbook/workbook.ts';

/** Returns the file that the product writes for these texts. */
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
