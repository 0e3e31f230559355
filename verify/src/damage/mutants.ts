import { inflateRawSync } from 'node:zlib';
import type { Chance } from '#chance.ts';
import { shapedZip } from '#corpus/zips.ts';

/** The limit values of counters. They replace sizes, numbers and references in a file. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff];
const words = [
  '99999999999999999999',
  '-1',
  '1e309',
  'NaN',
  '0',
  '</row>',
  '<c>',
  '<row r="1048577">',
  '"',
  '&#0;',
  '&#x110000;',
  '&amp',
  ']]>',
  '<!--',
  '\u0000',
  '=',
  ',',
  ';',
  '\n',
  '\ufeff',
  '_x0000_',
];

const piece = (bytes: Buffer, chance: Chance, most = 64): readonly [from: number, to: number] => {
  const from = chance.below(bytes.length + 1);
  return [from, Math.min(from + chance.between(1, most), bytes.length)];
};

type Change = (bytes: Buffer, other: Buffer, chance: Chance) => Buffer;
const spliced = (bytes: Buffer, from: number, to: number, middle: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);

const changes: Readonly<Record<string, Change>> = {
  'a bit': (bytes, _, chance) => {
    const at = chance.below(bytes.length);
    return spliced(bytes, at, at + 1, Buffer.from([bytes[at]! ^ (1 << chance.below(8))]));
  },
  'bytes by chance': (bytes, _, chance) => {
    const [from, to] = piece(bytes, chance, 16);
    return spliced(
      bytes,
      from,
      to,
      Uint8Array.from({ length: to - from }, () => chance.below(256)),
    );
  },
  'bytes more': (bytes, _, chance) => {
    const [from] = piece(bytes, chance);
    return spliced(
      bytes,
      from,
      from,
      Uint8Array.from({ length: chance.between(1, 32) }, () => chance.below(256)),
    );
  },
  'bytes less': (bytes, _, chance) => {
    const [from, to] = piece(bytes, chance, 256);
    return spliced(bytes, from, to, Buffer.alloc(0));
  },
  'a piece twice': (bytes, _, chance) => {
    const [from, to] = piece(bytes, chance, 1_024);
    return spliced(bytes, to, to, bytes.subarray(from, to));
  },
  zeros: (bytes, _, chance) => {
    const [from, to] = piece(bytes, chance, 128);
    return spliced(bytes, from, to, Buffer.alloc(to - from));
  },
  'the end': (bytes, _, chance) => bytes.subarray(0, chance.below(bytes.length)),
  'the beginning': (bytes, _, chance) => bytes.subarray(chance.below(bytes.length)),
  'a piece of another file': (bytes, other, chance) => {
    const [from, to] = piece(bytes, chance, 512);
    return spliced(bytes, from, to, other.subarray(...piece(other, chance, 512)));
  },
  'a figure': (bytes, _, chance) => {
    const figure = Buffer.alloc(4);
    figure.writeUInt32LE(chance.pick(edges));
    const [from] = piece(bytes, chance);
    return spliced(bytes, from, from + 4, figure.subarray(0, chance.pick([1, 2, 4])));
  },
  'a word': (bytes, _, chance) => {
    const [from, to] = piece(bytes, chance, 8);
    return spliced(bytes, from, chance.below(2) === 0 ? from : to, Buffer.from(chance.pick(words)));
  },
};

/** Returns the uncompressed parts of a workbook; null if the file is not a ZIP archive. */
const partsOf = (file: Buffer): Record<string, Buffer> | null => {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (file.subarray(0, 2).toString() !== 'PK' || end < 0) return null;
  const parts: Record<string, Buffer> = {};
  let at = file.readUInt32LE(end + 16);
  for (let n = 0; n < file.readUInt16LE(end + 10); n++) {
    if (at + 46 > file.length) return null;
    const [size, nameLength, local] = [
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt32LE(at + 42),
    ];
    if (local + 30 > file.length) return null;
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const stored = file.subarray(start, start + size);
    parts[file.toString('utf8', at + 46, at + 46 + nameLength)] =
      file.readUInt16LE(at + 10) === 8 ? inflateRawSync(stored) : stored;
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
};
const safely = <T>(act: () => T): T | null => {
  try {
    return act();
  } catch {
    return null;
  }
};

const changed = (bytes: Buffer, other: Buffer, chance: Chance): { bytes: Buffer; how: string } => {
  const how = chance.pick(Object.keys(changes));
  return bytes.length === 0
    ? { bytes: Buffer.from([chance.below(256)]), how }
    : { bytes: changes[how]!(bytes, other, chance), how };
};

/**
 * Returns a file with one to three changed bytes. In half of the cases the bytes of one part of a
 * workbook are changed before compression. A changed byte of the compressed data would usually only
 * make the decompression fail.
 */
export const mutantOf = (
  file: Buffer,
  other: Buffer,
  chance: Chance,
): { bytes: Buffer; how: string } => {
  const parts = chance.below(2) === 0 ? safely(() => partsOf(file)) : null;
  const hows: string[] = [];
  const change = (bytes: Buffer): Buffer => {
    let result = bytes;
    for (let left = chance.between(1, 3); left > 0; left--) {
      const next = changed(result, other, chance);
      result = next.bytes;
      hows.push(next.how);
    }
    return result;
  };
  if (parts === null || Object.keys(parts).length === 0)
    return { bytes: change(file), how: hows.join(', ') };
  const name = chance.pick(Object.keys(parts));
  const bytes = shapedZip({ ...parts, [name]: change(parts[name]!) }, {});
  return { bytes, how: `${hows.join(', ')} within ${name}` };
};
