import { Worker } from 'node:worker_threads';
import type { TextRow } from './cell-text.ts';
import type { WorkbookFormat } from './cells.ts';
import { ReadingInterrupted, UnreadableFile, readLimits } from './limits.ts';
import type { ReadLimits } from './limits.ts';
import type { ReadJob, ReadMessage } from './read-worker.ts';

export interface ReadSettings extends ReadLimits {
  /** The program of the thread. */
  program: URL;
}

const defaults: ReadSettings = { ...readLimits, program: new URL('./read-worker.ts', import.meta.url) };

/** What a thread has reported, in order, awaited with what is left of its time. */
const openThread = (job: ReadJob, program: URL) => {
  const { heapMb, waitMs } = job.limits;
  // The environment holds secrets that a thread has no business with.
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 };
  // A copy of its own is handed over whole: of a buffer that is a part of another, all of the other would be copied.
  const file = new Uint8Array(job.file);
  const transferList = [file.buffer];
  const worker = new Worker(program, { workerData: { ...job, file }, transferList, execArgv: [], argv: [], env: {}, resourceLimits, name: 'workbook' });
  const heard: (ReadMessage | Error)[] = [];
  let wake = (): void => {};
  const hear = (said: ReadMessage | Error): void => {
    heard.push(said);
    wake();
  };
  worker.on('message', hear);
  worker.on('error', (error: NodeJS.ErrnoException) =>
    hear(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new UnreadableFile('file_reader_memory', { limit: heapMb }) : new ReadingInterrupted(error.message)),
  );
  worker.on('exit', (code) => hear(new ReadingInterrupted(`the reader ended with ${code}`)));
  let left = waitMs;
  const next = async (): Promise<ReadMessage> => {
    if (heard.length === 0) {
      const since = performance.now();
      const isHeard = new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), Math.max(left, 0));
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!(await isHeard)) throw new UnreadableFile('file_reader_time', { limit: Math.round(waitMs / 1_000) });
      left -= performance.now() - since;
    }
    const said = heard.shift()!;
    if (said instanceof Error) throw said;
    return said;
  };
  return { worker, next };
};

/**
 * The rows of a workbook's first sheet, or of a CSV file (UTF-8, UTF-16 or GBK; comma, semicolon or tab), in batches, read in a thread of its own that is
 * never more than two batches ahead. Throws `UnreadableFile` with the reason for what no later try will read either, and `ReadingInterrupted` where the
 * thread was ended from outside.
 */
export async function* readBatches(format: WorkbookFormat, file: Uint8Array, settings: Partial<ReadSettings> = {}): AsyncGenerator<readonly TextRow[]> {
  const { program, ...limits } = { ...defaults, ...settings };
  const { worker, next } = openThread({ format, file, limits }, program);
  try {
    for (;;) {
      const said = await next();
      if ('done' in said) return;
      if ('unreadable' in said) throw new UnreadableFile(said.unreadable.code, said.unreadable.params, { cause: said.unreadable.detail });
      worker.postMessage('next');
      yield said.rows;
    }
  } finally {
    await worker.terminate();
  }
}

/** The same, row by row. */
export async function* readTable(format: WorkbookFormat, file: Uint8Array, settings: Partial<ReadSettings> = {}): AsyncGenerator<TextRow> {
  for await (const rows of readBatches(format, file, settings)) yield* rows;
}
