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

/** Of a text of several statements one each. */
type Answered = pg.QueryResult<{ pid: number }>;

/** What a cancel is sent with, and how a query is. */
interface Beside {
  pool: pg.Pool;
  log: Log;
  send(client: pg.PoolClient, query: RawBuilder<unknown>): Promise<pg.QueryResult>;
}

/** Sends the first statement before the transaction is narrowed to its scope; answers what is sent next. */
const sendFirst = (client: pg.PoolClient, first: FirstStatement, scope: Scope, send: Beside['send']): { started: Promise<unknown>; next: string | null } => {
  const started = handled(client.query(`begin; ${enterGate}; ${scopeSettings(systemScope('who is asking'))}`));
  first.rows = handled(send(client, first.query).then(({ rows }) => rows as unknown[]));
  // Asked as the system, which the rest may stay.
  return { started, next: scope.kind === 'all' ? null : scopeSettings(scope) };
};

/**
 * Begins without waiting for the answer: if begin fails, so does every statement after it. Cancels what runs when the signal is aborted. `settle` must have
 * been called before the client is released: a late cancel would end another's statement.
 */
export const begin = (client: pg.PoolClient, scope: Scope, limits: TxLimits | undefined, { pool, log, send }: Beside): Begun => {
  const first = limits?.first && limits.first.rows === null ? sendFirst(client, limits.first, scope, send) : null;
  const { signal, statementTimeout } = limits ?? {};
  const settings = first ? first.next : `begin; ${enterGate}; ${scopeSettings(scope)}`;
  const timeout = statementTimeout === undefined ? null : `set local statement_timeout = ${Math.ceil(statementTimeout)}`;
  const text = [settings, timeout, signal && 'select pg_backend_pid() as pid'].filter((part) => part).join('; ');
  const sentAfter = text === '' ? null : handled(client.query(text) as unknown as Promise<Answered | Answered[]>);
  // Where the beginning failed, everything after it says only that it did.
  const started = first ? handled(first.started.then((begun) => sentAfter ?? begun)) : sentAfter!;
  if (!signal) return { started, settle: async () => {} };
  let sent: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    cancelled.add(client);
    sent = started
      .then((results) => pool.query('select pg_cancel_backend($1)', [[results as Answered | Answered[]].flat().at(-1)!.rows[0]!.pid]))
      .catch((error: unknown) => log.warn({ err: error }, 'a query could not be cancelled'));
  };
  if (signal.aborted) cancelled.add(client);
  else signal.addEventListener('abort', cancel, { once: true });
  const settle = async (): Promise<void> => {
    signal.removeEventListener('abort', cancel);
    await sent;
    cancelled.delete(client);
  };
  return { started, settle };
};
