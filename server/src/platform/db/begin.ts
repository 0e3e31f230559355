import type pg from 'pg';
import { enterGate } from './gate.ts';
import { scopeSettings } from './scope.ts';
import type { Scope } from './scope.ts';
import type { Log } from '#platform/log.ts';

/**
 * How PostgreSQL plans a transaction's prepared statements. `generic` plans a statement once per
 * connection: for statements whose planning takes longer than their execution. `custom` plans for
 * the values of each call: for statements whose generic plan reads many more rows.
 */
export type Plan = 'generic' | 'custom';

/**
 * The limits of one transaction. Each of its statements ends after `statementTimeout` ms. `signal`
 * cancels the running statement and refuses the next one. If `plan` is missing, PostgreSQL chooses
 * between generic and custom plans.
 */
export interface TxLimits {
  statementTimeout?: number | undefined;
  signal?: AbortSignal | undefined;
  plan?: Plan | undefined;
}

/** Connections whose transaction was cancelled. Their further statements are not sent. */
const cancelled = new WeakSet<pg.PoolClient>();

export const isCancelled = (client: pg.PoolClient): boolean => cancelled.has(client);

/** Thrown because the transaction's signal was aborted. */
export class QueryCancelledError extends Error {
  constructor() {
    super('the transaction was cancelled');
    this.name = 'QueryCancelledError';
  }
}

export interface Begun {
  /** Rejects if the transaction could not begin. */
  started: Promise<unknown>;
  settle(): Promise<void>;
}

/** Marks a promise that is awaited later, so that its rejection does not count as unhandled. */
export const handled = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => {});
  return promise;
};

/**
 * A query that is sent with the first statements of each transaction. `check` gets its result, and
 * throws if this server must not be read.
 */
export interface Admission {
  query: string;
  check(number: number): void;
}

/**
 * The values that `begin` needs in addition to the limits of the transaction. A cancel is sent
 * through `pool`. `statementTimeout` applies if the transaction has no timeout of its own.
 */
interface Beside {
  pool: pg.Pool;
  log: Log;
  statementTimeout: number;
  admission: Admission | null;
}

/** Milliseconds after which PostgreSQL ends a transaction that is idle. */
const idleTimeout = 60_000;

/**
 * The results of a query text that contains several statements. Every transaction begins with such
 * a text.
 */
type Answered = pg.QueryResult<{ number: number }>[];

/**
 * Begins a transaction without waiting for the response: if BEGIN fails, every statement after it
 * fails too. Cancels the running statement when the signal is aborted. `settle` must be called
 * before the connection is released, because a late cancel would end a statement of another
 * transaction.
 */
export const begin = (
  client: pg.PoolClient,
  scope: Scope,
  limits: TxLimits | undefined,
  { pool, log, statementTimeout, admission }: Beside,
): Begun => {
  const { signal, plan } = limits ?? {};
  const settings = scopeSettings(scope);
  // The timeouts are set inside the transaction, because a pooler refuses these settings in the
  // start-up packet.
  const timeouts = `set local statement_timeout = ${Math.ceil(limits?.statementTimeout ?? statementTimeout)};
    set local idle_in_transaction_session_timeout = ${idleTimeout}`;
  const planning = plan === undefined ? '' : `; set local plan_cache_mode = force_${plan}_plan`;
  const admit = admission ? `; ${admission.query}` : '';
  const pid = signal ? '; select pg_backend_pid() as number' : '';
  const sent = handled(
    client.query(
      `begin; ${timeouts}; ${enterGate}; ${settings}${planning}${admit}${pid}`,
    ) as unknown as Promise<Answered>,
  );
  const started = admission
    ? handled(
        sent.then((answers) => admission.check(answers.at(signal ? -2 : -1)!.rows[0]!.number)),
      )
    : sent;
  if (!signal) return { started, settle: async () => {} };
  let cancelSent: Promise<unknown> = Promise.resolve();
  const cancel = (): void => {
    cancelled.add(client);
    cancelSent = sent
      .then((answers) =>
        pool.query('select pg_cancel_backend($1)', [answers.at(-1)!.rows[0]!.number]),
      )
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
