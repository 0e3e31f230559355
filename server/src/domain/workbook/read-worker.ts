import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { TextRow } from './cell-text.ts';
import type { WorkbookFormat } from './cells.ts';
import { UnreadableFile, inMegabytes } from './limits.ts';
import type { ReadLimits, UnreadableCode } from './limits.ts';
import { separatedRows } from './separated.ts';
import { xlsxRows } from './xlsx-rows.ts';

export interface ReadJob {
  format: WorkbookFormat;
  file: Uint8Array;
  limits: ReadLimits;
}
/** Rows as they are read; then the end, or why there are none. Each message but the last is answered by `next`. */
export type ReadMessage = { rows: TextRow[] } | { done: true } | { unreadable: { code: UnreadableCode; params: Record<string, number>; detail: string } };

/** A batch is handed on at so many rows, or at so many characters. */
const batchRows = 1_000;
const batchChars = 1_000_000;
/** Batches on their way that nobody has asked for yet. */
let credit = 2;

// On Linux this is the thread's own priority, elsewhere the whole process's: a reader that runs hot leaves the processor to those who wait for answers.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const port = parentPort!;
let asked = (): void => {};
port.on('message', () => {
  credit++;
  asked();
});

const hand = async (rows: TextRow[]): Promise<void> => {
  port.postMessage({ rows } satisfies ReadMessage);
  credit--;
  while (credit < 1) await new Promise<void>((resolve) => (asked = resolve));
};

const read = async ({ format, file, limits }: ReadJob): Promise<void> => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  let rows: TextRow[] = [];
  let chars = 0;
  for await (const row of format === 'csv' ? separatedRows(bytes, limits) : xlsxRows(bytes, limits)) {
    rows.push(row);
    for (const cell of row) chars += cell.length;
    if (rows.length < batchRows && chars < batchChars) continue;
    await hand(rows);
    rows = [];
    chars = 0;
  }
  if (rows.length > 0) await hand(rows);
};

/** A single string or buffer beyond what the engine can hold is memory, too. */
const refusalOf = (error: unknown, { heapMb }: ReadLimits): UnreadableFile => {
  if (error instanceof UnreadableFile) return error;
  if (error instanceof RangeError) return new UnreadableFile('file_reader_memory', { limit: heapMb }, { cause: error });
  return new UnreadableFile('file_unreadable', {}, { cause: error });
};

const job = workerData as ReadJob;
try {
  await read(job);
  port.postMessage({ done: true } satisfies ReadMessage);
} catch (error) {
  const { code, params, cause } = refusalOf(error, job.limits);
  const detail = cause instanceof Error ? (cause.stack ?? cause.message) : `${code}, ${inMegabytes(job.file.byteLength)} MB`;
  port.postMessage({ unreadable: { code, params, detail } } satisfies ReadMessage);
}
port.close();
