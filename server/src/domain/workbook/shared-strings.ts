import { lastOf, present } from '@waystation/contract/base/present.ts';
import { UnreadableFile, inMegabytes } from './limits.ts';

const slabBytes = 4 * 1024 * 1024;
/**
 * The bytes that are counted for each string in addition to its text: its entry in the index, and
 * the engine's overhead for a returned string.
 */
const perString = 32;

export interface SharedStrings {
  add(text: string): void;
  /** The string at this index; empty if there is none. */
  at(index: number): string;
}

/**
 * Stores the shared strings of a workbook as UTF-8 in large buffers outside the heap, so that the
 * counted bytes are the memory that they use. Throws `file_strings` if they exceed the limit.
 */
export const createSharedStrings = (most: number): SharedStrings => {
  const slabs: Buffer[] = [];
  let used = slabBytes;
  // Two numbers for each string: its position in all buffers together, and its length.
  let places = new Uint32Array(2_048);
  let count = 0;
  const refuse = (): never => {
    throw new UnreadableFile('file_strings', { limit: inMegabytes(most) });
  };
  return {
    add: (text) => {
      const length = Buffer.byteLength(text);
      if (used + length > slabBytes) {
        if (slabs.length * slabBytes + count * perString + slabBytes > most) refuse();
        slabs.push(Buffer.allocUnsafe(slabBytes));
        used = 0;
      }
      if ((slabs.length - 1) * slabBytes + used + length + (count + 1) * perString > most) refuse();
      if (count * 2 === places.length) {
        const wider = new Uint32Array(places.length * 2);
        wider.set(places);
        places = wider;
      }
      lastOf(slabs).write(text, used);
      places[count * 2] = (slabs.length - 1) * slabBytes + used;
      places[count * 2 + 1] = length;
      used += length;
      count++;
    },
    at: (index) => {
      if (!(index >= 0 && index < count)) return '';
      const place = places[index * 2]!;
      const start = place % slabBytes;
      return present(slabs[Math.floor(place / slabBytes)]).toString(
        'utf8',
        start,
        start + places[index * 2 + 1]!,
      );
    },
  };
};
