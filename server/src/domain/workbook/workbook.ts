/** Tables as files for people: XLSX and CSV, written as a stream. The only place that knows the Excel library. */
export { writeWorkbook } from './write.ts';
export type { CellKind, CellValue, SheetColumn, WorkbookFormat } from './cells.ts';
export { fileTypeOf } from './cells.ts';
