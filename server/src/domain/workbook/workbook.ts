/**
 * Tables as XLSX and CSV files, written and read as a stream. Any uploaded file is read
 * through `readBatches`, `readSheet` or `readTable`, in a thread with limits
 * (docs/decisions/0015-workbooks-in-a-thread.md).
 */
export { writeWorkbook } from './write.ts';
export type { SheetChoices } from './write.ts';
export type { ZipEntry } from './zip-stream.ts';
export { zipStream } from './zip-stream.ts';
export type { CellKind, CellValue, SheetColumn, WorkbookFormat } from './cells.ts';
export { fileTypeOf } from './cells.ts';
export { readBatches, readSheet, readTable } from './read.ts';
export type { ReadSettings } from './read.ts';
export { formatOf } from './format.ts';
export { ReadingInterrupted, ReadingStarved, UnreadableFile, readLimits } from './limits.ts';
export { noSheets } from './cell-text.ts';
export type { MergedCells, SheetEnd, SheetRow, TextRow } from './cell-text.ts';
export { titlesHash } from './titles-hash.ts';
