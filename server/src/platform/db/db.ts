import { Kysely, PostgresDialect, sql } from 'kysely';
import type { RawBuilder, SelectType } from 'kysely';
import pg from 'pg';
import { QueryCancelledError, begin, handled, isCancelled } from './begin.ts';
import type { Admission, Begun, TxLimits } from './begin.ts';
import {
  clearPipeline,
  firstError,
  handledError,
  hasAnswer,
  noteEnd,
  noteSavepoint,
  openPipeline,
  queueStatement,
  queueWithCommit,
  rowsAtEnd,
  rowsAtOnce,
  sendKept,
  settlePipeline,
  writeTogether,
} from './pipeline.ts';
import { PreparedStatements, isLostStatement, isStalePlan } from './prepared.ts';
import type { Schema } from './schema.ts';
import type { Scope } from './scope.ts';
import { isOfWrongServer, primaryOnly } from './standby.ts';
import { isUnavailable } from './unavailable.ts';
import { Work, callerIn, callerOf } from './work.ts';
import { inSpan } from '#platform/tracing/tracing.ts';
import type { Caller, ReaderWork, Tx, UserCaller, UserWork, WorkOf } from './work.ts';
import type { Log } from '#platform/log.ts';

const querySpan = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** Returns the name of a transaction's span: the reason of the system's scope, or "user". */
const spanName = (by: Scope | Caller): string => {
  const scope = 'kind' in by ? by : by.scope;
  return scope.kind === 'all' && 'kind' in by ? `sql ${scope.why}` : 'sql user';
};

/** The name of a database table. */
export type Table = keyof Schema;

/** A row of a table, or some of its columns: `RowOf<'cargos', 'id' | 'name'>`. */
export type RowOf<T extends Table, Column extends keyof Schema[T] = keyof Schema[T]> = {
  [C in Column]: SelectType<Schema[T][C]>;
};

export interface Db {
  /**
   * Calls `run` in one transaction with the scope of `by`: a user (`callerOf`), or a scope of the
   * system. Commits, unless `run` throws.
   */
  tx<T, By extends Scope | Caller>(
    by: By,
    run: (work: WorkOf<By>) => Promise<T>,
    limits?: TxLimits,
  ): Promise<T>;
  /**
   * Executes one statement in a separate transaction and returns its rows. BEGIN, the statement and
   * the commit take one round trip.
   */
  rows<R>(scope: Scope, query: RawBuilder<R>): Promise<R[]>;
  /**
   * Returns a separate connection for LISTEN, COPY or locks that last longer than a transaction.
   * The caller must return it with release().
   */
  client(): Promise<pg.PoolClient>;
  /** Returns the number of transactions in this process that wait for a connection. */
  waiting(): number;
  /** The pool itself, which only the job library uses. */
  pool: pg.Pool;
  close(): Promise<void>;
}

export {
  QueryCancelledError,
  callerOf,
  handled,
  isUnavailable,
  queueStatement,
  queueWithCommit,
  rowsAtEnd,
  rowsAtOnce,
  sql,
};
export type { Caller, ReaderWork, TxLimits, UserCaller, UserWork, Work, WorkOf };
export type { RawBuilder } from 'kysely';

/**
 * Returns the row of a query that always returns exactly one, such as an aggregate or an update of
 * an existing row. Throws if no row is returned.
 */
export const oneRow = async <R>({ tx }: Work, query: RawBuilder<R>): Promise<R> => {
  const { rows } = await query.execute(tx);
  if (rows[0] === undefined) throw new Error('a query that answers one row answered none');
  return rows[0];
};

const int8 = 20;
const int8s = 1016;
const textArray = 1009;
const date = 1082;
const numeric = 1700;

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond a safe integer`);
  return value;
};

/**
 * Converts PostgreSQL's types: a bigint is read as a safe integer (a larger value throws); dates
 * and numeric values are read as text.
 */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return whole;
    if (oid === int8s)
      return (text: string) =>
        (pg.types.getTypeParser(textArray as number, 'text')(text) as string[]).map(whole);
    if (oid === date || oid === numeric) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** Sends a statement immediately. If the statement is prepared, it is sent with a name. */
type Send = (client: pg.PoolClient, text: string, values: unknown[]) => Promise<pg.QueryResult>;

const sending =
  (prepared: PreparedStatements | null, log: Log): Send =>
  async (client, text, values) => {
    writeTogether(client);
    if (!prepared) return client.query({ text, values });
    try {
      return await client.query(prepared.statement(client, text, values));
    } catch (error) {
      if (isStalePlan(error)) prepared.clear();
      if (isLostStatement(error) && prepared.stop())
        log.warn(
          { err: error },
          'a prepared statement is lost, as behind a pooler; this process prepares no more statements',
        );
      throw error;
    }
  };

/**
 * Creates, once per connection, a Kysely that sends every query over this connection. The product
 * sends begin and commit itself, in one round trip each.
 */
const pinning = (send: Send): ((client: pg.PoolClient) => Tx) => {
  const pinned = new WeakMap<pg.PoolClient, Tx>();
  return (client) => {
    const known = pinned.get(client);
    if (known) return known;
    const query = (text: string, values: unknown[]): Promise<unknown> => {
      const refused = isCancelled(client)
        ? new QueryCancelledError()
        : text.startsWith('savepoint')
          ? noteSavepoint(made)
          : null;
      return refused ? Promise.reject(refused) : noteEnd(made, text, send(client, text, values));
    };
    const borrowed = { query, release: () => {} };
    const made: Tx = new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: { connect: async () => borrowed as never, end: async () => {}, options: {} },
      }),
    });
    pinned.set(client, made);
    openPipeline(made, { query, isCancelled: () => isCancelled(client) });
    return made;
  };
};

const compiling =
  (kyselyOn: (client: pg.PoolClient) => Tx, send: Send) =>
  (client: pg.PoolClient, query: RawBuilder<unknown>): Promise<pg.QueryResult> => {
    const { sql: text, parameters } = query.compile(kyselyOn(client));
    return send(client, text, [...parameters]);
  };

export interface DbOptions {
  connection: pg.PoolConfig;
  max: number;
  log: Log;
  /** The milliseconds after which PostgreSQL cancels a statement of this pool. */
  statementTimeout?: number;
  /**
   * True if statements are prepared under names. False behind a pooler that does not support
   * prepared statements.
   */
  prepare?: boolean;
  /**
   * Decides if the standby may be read at present. It is set only for a pool of connections to a
   * standby.
   */
  standby?: Admission;
}

/**
 * Logs lost connections, with the error's message and code only, because the library's error
 * contains the whole connection with its password. Connections lost while the pool ends are not
 * logged.
 */
const noteLost = (pool: pg.Pool, log: Log): void => {
  const note =
    (what: string) =>
    ({ message, code }: Error & { code?: string }): void =>
      void (pool.ending || log.warn({ err: { message, code } }, what));
  pool.on('error', note('an idle database connection was lost'));
  pool.on('connect', (client) => client.on('error', note('a database connection was lost')));
};

/**
 * Returns the seconds after which a connection is replaced. A PostgreSQL connection caches plans
 * and catalogue rows: in half an hour twenty connections grew from 170 to 310 MB. The time is
 * random, so that connections opened together are not all replaced, and their statements planned
 * again, at the same time.
 */
const lifetimeSeconds = (): number => 150 + Math.random() * 300;

const openPool = ({ connection, max, log, standby }: DbOptions): pg.Pool => {
  const pool = new pg.Pool({
    ...connection,
    ...(standby ? {} : primaryOnly(log)),
    max,
    types,
    // There is no limit for idle connections. A new connection has to plan every statement again,
    // which costs more than to keep an idle one. A connection is replaced after its lifetime
    // instead.
    idleTimeoutMillis: 0,
    // A firewall may drop an idle connection without notice. Without keep-alive, a query on it
    // would wait until TCP gives up.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    maxLifetimeSeconds: lifetimeSeconds(),
    connectionTimeoutMillis: 5_000,
    application_name: 'waystation',
    // The next query is sent before the response to BEGIN has arrived.
    pipeline: true,
  });
  noteLost(pool, log);
  pool.on('connect', () => (pool.options.maxLifetimeSeconds = lifetimeSeconds()));
  return pool;
};

/** Opens transactions on connections of the pool. */
interface Opener {
  open(scope: Scope, limits?: TxLimits): Promise<Begun & { client: pg.PoolClient }>;
  /** Returns the connection to the pool; a `broken` one is closed. */
  release(client: pg.PoolClient, broken: Error | undefined): void;
}

const transactions = (
  { open, release }: Opener,
  kyselyOn: ReturnType<typeof pinning>,
): Db['tx'] => {
  /**
   * Errors of transactions in which no statement got a response, and which may therefore run again.
   */
  const untouched = new WeakSet<object>();

  const runOnce: Db['tx'] = async (by, run, limits) => {
    const caller = callerIn(by);
    const { client, started, settle } = await open(caller.scope, limits);
    let broken: Error | undefined;
    const opened = kyselyOn(client);
    clearPipeline(opened);
    try {
      const result = await run(new Work(opened, caller) as never);
      await started;
      await settle();
      writeTogether(client);
      await sendKept(opened);
      const committed = handled(client.query('commit'));
      await settlePipeline(opened);
      const { command } = await committed;
      // If a caller ignored the error of a failed statement, PostgreSQL answers COMMIT with a
      // rollback.
      if (command !== 'COMMIT') {
        const first = handledError(opened);
        throw isUnavailable(first) ? first : new Error('a failed transaction was not committed');
      }
      return result;
    } catch (error) {
      await settle();
      // If the rollback fails, the connection is lost, and the pool must not use it again.
      await client.query('rollback').catch((lost: Error) => (broken = lost));
      // If BEGIN failed, every statement after it fails too, and only the error of BEGIN gives the
      // reason.
      const first = await started.then(
        () => firstError(opened, error),
        (reason: unknown) => reason,
      );
      if (isLostStatement(first) && !hasAnswer(opened)) untouched.add(first as object);
      if (isOfWrongServer(first)) broken ??= first as Error;
      throw first;
    } finally {
      release(client, broken);
    }
  };

  return (by, run, limits) =>
    inSpan(spanName(by), querySpan, () =>
      runOnce(by, run, limits).catch((error: object) => {
        if (!untouched.has(error)) throw error;
        return runOnce(by, run, limits);
      }),
    );
};

const singleQueries = (
  { open, release }: Opener,
  sendQuery: ReturnType<typeof compiling>,
): Db['rows'] => {
  const rowsOnce = async <R>(scope: Scope, query: RawBuilder<R>): Promise<R[]> => {
    const { client, started } = await open(scope);
    let broken: Error | undefined;
    const answered = handled(sendQuery(client, query));
    const ended = client.query('commit').catch((lost: Error) => void (broken = lost));
    try {
      await started;
      return (await answered).rows as R[];
    } catch (error) {
      if (isOfWrongServer(error)) broken ??= error as Error;
      throw error;
    } finally {
      await ended;
      release(client, broken);
    }
  };

  return (scope, query) =>
    inSpan(spanName(scope), querySpan, () =>
      rowsOnce(scope, query).catch((error: unknown) => {
        if (!isLostStatement(error)) throw error;
        return rowsOnce(scope, query);
      }),
    );
};

/**
 * Opens the pool. A lost database does not end the process: errors of idle connections are logged,
 * and running queries fail.
 */
export const openDb = (options: DbOptions): Db => {
  const { log, statementTimeout = 30_000, prepare = true, standby: admission = null } = options;
  const prepared = prepare ? new PreparedStatements() : null;
  const send = sending(prepared, log);
  const kyselyOn = pinning(send);
  const sendQuery = compiling(kyselyOn, send);
  const pool = openPool(options);

  const open = async (
    scope: Scope,
    limits?: TxLimits,
  ): Promise<Begun & { client: pg.PoolClient }> => {
    const client = await pool.connect();
    try {
      writeTogether(client);
      return {
        client,
        ...begin(client, scope, limits, { pool, log, statementTimeout, admission }),
      };
    } catch (error) {
      client.release();
      throw error;
    }
  };

  const release = (client: pg.PoolClient, broken: Error | undefined): void =>
    client.release(broken ?? prepared?.isFull(client));

  const opener = { open, release };
  return {
    tx: transactions(opener, kyselyOn),
    rows: singleQueries(opener, sendQuery),
    client: () => pool.connect(),
    waiting: () => pool.waitingCount,
    pool,
    close: () => pool.end(),
  };
};

/**
 * Converts a value to text for `::jsonb`. NUL and unpaired surrogates, which PostgreSQL cannot
 * store, become the replacement character.
 */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(/\\\\|\\u0000|\\ud[89a-f][\da-f]{2}/g, (escape) =>
    escape === '\\\\' ? escape : '\\ufffd',
  );

/** Returns the name of the constraint that an error violates; undefined for any other error. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code?.startsWith('23') ? constraint : undefined;
};
