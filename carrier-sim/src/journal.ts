import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Lines of JSON that are appended before the response is sent. Every request with a response
 * therefore survives a `kill -9`.
 */
export type Journal<T> = {
  /**
   * Reads the records of the file, oldest first, or only those whose line begins with `beginning`.
   * Throws an error with one sentence if a line is damaged.
   */
  read(beginning?: string): Generator<T>;
  append(records: readonly T[]): void;
  /**
   * True if so much was appended since the last rewriting that it is worth rewriting the journal.
   */
  isLong(): boolean;
  /** Replaces the file by these records, which must contain the whole state. */
  rewrite(records: Iterable<T>): void;
  close(): void;
};

const pays = 32 * 1024 * 1024;

/** A journal that stores nothing, for a carrier in memory only. */
export const forgetfulJournal = <T>(): Journal<T> => ({
  *read() {},
  append: () => {},
  isLong: () => false,
  rewrite: () => {},
  close: () => {},
});

const chunkBytes = 65_536;
const newline = 0x0a;

/**
 * Yields the lines of a file, which is read piece by piece. Reading a journal of 100 MB as one text
 * would take 200 MB of memory.
 */
function* linesOf(file: string): Generator<string> {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let rest: Buffer = Buffer.alloc(0);
    for (let size = readSync(handle, chunk); size > 0; size = readSync(handle, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
      let from = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        yield bytes.toString('utf8', from, end);
        from = end + 1;
      }
      // A program killed while writing leaves half a line at the end; no request was answered for
      // it.
      rest = bytes.subarray(from);
    }
  } finally {
    closeSync(handle);
  }
}

function* recordsOf<T>(file: string, beginning: string): Generator<T> {
  let number = 0;
  for (const line of linesOf(file)) {
    number += 1;
    if (!line.startsWith(beginning)) continue;
    try {
      yield JSON.parse(line) as T;
    } catch {
      throw new Error(
        `line ${number} of ${file} is damaged; move the file away to start with an empty carrier`,
      );
    }
  }
}

const writeAll = (handle: number, text: string): number => {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written);
  return bytes.length;
};

const linesAtOnce = 50;

/**
 * Opens `carrier.journal` in a directory, and creates the directory if it is missing. Records must
 * be read first and then written with `rewrite`; only then can others be appended.
 */
export const openJournal = <T>(directory: string): Journal<T> => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'carrier.journal');
  let handle: number | undefined;
  let appended = 0;
  let base = 0;

  const rewrite = (records: Iterable<T>): void => {
    const fresh = `${file}.new`;
    const target = openSync(fresh, 'w');
    let size = 0;
    let lines: string[] = [];
    const flush = (): void => {
      if (lines.length > 0) size += writeAll(target, `${lines.join('\n')}\n`);
      lines = [];
    };
    for (const record of records) {
      lines.push(JSON.stringify(record));
      if (lines.length >= linesAtOnce) flush();
    }
    flush();
    fsyncSync(target);
    closeSync(target);
    renameSync(fresh, file);
    if (handle !== undefined) closeSync(handle);
    handle = openSync(file, 'a');
    base = size;
    appended = 0;
  };
  return {
    read: (beginning = '') => recordsOf<T>(file, beginning),
    append: (records) => {
      if (handle === undefined) return;
      for (let from = 0; from < records.length; from += linesAtOnce) {
        const lines = records
          .slice(from, from + linesAtOnce)
          .map((record) => JSON.stringify(record));
        appended += writeAll(handle, `${lines.join('\n')}\n`);
      }
    },
    isLong: () => appended > Math.max(pays, 2 * base),
    rewrite,
    close: () => {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
};
