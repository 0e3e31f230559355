import { isUtf8 } from 'node:buffer';

/**
 * The byte order of UTF-16; null if the file is not UTF-16. If there is no byte order mark, every
 * second one of the first bytes must be zero, as in digits and separators.
 */
const byteOrder = (file: Buffer): 'utf-16le' | 'utf-16be' | null => {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be';
  const head = file.subarray(0, 4_096);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++;
  const [even, odd] = zeros as [number, number];
  if (Math.max(even, odd) * 10 < head.length) return null;
  if (odd > even * 4) return 'utf-16le';
  return even > odd * 4 ? 'utf-16be' : null;
};

/**
 * The number of bytes at the end of the file that are the beginning of an incomplete UTF-8
 * character.
 */
const cutOff = (file: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= file.length; back++) {
    const byte = file[file.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
};

/**
 * The encoding of a file: UTF-16 if it has a byte order mark or zeros like UTF-16, UTF-8 if the
 * whole file is valid UTF-8, else GB18030, which spreadsheets in China write.
 */
export const encodingOf = (file: Buffer): 'utf-16le' | 'utf-16be' | 'utf-8' | 'gb18030' =>
  byteOrder(file) ?? (isUtf8(file.subarray(0, file.length - cutOff(file))) ? 'utf-8' : 'gb18030');

/** Decodes the text of a file; an incomplete character at its end is left out. */
export const textOf = (file: Buffer): string =>
  new TextDecoder(encodingOf(file)).decode(file, { stream: true });

/** The number of bytes that are decoded together. */
const pieceBytes = 128 * 1024;

/** Yields the text of a file piece by piece, so that no string contains all of it. */
export function* textPieces(file: Buffer): Generator<string> {
  const decoder = new TextDecoder(encodingOf(file));
  for (let at = 0; at < file.length; at += pieceBytes)
    yield decoder.decode(file.subarray(at, at + pieceBytes), { stream: true });
}
