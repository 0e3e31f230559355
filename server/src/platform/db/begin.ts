import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import { enterGate } from './gate.ts';
import { scopeSettings, systemScope } from './scope.ts';
import type { Scope } from './scope.ts';
import type { Log } from '#platform/log.ts';

/** Bounds of one transaction: each of its statements ends after `statementTimeout` ms; `signal` cancels the one that runs and refuses the next. */
export interface TxLimits {
  statementTimeout?: number | undefined;
  signal?: AbortSignal | undefined;
  first?: FirstStatement | undefined;
}

/** A query that a transaction asks before anything else, as the system and in the same round trip. */
export interface FirstStatement {
  query: RawBuilder<unknown>;
  /** Its rows, once a transaction has sent it. */
  rows: Promise<unknown[]> | null;
}

/** Clients whose transaction was cancelled: what it still wants to ask is not sent. */
const cancelled = new WeakSet<pg.PoolClient>();

export const isCancelled = (client: pg.PoolClient): boolean => cancelled.has(client);

/** The transaction's signal was aborted. */
export class QueryCancelledError extends Error {
  constructor() {
    super('the transaction was cancelled');
    this.name = 'QueryCancelledError';
  }
}

export interface Begun {
  /** Rejected where the transaction could not be begun. */
  started: Promise<unknown>;
  settle(): Promise<void>;
}

/** A promise that is awaited later: until then its rejection is not an unhandled one. */
export const handled = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => {});
  return promise;
};

/** What a cancel is sent with, and how a query is. */
interface Beside {
  pool: pg.Pool;
  log: Log;
  send(client: pg.PoolClient, query: RawBuilder<unknown>): Promise<pg.QueryResult>;
}

/** Of a text of several statements, which every beginning is. */
type Answered = pg.QueryResult<{ pid: number }>[];

/** Asks who calls as the system, and narrows the transaction to its scope behind it. */
const sendFirst = (client: pg.PoolClient, first: FirstStatement, scope: Scope, send: Beside['send']): Promise<unknown> | null => {
  first.rows = handled(send(client, first.query).then(({ rows }) => rows as unknown[]));
  return scope.kind === 'all' ? null : handled(client.query(scopeSettings(scope)));
};

/**
 * Begins without waiting for the answer: if begin fails, so does every statement after it. Cancels what runs when the signal is aborted. `settle` must have
 * been called before the client is released: a late cancel would end another's statement.
 */
export const begin = (client: pg.PoolClient, scope: Scope, limits: TxLimits | undefined, { pool, log, send }: Beside): Begun => {
  const { signal, statementTimeout } = limits ?? {};
  const first = limits?.first?.rows === null ? limits.first : null;
  const settings = scopeSettings(first ? systemScope('who is asking') : scope);
  const timeout = statementTimeout === undefined ? '' : `; set local statement_timeout = ${Math.ceil(statementTimeout)}`;
  const sent = handled(
    client.query(`begin; ${enterGate}; ${settings}${timeout}${signal ? '; select pg_backend_pid() as pid' : ''}`) as unknown as Promise<Answered>,
  );
  const narrowed = first && sendFirst(client, first, scope, send);
  // Where the beginning failed, everything after it says only that it did.
  const started = narrowed ? handled(sent.then(() => narrowed)) : sent;
  if (!signal) return { started, settle: async () => {} };
  let cancelSent: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    cancelled.add(client);
    cancelSent = sent
      .then((answers) => pool.query('select pg_cancel_backend($1)', [answers.at(-1)!.rows[0]!.pid]))
      .catch((error: unknown) => log.warn({ err: error }, 'a query could not be cancelled'));
  };
  if (signal.aborted) cancelled.add(client);
  else signal.addEventListener('abort', cancel, { once: true });
  const settle = async (): Promise<void> => {
    signal.removeEventListener('abort', cancel);
    await cancelSent;
    cancelled.delete(client);
  };
  return { started, settle };
};
