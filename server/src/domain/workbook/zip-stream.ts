import { Readable, pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive. Its content is read once, after the previous file has been written. */
export interface ZipEntry {
  name: string;
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

interface Written {
  name: Buffer;
  crc: number;
  size: number;
  packed: number;
  at: number;
}

const localEntry = 0x04034b50;
const descriptor = 0x08074b50;
const directoryEntry = 0x02014b50;
const endOfDirectory = 0x06054b50;
const version = 20;
/**
 * This flag means that the checksum and sizes follow the content, because they are known only after
 * the content was read.
 */
const sizesFollow = 0x0008;
/** The ZIP flag for a file name in UTF-8. */
const utf8Name = 0x0800;
const deflated = 8;
/**
 * The date of every file in an archive is 1 January 1980, so that the same rows always give the
 * same archive.
 */
const day = 0x0021;
/** The largest size or position that the 32 bits of a ZIP field can store. */
const most = 0xffff_ffff;

const numbers = (...parts: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer => {
  const buffer = Buffer.alloc(parts.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of parts)
    at = bytes === 2 ? buffer.writeUInt16LE(value, at) : buffer.writeUInt32LE(value, at);
  return buffer;
};

/**
 * The fields that the local entry and the directory entry have in common, beginning with the
 * required version.
 */
const entryHead = ({ name, crc, size, packed }: Written): Buffer =>
  numbers(
    [version, 2],
    [name.every((byte) => byte < 0x80) ? sizesFollow : sizesFollow | utf8Name, 2],
    [deflated, 2],
    [0, 2],
    [day, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name.length, 2],
    [0, 2],
  );

/**
 * Compresses the content of an entry in a thread of the runtime, and writes its checksum and sizes
 * into `written`. The fast compression level is used, because rows repeat so much that a slow level
 * saves little.
 */
async function* packed(content: ZipEntry['content'], written: Written): AsyncGenerator<Buffer> {
  async function* summed() {
    for await (const piece of content) {
      written.crc = crc32(piece, written.crc);
      written.size += piece.length;
      yield piece;
    }
  }
  const deflate = createDeflateRaw({ level: 3, chunkSize: 65_536 });
  // An error while reading the rows destroys the deflater, and the loop below then throws the
  // error. If the caller stops early, the reading of rows ends too.
  pipeline(Readable.from(summed(), { objectMode: true, highWaterMark: 2 }), deflate, () => {});
  for await (const piece of deflate) {
    written.packed += (piece as Buffer).length;
    yield piece as Buffer;
  }
}

/**
 * The ZIP archive as a stream. Only the current piece is in memory, and the next entry is requested
 * when the one before it is written. Throws if a file or the archive is larger than 4 GB.
 */
export async function* zipStream(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const done: Written[] = [];
  let at = 0;
  for await (const { name, content } of entries) {
    const written: Written = { name: Buffer.from(name), crc: 0, size: 0, packed: 0, at };
    const head = Buffer.concat([numbers([localEntry, 4]), entryHead(written), written.name]);
    yield head;
    for await (const piece of packed(content, written)) yield piece;
    at += head.length + written.packed + 16;
    if (written.size > most || at > most) throw new Error('the archive is larger than 4 GB');
    yield numbers([descriptor, 4], [written.crc, 4], [written.packed, 4], [written.size, 4]);
    done.push(written);
  }
  const directory = Buffer.concat(
    done.flatMap((one) => [
      numbers([directoryEntry, 4], [version, 2]),
      entryHead(one),
      numbers([0, 2], [0, 2], [0, 2], [0, 4], [one.at, 4]),
      one.name,
    ]),
  );
  yield directory;
  yield numbers(
    [endOfDirectory, 4],
    [0, 2],
    [0, 2],
    [done.length, 2],
    [done.length, 2],
    [directory.length, 4],
    [at, 4],
    [0, 2],
  );
}
