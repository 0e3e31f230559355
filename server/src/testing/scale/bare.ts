import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Recorded } from './record.ts';

/**
 * A transaction of a request. `begin` sets the scope; `statements` are the SQL statements that
 * follow.
 */
interface Unit {
  begin: string;
  statements: Recorded[];
}

/**
 * Matches the query for the caller's account, which a bare reader does not need. The product sends
 * it in a separate transaction, or as the first statement of the reading transaction.
 */
const whoAsks = /\bfrom sessions s\b[^]*\bs\.token_hash = \$/;
const settings = /^\s*set local\b/i;
const pidAtEnd = /;\s*select pg_backend_pid\(\) as pid\s*$/i;
const reads = /^\s*(?:with|select)\b/i;
const changes =
  /\b(?:insert into|update|delete from|for update|for no key update|pg_notify|nextval)\b/i;

/** Groups the reading SQL statements of a request by the transactions in which they ran. */
export const unitsOf = (recorded: readonly Recorded[]): Unit[] => {
  const open = new Map<number, Unit>();
  const units: Unit[] = [];
  for (const one of recorded) {
    const unit = open.get(one.client);
    if (/^\s*begin/i.test(one.text)) {
      const begun = { begin: one.text.replace(pidAtEnd, ''), statements: [] };
      open.set(one.client, begun);
      units.push(begun);
      // The settings of the scope are set after the query for the account. Before that the
      // transaction may see all rows.
    } else if (unit && settings.test(one.text))
      unit.begin = `${unit.begin}; ${one.text.replace(pidAtEnd, '')}`;
    else if (unit && reads.test(one.text) && !changes.test(one.text) && !whoAsks.test(one.text))
      unit.statements.push(one);
  }
  return units.filter(({ statements }) => statements.length > 0);
};

export interface Bare {
  client: pg.Client;
  pid: number;
}

/** Opens a database connection in the role of the application. */
export const openBare = async (owner: pg.ClientConfig): Promise<Bare> => {
  const client = new pg.Client({
    ...owner,
    user: 'waystation_app',
    application_name: 'scale-bare',
    statement_timeout: 30_000,
  });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, pid: rows[0]!.pid };
};

const names = new WeakMap<Recorded, string>();
let named = 0;

/**
 * Gives an SQL statement a name, so that PostgreSQL prepares it. PostgreSQL then plans it as rarely
 * and in the same way as the product's statements.
 */
const prepared = (statement: Recorded): pg.QueryConfig & { name: string } => {
  const name = names.get(statement) ?? `scale_${++named}`;
  names.set(statement, name);
  return { name, text: statement.text, values: statement.values };
};

/**
 * Executes the recorded SQL of a request and converts its rows to JSON. Returns the duration in
 * milliseconds.
 */
export const replay = async ({ client }: Bare, units: readonly Unit[]): Promise<number> => {
  const since = performance.now();
  for (const { begin, statements } of units) {
    await client.query(begin);
    const answers: unknown[] = [];
    try {
      for (const statement of statements) {
        answers.push((await client.query(prepared(statement))).rows);
      }
    } finally {
      await client.query('commit');
    }
    JSON.stringify(answers);
  }
  return performance.now() - since;
};

/**
 * Deallocates the prepared statements of these transactions, because they will not be executed
 * again.
 */
export const deallocate = async ({ client }: Bare, units: readonly Unit[]): Promise<void> => {
  for (const { statements } of units)
    for (const statement of statements)
      if (names.has(statement))
        await client.query(`deallocate ${names.get(statement)}`).catch(() => null);
};

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const scans =
  /^(?:Seq Scan|Index Scan|Index Only Scan|Bitmap Heap Scan|Sample Scan|Tid Scan|Tid Range Scan)$/;

const readBy = (plan: Plan): number =>
  (scans.test(plan['Node Type'])
    ? (plan['Actual Rows'] +
        (plan['Rows Removed by Filter'] ?? 0) +
        (plan['Rows Removed by Index Recheck'] ?? 0)) *
      plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), 0);

export interface Looked {
  /** The number of rows that the plans read from tables and indexes. */
  rows: number;
  /** The number of database pages of 8 kB that were read. */
  pages: number;
  /** The milliseconds that the database needed, by PostgreSQL's measurement. */
  ms: number;
}

/** Returns a value as a literal for `execute`. */
const literalOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (value instanceof Uint8Array)
    return pg.escapeLiteral(`\\x${Buffer.from(value).toString('hex')}`);
  if (Array.isArray(value))
    return pg.escapeLiteral(
      `{${value.map((one) => (one === null ? 'null' : JSON.stringify(String(one)))).join(',')}}`,
    );
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

/**
 * The number of executions after which PostgreSQL chooses between a generic plan and a plan for the
 * given values.
 */
const untilPlanned = 6;
/** The time limit of an SQL statement in milliseconds. */
const timeoutMs = 2_000;

/**
 * Reads the query plans of a request's SQL. Before that, the SQL is executed a few times in the
 * same way as the product executes it.
 */
export const lookAt = async (bare: Bare, units: readonly Unit[]): Promise<Looked> => {
  const { client } = bare;
  const looked = { rows: 0, pages: 0, ms: 0 };
  for (
    let [run, since] = [0, performance.now()];
    run < untilPlanned && performance.now() < since + timeoutMs;
    run++
  )
    await replay(bare, units);
  for (const { begin, statements } of units) {
    await client.query(begin);
    try {
      for (const statement of statements) {
        const { name, values = [] } = prepared(statement);
        const { rows } = await client.query<{
          'QUERY PLAN': [
            {
              Plan: Plan & Record<string, number>;
              'Execution Time': number;
              'Planning Time': number;
            },
          ];
        }>(
          `explain (analyze, format json, buffers, timing off) execute ${name}${values.length > 0 ? `(${values.map(literalOf).join(', ')})` : ''}`,
        );
        const [{ Plan: plan, 'Execution Time': running, 'Planning Time': planning }] =
          rows[0]!['QUERY PLAN'];
        looked.rows += readBy(plan);
        looked.pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
        looked.ms += running + planning;
      }
    } finally {
      await client.query('rollback');
    }
  }
  return { ...looked, rows: Math.round(looked.rows) };
};

/**
 * Returns the processor time of the database's backends in milliseconds; 0 if the system does not
 * report it.
 */
export const backendTime = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return sum;
    }
  }, 0);
