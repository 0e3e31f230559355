import { once } from 'node:events';
import type pg from 'pg';

/**
 * The methods of a connection that send copy messages. The driver has these methods, but its types
 * do not.
 */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

const pieceBytes = 64 * 1024;
/** The number of pieces that may wait for the reader. If more wait, the connection is paused. */
const mostWaiting = 8;

const rowsOf = ({ text }: { text: string }): number => Number(/\d+$/.exec(text)?.[0] ?? 0);

/**
 * A running COPY statement, in either direction. `done` settles when the statement succeeds or
 * fails.
 */
class Copy {
  readonly #text: string;
  readonly done: Promise<number>;
  protected settle!: { resolve(rows: number): void; reject(error: Error): void };
  #rows = 0;
  #error: Error | undefined;
  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.done.catch(() => {});
  }
  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }
  handleCommandComplete(message: { text: string }): void {
    this.#rows = rowsOf(message);
  }
  handleReadyForQuery(): void {
    if (this.#error) this.settle.reject(this.#error);
    else this.settle.resolve(this.#rows);
  }
  handleError(error: Error): void {
    this.#error = error;
    // After this error a lost connection sends no further message, so the promise is rejected here.
    if (!('severity' in error)) this.settle.reject(error);
  }
}

class CopyOut extends Copy {
  connection: pg.Connection | undefined;
  readonly waiting: Buffer[] = [];
  wake: () => void = () => {};
  #held: Buffer[] = [];
  #size = 0;
  override submit(connection: pg.Connection): void {
    this.connection = connection;
    super.submit(connection);
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver uses the memory of its messages again, so the chunk is copied.
    this.#held.push(Buffer.from(chunk));
    this.#size += chunk.length;
    if (this.#size >= pieceBytes) this.#pass();
  }
  override handleReadyForQuery(): void {
    this.#pass();
    super.handleReadyForQuery();
    this.wake();
  }
  override handleError(error: Error): void {
    super.handleError(error);
    this.wake();
  }
  #pass(): void {
    if (this.#size > 0) this.waiting.push(Buffer.concat(this.#held));
    [this.#held, this.#size] = [[], 0];
    if (this.waiting.length >= mostWaiting) this.connection?.stream.pause();
    this.wake();
  }
}

/**
 * Yields the output of a `copy … to stdout` in pieces, and returns the number of rows. The
 * connection is paused while the reader is slower, so that memory never contains a whole table.
 */
export const copyOut = async function* (
  client: pg.ClientBase,
  text: string,
): AsyncGenerator<Buffer, number> {
  const copy = client.query(new CopyOut(text));
  let settled = false;
  const ended = copy.done.then(
    () => (settled = true),
    () => (settled = true),
  );
  while (!settled || copy.waiting.length > 0) {
    const piece = copy.waiting.shift();
    if (piece) {
      yield piece;
      continue;
    }
    copy.connection?.stream.resume();
    await Promise.race([ended, new Promise<void>((resolve) => (copy.wake = resolve))]);
  }
  return copy.done;
};

class CopyIn extends Copy {
  readonly ready: Promise<CopyConnection>;
  #begin!: (connection: CopyConnection) => void;
  constructor(text: string) {
    super(text);
    this.ready = new Promise((resolve) => (this.#begin = resolve));
  }
  handleCopyInResponse(connection: CopyConnection): void {
    this.#begin(connection);
  }
}

/** Sends the pieces to the statement `copy … from stdin`, and returns the number of rows. */
export const copyIn = async (
  client: pg.ClientBase,
  text: string,
  pieces: AsyncIterable<Buffer>,
): Promise<number> => {
  const copy = client.query(new CopyIn(text));
  let failed = false;
  copy.done.catch(() => (failed = true));
  const connection = await Promise.race([copy.ready, copy.done]);
  if (typeof connection === 'number') throw new Error('PostgreSQL took no rows');
  try {
    for await (const piece of pieces) {
      if (failed) break;
      connection.sendCopyFromChunk(piece);
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, 'drain'), copy.done]);
    }
  } catch (error) {
    connection.sendCopyFail('the backup ends here');
    await copy.done.catch(() => {});
    throw error;
  }
  if (!failed) connection.endCopyFrom();
  return copy.done;
};
