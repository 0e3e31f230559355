import { Kysely, PostgresDialect, sql } from 'kysely';
import type { RawBuilder, SelectType } from 'kysely';
import pg from 'pg';
import { QueryCancelledError, begin, handled, isCancelled } from './begin.ts';
import type { Begun, FirstStatement, TxLimits } from './begin.ts';
import {
  clearLine,
  commitOf,
  firstError,
  lastTexts,
  noteSavepoint,
  openLine,
  queueStatement,
  queueWithCommit,
  rowsAtEnd,
  rowsAtOnce,
  sendKept,
  settleLine,
  writeTogether,
} from './pipeline.ts';
import type { Texts } from './pipeline.ts';
import { PreparedStatements, isStalePlan, plannedOnce } from './prepared.ts';
import type { Schema } from './schema.ts';
import type { Scope } from './scope.ts';
import type { Log } from '#platform/log.ts';

/** A transaction bound to a scope. Every query of the product runs on one. */
export type Tx = Kysely<Schema>;

/** Name of a table. */
export type Table = keyof Schema;

/** A row as it is read, or some of its columns: `RowOf<'cargos', 'id' | 'name'>`. */
export type RowOf<T extends Table, Column extends keyof Schema[T] = keyof Schema[T]> = { [C in Column]: SelectType<Schema[T][C]> };

export interface Db {
  /** Runs `work` in one transaction that sees only `scope`; commits unless `work` throws. */
  tx<T>(scope: Scope, work: (tx: Tx) => Promise<T>, limits?: TxLimits): Promise<T>;
  /** The rows of one statement in a transaction of its own: begin, statement and commit are one round trip. */
  rows<R>(scope: Scope, query: RawBuilder<R>): Promise<R[]>;
  /** A client of its own for LISTEN, COPY or locks that outlive a transaction; give it back with release(). */
  client(): Promise<pg.PoolClient>;
  /** The pool itself, for the job library only. */
  pool: pg.Pool;
  close(): Promise<void>;
}

export { QueryCancelledError, handled, lastTexts, queueStatement, queueWithCommit, rowsAtEnd, rowsAtOnce, sql };
export type { FirstStatement, Texts, TxLimits };
export type { NotNull, RawBuilder } from 'kysely';

/** The one row of a query that always answers one (an aggregate, `returning` of a row that is there); throws where it answers none. */
export const oneRow = async <R>(tx: Tx, query: RawBuilder<R>): Promise<R> => {
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

/** bigint as a safe integer (a larger one is a defect and throws), dates as text, numeric as text. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return whole;
    if (oid === int8s) return (text: string) => (pg.types.getTypeParser(textArray as number, 'text')(text) as string[]).map(whole);
    if (oid === date || oid === numeric) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** Rows as arrays of what PostgreSQL sends. */
const asTexts = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } } as const;

/** Sends a statement at once, prepared where it may be; `how` its rows are read. */
type Send = (client: pg.PoolClient, text: string, values: unknown[], how?: typeof asTexts) => Promise<pg.QueryResult>;

const sending =
  (prepared: PreparedStatements | null): Send =>
  async (client, text, values, how) => {
    writeTogether(client);
    if (!prepared) return client.query({ text, values, ...how } as pg.QueryConfig);
    if (text.includes(plannedOnce)) void handled(client.query('set local plan_cache_mode = force_generic_plan'));
    try {
      return await client.query({ ...prepared.statement(client, text, values), ...how } as pg.QueryConfig);
    } catch (error) {
      if (isStalePlan(error)) prepared.forget();
      throw error;
    }
  };

/** Makes, once per client, a Kysely whose every query goes to that client, so that begin and commit are ours and cost one round trip each. */
const pinning = (send: Send): ((client: pg.PoolClient) => Tx) => {
  const pinned = new WeakMap<pg.PoolClient, Tx>();
  return (client) => {
    const known = pinned.get(client);
    if (known) return known;
    const refusal = (): Error | null => {
      if (isCancelled(client)) return new QueryCancelledError();
      return commitOf(made) ? new Error('the transaction has sent its last statement') : null;
    };
    const query = (text: string, values: unknown[]): Promise<unknown> => {
      const refused = refusal() ?? (text.startsWith('savepoint') ? noteSavepoint(made) : null);
      return refused ? Promise.reject(refused) : send(client, text, values);
    };
    const last = (text: string, values: unknown[]) => {
      const refused = refusal();
      if (refused) throw refused;
      const answered = handled(send(client, text, values, asTexts).then(({ fields, rows }) => ({ columns: fields, rows }) as unknown as Texts));
      return { answered, committed: handled(client.query('commit')) };
    };
    const borrowed = { query, release: () => {} };
    const made: Tx = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: { connect: async () => borrowed as never, end: async () => {}, options: {} } }),
    });
    pinned.set(client, made);
    openLine(made, { query, last, isCancelled: () => isCancelled(client) });
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
  /** Milliseconds after which PostgreSQL ends a statement of ours. */
  statementTimeout?: number;
  /** Whether statements are prepared under names; not behind a pooler that knows no prepared statements. */
  prepare?: boolean;
}

/** Logs connections that are lost. The library's error carries the whole connection, its key among it; what is lost while the pool ends was not wanted any more. */
const noteLost = (pool: pg.Pool, log: Log): void => {
  const note =
    (what: string) =>
    ({ message, code }: Error & { code?: string }): void =>
      void (pool.ending || log.warn({ err: { message, code } }, what));
  pool.on('error', note('an idle database connection was lost'));
  pool.on('connect', (client) => client.on('error', note('a database connection was lost')));
};

/**
 * Seconds after which a connection is replaced, drawn for each: a connection of PostgreSQL keeps what it has planned and looked up, and in half an hour twenty of
 * them grew from 170 to 310 MB. All of one age, opened together when the server starts or the database comes back, would be replaced, and plan again, in one moment.
 */
const lifetimeSeconds = (): number => 150 + Math.random() * 300;

const openPool = ({ connection, max, log, statementTimeout }: Required<Omit<DbOptions, 'prepare'>>): pg.Pool => {
  const pool = new pg.Pool({
    ...connection,
    max,
    types,
    // A connection that waits for work costs less than one that has to plan everything again at the next burst; it ends by its age.
    idleTimeoutMillis: 0,
    // What lies between may forget a connection that says nothing, and a request on it would wait until TCP gives up.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    maxLifetimeSeconds: lifetimeSeconds(),
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'waystation',
    // What is asked next is sent before the answer to begin has arrived.
    pipeline: true,
  });
  noteLost(pool, log);
  pool.on('connect', () => (pool.options.maxLifetimeSeconds = lifetimeSeconds()));
  return pool;
};

/** Opens the pool. A lost database never ends the process: errors of idle clients are logged, work in flight fails. */
export const openDb = ({ connection, max, log, statementTimeout = 30_000, prepare = true }: DbOptions): Db => {
  const prepared = prepare ? new PreparedStatements() : null;
  const send = sending(prepared);
  const kyselyOn = pinning(send);
  const sendQuery = compiling(kyselyOn, send);
  const pool = openPool({ connection, max, log, statementTimeout });

  const open = async (scope: Scope, limits?: TxLimits): Promise<Begun & { client: pg.PoolClient }> => {
    const client = await pool.connect();
    try {
      writeTogether(client);
      return { client, ...begin(client, scope, limits, { pool, log, send: sendQuery }) };
    } catch (error) {
      client.release();
      throw error;
    }
  };

  const release = (client: pg.PoolClient, broken: Error | undefined): void => client.release(broken ?? prepared?.isFull(client));

  const tx = async <T>(scope: Scope, work: (tx: Tx) => Promise<T>, limits?: TxLimits): Promise<T> => {
    const { client, started, settle } = await open(scope, limits);
    let broken: Error | undefined;
    const opened = kyselyOn(client);
    clearLine(opened);
    try {
      const result = await work(opened);
      await started;
      await settle();
      writeTogether(client);
      await sendKept(opened);
      const committed = commitOf(opened) ?? handled(client.query('commit'));
      await settleLine(opened);
      const { command } = await committed;
      // A failed statement whose error was swallowed: PostgreSQL then answers a commit by rolling back.
      if (command !== 'COMMIT') throw new Error('a failed transaction was not committed');
      return result;
    } catch (error) {
      await settle();
      // A rollback that fails means the connection is gone; the pool must not hand it out again.
      await client.query('rollback').catch((lost: Error) => (broken = lost));
      // Without begin every statement fails, and none says why.
      await started;
      throw await firstError(opened, error);
    } finally {
      release(client, broken);
    }
  };

  const rows = async <R>(scope: Scope, query: RawBuilder<R>): Promise<R[]> => {
    const { client, started } = await open(scope);
    let broken: Error | undefined;
    const answered = handled(sendQuery(client, query));
    const ended = client.query('commit').catch((lost: Error) => void (broken = lost));
    try {
      await started;
      return (await answered).rows as R[];
    } finally {
      await ended;
      release(client, broken);
    }
  };

  return { tx, rows, client: () => pool.connect(), pool, close: () => pool.end() };
};

/**
 * Widens the open transaction to all rows while `work` runs, then narrows it to `scope` again: for rules that need rows the caller may not see
 * (the stations above a station, its parents' wallets). What the caller may do must have been checked before. If `work` throws, the transaction is lost anyway.
 */
export const asSystem = async <T>(tx: Tx, scope: Scope, work: () => Promise<T>): Promise<T> => {
  if (scope.kind === 'all') return work();
  await queueStatement(tx, sql`set local waystation.scope = 'all'`.compile(tx));
  const result = await work();
  await queueStatement(tx, sql`set local waystation.scope = 'stations'`.compile(tx));
  return result;
};

/** A value as text that `::jsonb` takes: what PostgreSQL cannot hold (NUL, half a character) becomes the replacement character. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(/\\\\|\\u0000|\\ud[89a-f][\da-f]{2}/g, (escape) => (escape === '\\\\' ? escape : '\\ufffd'));

const unavailable = new Set([
  // shutting down, starting up, crashed, recovering
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // out of connections, memory, disk; input or output failed; a standby that is not written to
  '53000',
  '53100',
  '53200',
  '53300',
  '58000',
  '58030',
  '25006',
  // the connection
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // a statement that took longer than it may
  '57014',
  // two who waited for each other: undone, and right when tried again
  '40001',
  '40P01',
  '55P03',
  '25P03',
]);

/** Whether an error says that the database is away or too busy (restarting, unreachable, full) rather than that a query is wrong. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (isStalePlan(error)) return true;
  const code = (error as { code?: string }).code;
  if (code !== undefined && unavailable.has(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
};

/** The name of the violated constraint, for turning a known one into a clear answer. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return code?.startsWith('23') ? constraint : undefined;
};
