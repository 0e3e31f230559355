import { createInflateRaw } from 'node:zlib';

/** What a workbook may come to when it is inflated, whatever it says of itself. */
const mostInflated = 320 * 1024 * 1024;
const mostEntries = 500;

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localEntry = 0x04034b50;

interface Entry {
  stored: Buffer;
  deflated: boolean;
}

/** The entries of a ZIP archive by its directory; null where it is none, is in parts or encrypted, or its entries overlap. */
const entriesOf = (file: Buffer): Entry[] | null => {
  const from = Math.max(0, file.length - 65_557);
  let end = -1;
  for (let at = file.length - 22; at >= from && end < 0; at--) if (file.readUInt32LE(at) === endOfDirectory) end = at;
  if (end < 0) return null;
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  if (count > mostEntries) return null;
  const entries: Entry[] = [];
  let total = 0;
  for (let n = 0; n < count; n++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== directoryEntry) return null;
    const [flags, method, size, local] = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10), file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
    if ((flags & 1) === 1 || (method !== 0 && method !== 8)) return null;
    if (local + 30 > file.length || file.readUInt32LE(local) !== localEntry) return null;
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    if (start + size > file.length) return null;
    // Entries that share their bytes make much of little.
    total += size;
    if (total > file.length) return null;
    entries.push({ stored: file.subarray(start, start + size), deflated: method === 8 });
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
};

const inflatedSize = ({ stored, deflated }: Entry, limit: number): Promise<number | null> =>
  new Promise((resolve) => {
    if (!deflated) return resolve(stored.length);
    const inflate = createInflateRaw();
    let size = 0;
    inflate.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= limit) return;
      inflate.destroy();
      resolve(null);
    });
    inflate.on('end', () => resolve(size));
    inflate.on('error', () => resolve(null));
    inflate.end(stored);
  });

/** Whether a file is a ZIP archive whose contents, truly inflated, stay within bounds: what hides gigabytes in a few bytes is never opened. */
export const isHarmlessArchive = async (file: Buffer): Promise<boolean> => {
  const entries = entriesOf(file);
  let left = mostInflated;
  for (const entry of entries ?? []) {
    const size = await inflatedSize(entry, left);
    if (size === null) return false;
    left -= size;
    if (left < 0) return false;
  }
  return entries !== null;
};
