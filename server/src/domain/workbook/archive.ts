import { createInflateRaw } from 'node:zlib';
import { UnreadableFile, inMegabytes } from './limits.ts';
import type { ReadLimits } from './limits.ts';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localEntry = 0x04034b50;
/**
 * Signatures for archives whose sizes and counts need more than 32 bits; some programs write them
 * into every archive.
 */
const largeLocator = 0x07064b50;
const largeEnd = 0x06064b50;
const inLargeRecord = 0xffff_ffff;

interface Entry {
  stored: Buffer;
  deflated: boolean;
}

/**
 * The name of an entry for comparison. Programs write the same name with different case and
 * different slashes.
 */
const nameKey = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

const longAt = (file: Buffer, at: number): number =>
  at + 8 <= file.length ? Number(file.readBigUInt64LE(at)) : Number.NaN;

/** Reads the number of entries and the position of the first entry from the end of the archive. */
const directoryOf = (file: Buffer, end: number): { count: number; start: number } => {
  const found = { count: file.readUInt16LE(end + 10), start: file.readUInt32LE(end + 16) };
  if (found.count !== 0xffff && found.start !== inLargeRecord) return found;
  if (end < 20 || file.readUInt32LE(end - 20) !== largeLocator) return found;
  const record = longAt(file, end - 12);
  if (!(record + 56 <= file.length) || file.readUInt32LE(record) !== largeEnd)
    throw new UnreadableFile();
  return { count: longAt(file, record + 32), start: longAt(file, record + 48) };
};

/** The size and position of an entry; they are in the extra field if they exceed 32 bits. */
const placeOf = (file: Buffer, at: number): { size: number; local: number } => {
  let [size, local] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
  if (size !== inLargeRecord && local !== inLargeRecord) return { size, local };
  let extra = at + 46 + file.readUInt16LE(at + 28);
  const last = Math.min(extra + file.readUInt16LE(at + 30), file.length);
  for (; extra + 4 <= last; extra += 4 + file.readUInt16LE(extra + 2)) {
    if (file.readUInt16LE(extra) !== 1) continue;
    // The field contains only the values that do not fit in 32 bits, in this order: inflated size,
    // size, position.
    let value = extra + 4 + (file.readUInt32LE(at + 24) === inLargeRecord ? 8 : 0);
    if (size === inLargeRecord) [size, value] = [longAt(file, value), value + 8];
    if (local === inLargeRecord) local = longAt(file, value);
    break;
  }
  return { size, local };
};

/**
 * The entries that the archive's directory lists. Throws if the file is not an archive, is split or
 * encrypted, or has too many or overlapping entries.
 */
const entriesOf = (file: Buffer, most: number): Map<string, Entry> => {
  const from = Math.max(0, file.length - 65_557);
  let end = -1;
  for (let at = file.length - 22; at >= from && end < 0; at--)
    if (file.readUInt32LE(at) === endOfDirectory) end = at;
  if (end < 0) throw new UnreadableFile();
  const { count, start: first } = directoryOf(file, end);
  if (count > most) throw new UnreadableFile('file_entries', { count, limit: most });
  let at = first;
  const entries = new Map<string, Entry>();
  let total = 0;
  for (let n = 0; n < count; n++) {
    if (!(at + 46 <= file.length) || file.readUInt32LE(at) !== directoryEntry)
      throw new UnreadableFile();
    const [flags, method] = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10)];
    const { size, local } = placeOf(file, at);
    if ((flags & 1) === 1) throw new UnreadableFile('file_encrypted');
    if (method !== 0 && method !== 8) throw new UnreadableFile();
    if (!(local + 30 <= file.length) || file.readUInt32LE(local) !== localEntry)
      throw new UnreadableFile();
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    // Overlapping entries are refused here, because they would inflate the same bytes many times.
    total += size;
    if (!(start + size <= file.length && total <= file.length)) throw new UnreadableFile();
    const nameLength = file.readUInt16LE(at + 28);
    const key = nameKey(file.toString('utf8', at + 46, at + 46 + nameLength));
    if (!entries.has(key))
      entries.set(key, { stored: file.subarray(start, start + size), deflated: method === 8 });
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
};

export interface Archive {
  has(name: string): boolean;
  /**
   * Yields the bytes of an entry while it is inflated. Throws `file_inflates` as soon as all opened
   * entries together exceed the limit, whatever sizes the directory states.
   */
  open(name: string): AsyncGenerator<Buffer>;
}

/**
 * Opens a ZIP archive in memory. An entry is inflated when it is opened, and `rest` is called after
 * each piece. Throws `UnreadableFile`.
 */
export const openArchive = (
  file: Buffer,
  { entries: mostEntries, inflatedBytes }: ReadLimits,
  rest: () => void = () => {},
): Archive => {
  const entries = entriesOf(file, mostEntries);
  let left = inflatedBytes;
  return {
    has: (name) => entries.has(nameKey(name)),
    open: async function* (name) {
      const entry = entries.get(nameKey(name));
      if (!entry) throw new UnreadableFile();
      const take = (piece: Buffer): Buffer => {
        left -= piece.length;
        if (left < 0)
          throw new UnreadableFile('file_inflates', { limit: inMegabytes(inflatedBytes) });
        return piece;
      };
      if (!entry.deflated) return yield take(entry.stored);
      const inflate = createInflateRaw({ chunkSize: 64 * 1024 });
      inflate.end(entry.stored);
      for await (const piece of inflate) {
        yield take(piece as Buffer);
        rest();
      }
    },
  };
};
