import { writeXlsxStream } from 'hucre/xlsx';
import { csvCell, excelCell, numberFormats, plainText, widths } from './cells.ts';
import type { CellValue, SheetColumn, WorkbookFormat } from './cells.ts';

export interface WorkbookSheet {
  /** The name of the sheet; a full sheet continues in another one. */
  name: string;
  columns: readonly SheetColumn[];
  rows: AsyncIterable<readonly CellValue[]>;
}

/** CSV is written in pieces of about this many characters. */
const pieceChars = 65_536;

async function* csv({ columns, rows }: WorkbookSheet): AsyncGenerator<Uint8Array> {
  // The byte order mark by which spreadsheets recognise UTF-8.
  let text = `\ufeff${columns.map(({ title }) => csvCell('text', title)).join(',')}\r\n`;
  for await (const row of rows) {
    text += `${columns.map(({ kind }, at) => csvCell(kind, row[at] ?? null)).join(',')}\r\n`;
    if (text.length < pieceChars) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Excel refuses these in the name of a sheet, and names beyond 31 characters. */
const sheetName = (name: string): string =>
  plainText(name)
    .replaceAll(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 25) || 'Sheet';

async function* xlsx({ name, columns, rows }: WorkbookSheet): AsyncGenerator<Uint8Array> {
  async function* cells() {
    for await (const row of rows) yield columns.map(({ kind }, at) => excelCell(kind, row[at] ?? null));
  }
  const stream = writeXlsxStream(cells(), {
    name: sheetName(name),
    columns: columns.map(({ title, kind }) => ({ header: plainText(title), width: widths[kind], ...(numberFormats[kind] && { numFmt: numberFormats[kind] }) })),
    freezePane: { rows: 1 },
  });
  // Iterated explicitly, so that a consumer that stops early also ends the rows.
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The file as a stream, row by row: memory does not grow with the rows. Every text stays text, and no cell is a formula. */
export const writeWorkbook = (format: WorkbookFormat, sheet: WorkbookSheet): AsyncGenerator<Uint8Array> => (format === 'csv' ? csv(sheet) : xlsx(sheet));
