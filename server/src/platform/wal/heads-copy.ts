import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openWalFile, segmentBytes, storeBytes } from './wal-files.ts';

/**
 * Returns the name of a piece of the heads file in an archive. Lines that were appended to the file
 * are archived as a piece. Its name contains its series and the position of its first byte. If a
 * file begins differently, it is another file and begins a new series.
 */
const pieceName = (series: string, from: number): string =>
  `heads-${series}-${`${from}`.padStart(15, '0')}`;
const piece = /^heads-([0-9a-f]{16})-(\d{15})$/;

/**
 * The number of bytes at the beginning of a file that distinguish it from other files. The first
 * line is longer than this and contains its time.
 */
const beginBytes = 128;

/** Returns the file names of the pieces of each series, in their order. */
const piecesIn = async (folder: string): Promise<Map<string, string[]>> => {
  const names = (await readdir(folder)).filter((name) => piece.test(name)).toSorted();
  return Map.groupBy(names, (name) => piece.exec(name)![1]!);
};

const placeOf = (name: string): number => Number(piece.exec(name)![2]);

/**
 * Returns the number of bytes of a heads file that are already archived. `series` identifies the
 * file.
 */
const storedBytes = async (folder: string, series: string, key: Buffer | null): Promise<number> => {
  const last = (await piecesIn(folder)).get(series)?.at(-1);
  return last === undefined
    ? 0
    : placeOf(last) + (await openWalFile(join(folder, last), key)).length;
};

const readAt = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
};

/**
 * Archives the lines that were appended to the heads file since the last call. `folder` is the
 * folder of an archive.
 */
export type StoreHeads = (folder: string, key: Buffer | null) => Promise<void>;

/**
 * Returns a function that archives the new part of the heads file. It remembers how much is
 * archived, so that an unchanged file costs only one check.
 */
export const headsArchiver = (file: string | null): StoreHeads => {
  let stored = { of: '', bytes: 0 };
  return async (folder, key) => {
    const handle =
      file === null
        ? null
        : await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOENT') return null;
            throw error;
          });
    if (handle === null) return;
    try {
      const { size } = await handle.stat();
      if (size < beginBytes) return;
      const begin = await readAt(handle, 0, beginBytes);
      const series = createHash('sha256').update(begin).digest('hex').slice(0, 16);
      const of = join(folder, series);
      if (stored.of !== of) stored = { of, bytes: await storedBytes(folder, series, key) };
      while (stored.bytes < size) {
        const length = Math.min(segmentBytes, size - stored.bytes);
        const bytes = await readAt(handle, stored.bytes, length);
        await storeBytes(bytes, folder, pieceName(series, stored.bytes), key);
        stored = { of, bytes: stored.bytes + bytes.length };
      }
    } finally {
      await handle.close();
    }
  };
};

/**
 * Returns one function for each archived series of the heads file. The function writes the bytes of
 * the series into a file, up to the first missing piece.
 */
export const archivedHeads = async (
  folder: string,
  key: Buffer | null,
): Promise<((into: string) => Promise<void>)[]> => {
  const contents = async function* (names: string[]): AsyncGenerator<Buffer> {
    let at = 0;
    for (const name of names) {
      if (placeOf(name) !== at) return;
      const bytes = await openWalFile(join(folder, name), key);
      at += bytes.length;
      yield bytes;
    }
  };
  return [...(await piecesIn(folder)).values()].map(
    (names) => (into) =>
      pipeline(Readable.from(contents(names)), createWriteStream(into, { mode: 0o600 })),
  );
};
