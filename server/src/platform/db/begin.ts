import type pg from 'pg';
import { enterGate } from './gate.ts';
import { scopeSettings } from './scope.ts';
import type { Scope } from './scope.ts';
import type { Log } from '#platform/log.ts';

/** Bounds of one transaction: each of its statements ends after `statementTimeout` ms; `signal` cancels the one that runs and refuses the next. */
export interface TxLimits {
  statementTimeout: number;
  signal?: AbortSignal | undefined;
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

/** What a cancel is sent with. */
interface Beside {
  pool: pg.Pool;
  log: Log;
}

/**
 * Begins without waiting for the answer: if begin fails, so does every statement after it. Cancels what runs when the signal is aborted. `settle` must have
 * been called before the client is released: a late cancel would end another's statement.
 */
export const begin = (client: pg.PoolClient, scope: Scope, limits: TxLimits | undefined, { pool, log }: Beside): Begun => {
  const text = `begin; ${enterGate}; ${scopeSettings(scope)}`;
  if (!limits) return { started: handled(client.query(text)), settle: async () => {} };
  const { signal, statementTimeout } = limits;
  const started = handled(
    client.query(`${text}; set local statement_timeout = ${Math.ceil(statementTimeout)}; select pg_backend_pid() as pid`) as unknown as Promise<
      pg.QueryResult<{ pid: number }>[]
    >,
  );
  let sent: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    cancelled.add(client);
    sent = started
      .then((results) => pool.query('select pg_cancel_backend($1)', [results.at(-1)!.rows[0]!.pid]))
      .catch((error: unknown) => log.warn({ err: error }, 'a query could not be cancelled'));
  };
  if (signal?.aborted) cancelled.add(client);
  else signal?.addEventListener('abort', cancel, { once: true });
  const settle = async (): Promise<void> => {
    signal?.removeEventListener('abort', cancel);
    await sent;
    cancelled.delete(client);
  };
  return { started, settle };
};
