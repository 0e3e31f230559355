import { Worker } from 'node:worker_threads';
import { present } from '@waystation/contract/base/present.ts';
import { threadEnv } from '#platform/workers/thread-env.ts';
import { noSheets } from './cell-text.ts';
import type { SheetEnd, SheetRow, TextRow } from './cell-text.ts';
import type { WorkbookFormat } from './cells.ts';
import { ReadingInterrupted, ReadingStarved, UnreadableFile, readLimits } from './limits.ts';
import type { ReadLimits } from './limits.ts';
import type { ReadJob, ReadMessage, RowCount } from './read-worker.ts';

export interface ReadSettings extends ReadLimits {
  /** The script that the reading thread runs. */
  program: URL;
  /** True while users wait for answers; the thread then pauses for as long as it has worked. */
  isBusy: () => boolean;
  /**
   * True if the memory of the file is transferred to the thread instead of copied; the caller must
   * not use it afterwards.
   */
  handOver: boolean;
  /**
   * Asks for a count of the rows if the file may have more than `above`. `onCount` gets the number,
   * at most `most`, before any row is read.
   */
  count: RowCount | undefined;
  onCount: (rows: number) => void;
  /**
   * The index of the workbook's sheet to read; if undefined, the first visible sheet with a row.
   */
  sheet: number | undefined;
}

const defaults: ReadSettings = {
  ...readLimits,
  program: new URL('./read-worker.ts', import.meta.url),
  isBusy: () => false,
  handOver: false,
  count: undefined,
  onCount: () => {},
  sheet: undefined,
};
/** The time between two checks whether users wait for answers, in milliseconds. */
const pollInterval = 50;
/** The time between two checks of a thread's CPU time, in milliseconds. */
const askEvery = 50;

/** The CPU time of a thread in milliseconds; 0 after the thread has ended. */
const computed = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1_000;
};

/**
 * Starts the reading thread. `next` returns its messages in order, and throws if the thread takes
 * too long.
 */
const openThread = (
  job: Omit<ReadJob, 'busy'>,
  { program, isBusy, handOver }: Pick<ReadSettings, 'program' | 'isBusy' | 'handOver'>,
) => {
  const { heapMb, cpuMs, waitMs } = job.limits;
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 };
  // A copy is transferred to the thread unless the file is a whole buffer, because transferring a
  // view would copy all of the larger buffer.
  const isWhole = handOver && job.file.byteLength === job.file.buffer.byteLength;
  const file = isWhole ? (job.file as Uint8Array<ArrayBuffer>) : new Uint8Array(job.file);
  const transferList = [file.buffer];
  const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const poll = setInterval(() => Atomics.store(busy, 0, isBusy() ? 1 : 0), pollInterval);
  const worker = new Worker(program, {
    workerData: { ...job, file, busy } satisfies ReadJob,
    transferList,
    execArgv: [],
    argv: [],
    env: threadEnv(),
    resourceLimits,
    name: 'workbook',
  });
  const messages: (ReadMessage | Error)[] = [];
  let wake = (): void => {};
  const receive = (message: ReadMessage | Error): void => {
    messages.push(message);
    wake();
  };
  worker.on('message', receive);
  worker.on('error', (error: NodeJS.ErrnoException) =>
    receive(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new UnreadableFile('file_reader_memory', { limit: heapMb })
        : new ReadingInterrupted(error.message),
    ),
  );
  worker.on('exit', (code) => {
    clearInterval(poll);
    receive(new ReadingInterrupted(`the reader ended with ${code}`));
  });
  let left = waitMs;
  // A lower bound of the CPU time that is left. The elapsed time is subtracted from it. When it
  // reaches zero, the real CPU time of the thread is read.
  let cpuLeft = cpuMs;
  const hears = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const awaitMessage = async (): Promise<void> => {
    while (messages.length === 0) {
      if (left <= 0) throw new ReadingStarved(`no rows within ${waitMs} ms`);
      const since = performance.now();
      await hears(Math.min(Math.max(cpuLeft, askEvery), left));
      const waited = performance.now() - since;
      left -= waited;
      cpuLeft -= waited;
      if (cpuLeft > 0) continue;
      cpuLeft = cpuMs - (await computed(worker));
      if (cpuLeft <= 0)
        throw new UnreadableFile('file_reader_time', { limit: Math.round(cpuMs / 1_000) });
    }
  };
  const next = async (): Promise<ReadMessage> => {
    if (messages.length === 0) await awaitMessage();
    const message = present(messages.shift());
    if (message instanceof Error) throw message;
    return message;
  };
  return { worker, next };
};

/**
 * Yields the rows of a workbook's sheet or of a CSV file in batches. A CSV file may be in UTF-8,
 * UTF-16 or GBK, with commas, semicolons or tabs. A separate thread reads the file and is never
 * more than two batches ahead. Throws `UnreadableFile` with the reason if no later attempt can read
 * the file. Throws `ReadingInterrupted` if the thread was ended from outside, and `ReadingStarved`
 * if it got too little time. Returns the merged cells and the list of sheets.
 */
async function* readSheetBatches(
  format: WorkbookFormat,
  file: Uint8Array,
  settings: Partial<ReadSettings>,
): AsyncGenerator<readonly SheetRow[], SheetEnd> {
  const { program, isBusy, handOver, sheet, count, onCount, ...limits } = {
    ...defaults,
    ...settings,
  };
  const { worker, next } = openThread(
    { format, file, limits, sheet, count },
    { program, isBusy, handOver },
  );
  try {
    for (;;) {
      const message = await next();
      if ('done' in message) return message.end;
      if ('counted' in message) {
        onCount(message.counted);
        continue;
      }
      if ('unreadable' in message)
        throw new UnreadableFile(message.unreadable.code, message.unreadable.params, {
          cause: message.unreadable.detail,
        });
      worker.postMessage('next');
      yield message.rows;
    }
  } finally {
    await worker.terminate();
  }
}

/** The texts of rows in batches, for callers that need neither row numbers nor merged cells. */
export async function* readBatches(
  format: WorkbookFormat,
  file: Uint8Array,
  settings: Partial<ReadSettings> = {},
): AsyncGenerator<readonly TextRow[]> {
  for await (const rows of readSheetBatches(format, file, settings))
    yield rows.map(({ cells }) => cells);
}

/**
 * Reads a file row by row, each row with its number and whether it is hidden. Returns the merged
 * cells and the list of sheets.
 */
export async function* readSheet(
  format: WorkbookFormat,
  file: Uint8Array,
  settings: Partial<ReadSettings> = {},
): AsyncGenerator<SheetRow, SheetEnd> {
  const batches = readSheetBatches(format, file, settings);
  try {
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return value;
      yield* value;
    }
  } finally {
    // Ends the thread if the consumer stops early.
    await batches.return(noSheets);
  }
}

/** Yields the texts of the rows, one row at a time. */
export async function* readTable(
  format: WorkbookFormat,
  file: Uint8Array,
  settings: Partial<ReadSettings> = {},
): AsyncGenerator<TextRow> {
  for await (const rows of readBatches(format, file, settings)) yield* rows;
}
