import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { present } from '@waystation/contract/base/present.ts';
import { noSheets } from './cell-text.ts';
import type { SheetEnd, SheetRow } from './cell-text.ts';
import type { WorkbookFormat } from './cells.ts';
import { UnreadableFile, inMegabytes } from './limits.ts';
import type { ReadLimits, UnreadableCode } from './limits.ts';
import { separatedRows } from './separated.ts';
import { claimsMoreLines, xlsxRows } from './xlsx-rows.ts';

export interface ReadJob {
  format: WorkbookFormat;
  file: Uint8Array;
  limits: ReadLimits;
  /**
   * The index of the sheet to read in a workbook; absent for the first visible sheet with a row.
   */
  sheet?: number | undefined;
  /**
   * Asks for a count of the rows, up to `most`, before any row is sent. Nothing is counted if the
   * file declares at most `above` rows.
   */
  count?: RowCount | undefined;
  /** An array with one number, which is 1 while users wait for answers. */
  busy: Int32Array<SharedArrayBuffer>;
}
export interface RowCount {
  above: number;
  most: number;
}
/**
 * A message from the reading thread: the number of rows if they were counted, then batches of rows,
 * and at last the end or an error. Each batch is acknowledged with `next`.
 */
export type ReadMessage =
  | { counted: number }
  | { rows: SheetRow[] }
  | { done: true; end: SheetEnd }
  | { unreadable: { code: UnreadableCode; params: Record<string, number>; detail: string } };

/** The size of a batch: this many rows, or this many characters. */
const batchRows = 1_000;
const batchChars = 1_000_000;
/** The number of batches that may be sent before the consumer asks for more. */
let credit = 2;

// Lowers the priority of this thread, so that reading does not slow down requests. On other systems
// than Linux, this call would change the priority of the whole process. With the lowest priority,
// the thread would get only a hundredth of a busy core.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** The working time between two pauses, in milliseconds; a pause has the same length. */
const workSlice = 20;
let workedSince = performance.now();

/**
 * Pauses while users wait, for as long as the thread has just worked. The lower priority of the
 * thread is not enough, because the thread would still take half of a shared core.
 */
const restWhileBusy = (busy: ReadJob['busy']): void => {
  if (performance.now() - workedSince < workSlice) return;
  if (Atomics.load(busy, 0) === 1) Atomics.wait(busy, 0, 1, workSlice);
  workedSince = performance.now();
};

const port = present(parentPort);
let resume = (): void => {};
port.on('message', () => {
  credit++;
  resume();
});

const sendBatch = async (rows: SheetRow[]): Promise<void> => {
  port.postMessage({ rows } satisfies ReadMessage);
  credit--;
  while (credit < 1) await new Promise<void>((resolve) => (resume = resolve));
};

const isLineEnd = (byte: number): boolean => byte === 10 || byte === 13;

/** True if a file may have more than `most` rows. It is found without parsing the rows. */
const mayHaveMore = async (
  { format, limits, sheet }: ReadJob,
  bytes: Buffer,
  most: number,
): Promise<boolean> => {
  if (format === 'xlsx') return claimsMoreLines(bytes, limits, sheet, most);
  let lines = 1;
  for (let at = 1; at < bytes.length && lines <= most; at++)
    if (isLineEnd(bytes[at - 1]!) && !isLineEnd(bytes[at]!)) lines++;
  return lines > most;
};

const read = async (job: ReadJob): Promise<SheetEnd> => {
  const { format, file, limits, sheet, count, busy } = job;
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const open = (): Generator<SheetRow> | AsyncGenerator<SheetRow, SheetEnd> =>
    format === 'csv'
      ? separatedRows(bytes, limits)
      : xlsxRows(bytes, limits, { sheet, rest: () => restWhileBusy(busy) });
  if (count !== undefined && (await mayHaveMore(job, bytes, count.above))) {
    let counted = 0;
    for await (const _ of open()) if (++counted >= count.most) break;
    port.postMessage({ counted } satisfies ReadMessage);
  }
  let rows: SheetRow[] = [];
  let chars = 0;
  const source = open();
  for (;;) {
    const { done, value } = await source.next();
    if (done) {
      if (rows.length > 0) await sendBatch(rows);
      return value ?? noSheets;
    }
    rows.push(value);
    for (const cell of value.cells) chars += cell.length;
    if (rows.length < batchRows && chars < batchChars) continue;
    await sendBatch(rows);
    rows = [];
    chars = 0;
  }
};

/**
 * Turns an error of the reader into the refusal of the file. A string or buffer above the engine's
 * limit counts as out of memory too.
 */
const refusalOf = (error: unknown, { heapMb }: ReadLimits): UnreadableFile => {
  if (error instanceof UnreadableFile) return error;
  if (error instanceof RangeError)
    return new UnreadableFile('file_reader_memory', { limit: heapMb }, { cause: error });
  return new UnreadableFile('file_unreadable', {}, { cause: error });
};

const job = workerData as ReadJob;
try {
  const end = await read(job);
  port.postMessage({ done: true, end } satisfies ReadMessage);
} catch (error) {
  const { code, params, cause } = refusalOf(error, job.limits);
  const detail =
    cause instanceof Error
      ? (cause.stack ?? cause.message)
      : `${code}, ${inMegabytes(job.file.byteLength)} MB`;
  port.postMessage({ unreadable: { code, params, detail } } satisfies ReadMessage);
}
port.close();
