import { createHash } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './sealed.ts';

/** A table in a backup; generated columns are left out. */
export interface TableFacts {
  schema: string;
  name: string;
  columns: string[];
}

/** The first record of a backup. */
export interface Manifest {
  format: 1;
  product: string;
  postgres: string;
  at: string;
  /** The fingerprint of the secret key, which does not reveal the key. */
  secret_key: string;
  generation: number;
  edition: number;
  migrations: { name: string; hash: string }[];
  tables: TableFacts[];
}

/** A part of a backup: the rows of one table, or the heads file. */
export interface Part {
  name: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** The last record of a backup. */
export interface Summary {
  parts: Part[];
  sequences: Record<string, number>;
  heads: ChainHead[];
  /**
   * The fault of the heads file when the backup was made; absent if the heads file had no fault.
   */
  heads_fault?: string;
}

export type ChainHead = [chain: string, station_id: number, seq: number, hash: string];

const [jsonType, dataType, endType] = [0x4a, 0x44, 0x45];
const pieceLimit = 256 * 1024 * 1024;

const frame = (type: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
};

export const jsonRecord = (value: unknown): Buffer =>
  frame(jsonType, Buffer.from(JSON.stringify(value)));

/** Yields the records of one part. `pieces` returns the number of rows when it ends. */
export const partRecords = async function* (
  name: string,
  pieces: AsyncGenerator<Buffer, number>,
): AsyncGenerator<Buffer, Part> {
  const hash = createHash('sha256');
  let bytes = 0;
  yield jsonRecord({ part: name });
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) {
      yield frame(endType, Buffer.alloc(0));
      return { name, rows: value, bytes, sha256: hash.digest('hex') };
    }
    hash.update(value);
    bytes += value.length;
    yield frame(dataType, value);
  }
};

/** Reads the records that the functions above write. */
export class ArchiveReader {
  readonly #bytes: ByteReader;
  constructor(source: AsyncIterable<Buffer>) {
    this.#bytes = new ByteReader(source);
  }
  async #record(): Promise<{ type: number; payload: Buffer }> {
    const head = await this.#bytes.take(5);
    if (head.length < 5) throw new BackupError('The backup ends before its summary.');
    const size = head.readUInt32BE(1);
    if (size > pieceLimit) throw new BackupError('The backup has a record that is too large.');
    return { type: head[0]!, payload: await this.#bytes.take(size) };
  }
  async json<T>(): Promise<T> {
    const { type, payload } = await this.#record();
    if (type !== jsonType) throw new BackupError('The backup has a record in the wrong place.');
    return JSON.parse(payload.toString()) as T;
  }
  /**
   * Yields the pieces of the part whose name `json` has just returned. The caller must read the
   * generator to its end.
   */
  async *pieces(note: (part: Omit<Part, 'name' | 'rows'>) => void): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      const { type, payload } = await this.#record();
      if (type === endType) return note({ bytes, sha256: hash.digest('hex') });
      hash.update(payload);
      bytes += payload.length;
      yield payload;
    }
  }
  /** Reads to the end of the stream, where the last chunk is checked. */
  async end(): Promise<void> {
    if ((await this.#bytes.take(1)).length > 0)
      throw new BackupError('The backup goes on after its summary.');
  }
}
