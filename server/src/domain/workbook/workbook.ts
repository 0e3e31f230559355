/** Tables as files of people: XLSX and CSV, written and read as a stream. The only place that knows the Excel library. */
export { writeWorkbook } from './write.ts';
export type { CellKind, CellValue, SheetColumn, WorkbookFormat } from './cells.ts';
export { fileTypeOf } from './cells.ts';
export { readTable, UnreadableFile } from './read.ts';
export type { TextRow } from './read.ts';
