import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type pg from 'pg';
import { handled } from './begin.ts';
import type { Schema } from './schema.ts';

type Tx = Kysely<Schema>;

/** The open transaction of a client: how its statements are sent, and those whose result nobody has waited for yet. */
interface Line {
  query(text: string, values: unknown[]): Promise<unknown>;
  /** Sends a statement whose values are answered as the texts that PostgreSQL sends, and the commit with it. */
  last(text: string, values: unknown[]): { answered: Promise<Texts>; committed: Promise<pg.QueryResult> };
  isCancelled(): boolean;
  sent: Promise<unknown>[];
  /** Sends what was kept for the commit. */
  kept: (() => Promise<void>)[];
  /** Whether it may undo a part of itself. */
  hasSavepoint: boolean;
  committed: Promise<pg.QueryResult> | null;
}

/** Rows as PostgreSQL sends them: each value as its text, in the order of the columns. */
export interface Texts {
  columns: readonly { name: string; dataTypeID: number }[];
  rows: readonly (readonly (string | null)[])[];
}

const lines = new WeakMap<Tx, Line>();

export const openLine = (tx: Tx, line: Pick<Line, 'query' | 'last' | 'isCancelled'>): void =>
  void lines.set(tx, { ...line, sent: [], kept: [], hasSavepoint: false, committed: null });

/** Forgets what a former transaction of the same client sent. */
export const clearLine = (tx: Tx): void => {
  const line = lines.get(tx);
  if (!line) return;
  line.sent = [];
  line.kept = [];
  line.hasSavepoint = false;
  line.committed = null;
};

/** Waits for all statements that were queued in the transaction; rejects with the error of the first that failed. */
export const settleLine = async (tx: Tx): Promise<void> => {
  await Promise.all(lines.get(tx)?.sent ?? []);
};

/** SQLSTATE of every statement after one that failed. */
const aborted = '25P02';

/** The error that ended a transaction: that of a queued statement where `error` only says that one failed before. */
export const firstError = async (tx: Tx, error: unknown): Promise<unknown> => {
  if ((error as { code?: string } | null)?.code !== aborted) return error;
  return settleLine(tx).then(
    () => error,
    (first: unknown) => first,
  );
};

/** Values that the driver sends for certain; serializing others may fail. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  typeof value !== 'object' ||
  value instanceof Date ||
  Buffer.isBuffer(value) ||
  (Array.isArray(value) && value.every(isPlain));

/**
 * Sends a statement whose result nobody reads, without waiting: it and the commit that follows are one round trip. If it fails, the transaction fails with its
 * error, so it is not for a statement whose error the caller handles. One that may fail before PostgreSQL gets it is awaited: PostgreSQL would commit without it.
 */
export const queueStatement = async (tx: Tx, query: CompiledQuery, mapError: (error: unknown) => unknown = (error) => error): Promise<void> => {
  const line = lines.get(tx);
  if (!line || line.isCancelled() || !query.parameters.every(isPlain)) return void (await tx.executeQuery(query));
  line.sent.push(
    handled(
      line.query(query.sql, [...query.parameters]).catch((error: unknown) => {
        throw mapError(error);
      }),
    ),
  );
};

/**
 * The same for a statement that locks what others wait for: it is sent with the commit, behind everything else that the transaction sends, so that its lock
 * is held for nothing but itself. Nothing in the transaction sees what it does. Where the transaction may undo a part of itself, it is sent at once, since it
 * would not be undone with that part.
 */
export const queueWithCommit = async (tx: Tx, query: CompiledQuery, mapError?: (error: unknown) => unknown): Promise<void> => {
  const send = () => queueStatement(tx, query, mapError);
  const line = lines.get(tx);
  if (line && !line.hasSavepoint && !line.isCancelled()) line.kept.push(send);
  else await send();
};

/** Notes a savepoint; its refusal where a statement is kept already, which would be sent behind what the savepoint may undo. */
export const noteSavepoint = (tx: Tx): Error | null => {
  const line = lines.get(tx);
  if (!line) return null;
  line.hasSavepoint = true;
  return line.kept.length > 0 ? new Error('a statement is kept for the commit, which a savepoint would not undo') : null;
};

/** Sends what was kept for the commit, which the caller sends in the same tick. */
export const sendKept = async (tx: Tx): Promise<void> => {
  const line = lines.get(tx);
  for (const send of line?.kept.splice(0) ?? []) await send();
};

/** Sends a statement at once, before anything that is sent later; several of them in one tick are one round trip. */
export const rowsAtOnce = async <R>(tx: Tx, query: RawBuilder<R>): Promise<R[]> => {
  const line = lines.get(tx);
  if (!line) return (await query.execute(tx)).rows;
  const { sql: text, parameters } = query.compile(tx);
  return ((await line.query(text, [...parameters])) as pg.QueryResult).rows as R[];
};

/**
 * Sends a statement whose rows are read after the commit, which is sent behind it without waiting. Its error is that of the transaction. Wrapped, since a
 * promise that `work` answered with would be waited for.
 */
export const rowsAtEnd = <R>(tx: Tx, query: RawBuilder<R>): { rows: Promise<R[]> } => {
  const rows = handled(rowsAtOnce(tx, query));
  lines.get(tx)?.sent.push(rows);
  return { rows };
};

/** The commit that was sent with the transaction's last statement; null where it is still to be sent. */
export const commitOf = (tx: Tx): Promise<pg.QueryResult> | null => lines.get(tx)?.committed ?? null;

/**
 * The rows of the transaction's last statement, as texts: no date, number or JSON is made of what an answer writes as text again, and the commit is sent with it,
 * so that a transaction of one statement is one round trip. Whatever is asked of the transaction after it is refused.
 */
export const lastTexts = async (tx: Tx, query: RawBuilder<unknown>): Promise<Texts> => {
  const line = lines.get(tx);
  if (!line) throw new Error('no transaction is open');
  if (line.kept.length > 0) throw new Error('a statement is kept for the commit, which lastTexts sends');
  const { sql: text, parameters } = query.compile(tx);
  const { answered, committed } = line.last(text, [...parameters]);
  line.committed = committed;
  return answered;
};

interface Corkable {
  cork(): void;
  uncork(): void;
}

const corked = new WeakSet<Corkable>();

/** Writes what is sent on this connection in one tick by one system call, which is most of what a statement costs node. */
export const writeTogether = (client: pg.PoolClient): void => {
  const stream = (client as unknown as { connection?: { stream?: Partial<Corkable> } }).connection?.stream as Corkable | undefined;
  if (!stream?.cork || corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
};
