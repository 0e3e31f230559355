import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type pg from 'pg';
import { handled } from './begin.ts';
import type { Schema } from './schema.ts';

type Tx = Kysely<Schema>;

/**
 * The state of an open transaction: how its statements are sent, and the results for which nobody
 * has waited yet.
 */
interface Pipeline {
  query(text: string, values: unknown[]): Promise<unknown>;
  isCancelled(): boolean;
  sent: Promise<unknown>[];
  /** Functions that send the statements deferred to the commit. */
  kept: (() => Promise<void>)[];
  /** True if the transaction has a savepoint. */
  hasSavepoint: boolean;
  /** True if a statement of the transaction has got a response. */
  hasAnswer: boolean;
  /** The error of the first statement that has failed since the last rollback to a savepoint. */
  failed: unknown;
}

/** An object with an open transaction, such as `Work`. */
interface OpenTx {
  readonly tx: Tx;
}

const pipelines = new WeakMap<Tx, Pipeline>();

const fresh = () => ({
  sent: [],
  kept: [],
  hasSavepoint: false,
  hasAnswer: false,
  failed: undefined,
});

export const openPipeline = (tx: Tx, pipeline: Pick<Pipeline, 'query' | 'isCancelled'>): void =>
  void pipelines.set(tx, { ...pipeline, ...fresh() });

/** Clears what is known about an earlier transaction on the same connection. */
export const clearPipeline = (tx: Tx): void => {
  const pipeline = pipelines.get(tx);
  if (pipeline) Object.assign(pipeline, fresh());
};

/**
 * Waits for a statement's result, and records if the statement failed, even if its caller handles
 * the error.
 */
export const noteEnd = async <T>(tx: Tx, text: string, answer: Promise<T>): Promise<T> => {
  const pipeline = pipelines.get(tx);
  try {
    const result = await answer;
    if (pipeline) pipeline.hasAnswer = true;
    if (pipeline && text.startsWith('rollback to')) pipeline.failed = undefined;
    return result;
  } catch (error) {
    if (pipeline) pipeline.failed ??= error;
    throw error;
  }
};

/** True if a statement of the transaction has got a response. */
export const hasAnswer = (tx: Tx): boolean => pipelines.get(tx)?.hasAnswer ?? false;

/**
 * Returns the error of the first failed statement of the transaction, even if the caller has
 * handled this error.
 */
export const handledError = (tx: Tx): unknown => pipelines.get(tx)?.failed;

/**
 * Waits for all statements that were queued in the transaction; rejects with the error of the
 * first that failed.
 */
export const settlePipeline = async (tx: Tx): Promise<void> => {
  await Promise.all(pipelines.get(tx)?.sent ?? []);
};

/**
 * The SQLSTATE of a statement that is sent after another statement of its transaction has failed.
 */
const aborted = '25P02';

const isAborted = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === aborted;

/**
 * Returns the error that ended a transaction. If `error` only reports that the transaction is
 * aborted, returns the error of the statement that failed first.
 */
export const firstError = async (tx: Tx, error: unknown): Promise<unknown> => {
  if (!isAborted(error)) return error;
  const queued: unknown = await settlePipeline(tx).then(
    () => error,
    (first: unknown) => first,
  );
  return isAborted(queued) ? (handledError(tx) ?? error) : queued;
};

/** True if the driver can always send a value. Converting any other value to text may fail. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  typeof value !== 'object' ||
  value instanceof Date ||
  Buffer.isBuffer(value) ||
  (Array.isArray(value) && value.every(isPlain));

/**
 * Sends a statement whose result is not needed, and does not wait for it. It shares a round trip
 * with the later commit. If the statement fails, the transaction fails with its error, so the
 * caller cannot handle the error. A statement that may fail before PostgreSQL receives it is
 * awaited, because otherwise PostgreSQL would commit without it.
 */
export const queueStatement = async (
  { tx }: OpenTx,
  query: CompiledQuery,
  mapError: (error: unknown) => unknown = (error) => error,
): Promise<void> => {
  const pipeline = pipelines.get(tx);
  if (!pipeline || pipeline.isCancelled() || !query.parameters.every(isPlain))
    return void (await tx.executeQuery(query));
  pipeline.sent.push(
    handled(
      pipeline.query(query.sql, [...query.parameters]).catch((error: unknown) => {
        throw mapError(error);
      }),
    ),
  );
};

/**
 * Queues a statement that locks rows for which others wait. It is sent with the commit, after all
 * other statements of the transaction, so that its lock is short. No other statement of the
 * transaction sees its effect. In a transaction with a savepoint it is sent immediately, because a
 * rollback to the savepoint must undo it.
 */
export const queueWithCommit = async (
  work: OpenTx,
  query: CompiledQuery,
  mapError?: (error: unknown) => unknown,
): Promise<void> => {
  const send = () => queueStatement(work, query, mapError);
  const pipeline = pipelines.get(work.tx);
  if (pipeline && !pipeline.hasSavepoint && !pipeline.isCancelled()) pipeline.kept.push(send);
  else await send();
};

/**
 * Records a savepoint; returns an error if a statement is deferred already, because a rollback to
 * the savepoint could not undo it.
 */
export const noteSavepoint = (tx: Tx): Error | null => {
  const pipeline = pipelines.get(tx);
  if (!pipeline) return null;
  pipeline.hasSavepoint = true;
  return pipeline.kept.length > 0
    ? new Error('a statement is kept for the commit, which a savepoint would not undo')
    : null;
};

/** Sends the deferred statements. The caller sends the commit in the same tick. */
export const sendKept = async (tx: Tx): Promise<void> => {
  const pipeline = pipelines.get(tx);
  for (const send of pipeline?.kept.splice(0) ?? []) await send();
};

/**
 * Sends a statement immediately, before any statement that is sent later. Several statements that
 * are sent in one tick need only one round trip.
 */
export const rowsAtOnce = async <R>({ tx }: OpenTx, query: RawBuilder<R>): Promise<R[]> => {
  const pipeline = pipelines.get(tx);
  if (!pipeline) return (await query.execute(tx)).rows;
  const { sql: text, parameters } = query.compile(tx);
  return ((await pipeline.query(text, [...parameters])) as pg.QueryResult).rows as R[];
};

/**
 * Sends a statement whose rows are read after the commit. The commit is sent without waiting for
 * them. If the statement fails, the transaction fails with its error. The promise is returned
 * inside an object, because a promise returned by `work` would be awaited.
 */
export const rowsAtEnd = <R>(work: OpenTx, query: RawBuilder<R>): { rows: Promise<R[]> } => {
  const rows = handled(rowsAtOnce(work, query));
  pipelines.get(work.tx)?.sent.push(rows);
  return { rows };
};

interface Corkable {
  cork(): void;
  uncork(): void;
}

const corked = new WeakSet<Corkable>();

/**
 * Collects the statements that are sent on this connection in one tick, and writes them with one
 * system call. The system call is most of a statement's cost in Node.
 */
export const writeTogether = (client: pg.PoolClient): void => {
  const stream = (client as unknown as { connection?: { stream?: Partial<Corkable> } }).connection
    ?.stream as Corkable | undefined;
  if (!stream?.cork || corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
};
