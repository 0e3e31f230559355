import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { BackupError } from './backup-error.ts';

/**
 * A stream of authenticated chunks: a header, then chunks of length, payload and tag. The tag
 * covers the header, the number of the chunk and a mark on the last chunk. A changed, moved,
 * missing or added chunk is therefore detected before its payload is used. With a key, the payload
 * is encrypted with AES-256-GCM, with a separate key for each stream and the number as nonce.
 * Without a key, the tag is a hash over all earlier chunks, which detects damage but no forgery.
 */
const magic = 'WSBACKUP';
const version = 1;
const saltBytes = 16;
const headerBytes = magic.length + 2 + saltBytes;
const tagBytes = 16;
const chunkBytes = 256 * 1024;
const lastBit = 0x8000_0000;

const altered = 'The backup was altered or damaged: a part of it is not what was written.';
const cutOff = 'The backup is cut off: its end is missing.';

interface Sealing {
  seal(length: Buffer, payload: Buffer): Buffer[];
  /** Returns the content. Throws if the tag was not made for this content. */
  open(length: Buffer, payload: Buffer, tag: Buffer): Buffer;
}

/**
 * Returns the functions for sealing without a key. Each tag also covers the text `bound`, so that
 * the stream opens only with the same text.
 */
const plainSealing = (header: Buffer, bound: string): Sealing => {
  let before = createHash('sha256').update(header).update(bound).digest();
  const next = (length: Buffer, payload: Buffer): Buffer => {
    before = createHash('sha256').update(before).update(length).update(payload).digest();
    return before.subarray(0, tagBytes);
  };
  return {
    seal: (length, payload) => [length, payload, next(length, payload)],
    open: (length, payload, tag) => {
      if (!next(length, payload).equals(tag)) throw new BackupError(altered);
      return payload;
    },
  };
};

const encrypted = (header: Buffer, key: Buffer, bound: string): Sealing => {
  const salt = header.subarray(-saltBytes);
  const streamKey = Buffer.from(hkdfSync('sha256', key, salt, 'waystation backup', 32));
  let number = 0;
  const nonce = (): Buffer => {
    const bytes = Buffer.alloc(12);
    bytes.writeUIntBE(number, 6, 6);
    number += 1;
    return bytes;
  };
  return {
    seal: (length, payload) => {
      const cipher = createCipheriv('aes-256-gcm', streamKey, nonce());
      cipher.setAAD(Buffer.concat([header, length, Buffer.from(bound)]));
      const body = cipher.update(payload);
      cipher.final();
      return [length, body, cipher.getAuthTag()];
    },
    open: (length, payload, tag) => {
      const first = number === 0;
      const decipher = createDecipheriv('aes-256-gcm', streamKey, nonce(), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.concat([header, length, Buffer.from(bound)]));
      decipher.setAuthTag(tag);
      const body = decipher.update(payload);
      try {
        decipher.final();
      } catch {
        throw new BackupError(
          first ? 'The key is not the one of this backup, or its beginning was altered.' : altered,
        );
      }
      return body;
    },
  };
};

const lengthOf = (payload: Buffer, last: boolean): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(payload.length + (last ? lastBit : 0));
  return bytes;
};

/**
 * Seals a stream. If `key` is set, the stream is encrypted. If `bound` is set, the stream can be
 * opened only with the same text.
 */
export const sealStream = (key: Buffer | null, bound = '') =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const header = Buffer.concat([
      Buffer.from(magic),
      Buffer.of(version, key ? 1 : 0),
      randomBytes(saltBytes),
    ]);
    yield header;
    const sealing = key ? encrypted(header, key, bound) : plainSealing(header, bound);
    let waiting: Buffer[] = [];
    let size = 0;
    for await (const piece of source) {
      waiting.push(piece);
      size += piece.length;
      if (size < chunkBytes) continue;
      const payload = Buffer.concat(waiting);
      [waiting, size] = [[], 0];
      yield* sealing.seal(lengthOf(payload, false), payload);
    }
    const payload = Buffer.concat(waiting);
    yield* sealing.seal(lengthOf(payload, true), payload);
  };

/** Reads exact numbers of bytes from a stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }
  /** Reads the next `count` bytes; returns fewer bytes only at the end of the stream. */
  async take(count: number): Promise<Buffer> {
    const pieces = [this.#held];
    let size = this.#held.length;
    while (size < count) {
      const { value, done } = await this.#source.next();
      if (done) break;
      pieces.push(value);
      size += value.length;
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces);
    this.#held = all.subarray(count);
    return all.subarray(0, count);
  }
}

const openingOf = (header: Buffer, key: Buffer | null, bound: string): Sealing => {
  if (header.length < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
    throw new BackupError('This is not a backup of Waystation.');
  const [made, mode] = [header[magic.length], header[magic.length + 1]];
  if (made !== version)
    throw new BackupError(
      `The backup has the file format ${made}, which this version does not know: restore it with the version that made it.`,
    );
  if (mode === 1 && !key)
    throw new BackupError('The backup is encrypted: set WAYSTATION_BACKUP_KEY to its key.');
  if (mode === 0 && key)
    throw new BackupError(
      'WAYSTATION_BACKUP_KEY is set and the backup is not encrypted, so that anybody could have made it: unset the key to restore it all the same.',
    );
  return mode === 1 ? encrypted(header, key!, bound) : plainSealing(header, bound);
};

/**
 * Opens a sealed stream. Throws a BackupError if a part of it was cut off or altered, before that
 * part is used.
 */
export const openStream = (key: Buffer | null, bound = '') =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const reader = new ByteReader(source);
    const sealing = openingOf(await reader.take(headerBytes), key, bound);
    for (;;) {
      const length = await reader.take(4);
      if (length.length < 4) throw new BackupError(cutOff);
      const word = length.readUInt32BE();
      const last = word >= lastBit;
      const size = last ? word - lastBit : word;
      if (size > 64 * chunkBytes) throw new BackupError(altered);
      const payload = await reader.take(size);
      const tag = await reader.take(tagBytes);
      if (tag.length < tagBytes) throw new BackupError(cutOff);
      yield sealing.open(length, payload, tag);
      if (!last) continue;
      if ((await reader.take(1)).length > 0) throw new BackupError(altered);
      return;
    }
  };
