import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { closeGate } from './gate.ts';
import { changedSignature, tablesOf } from './sql-files.ts';
import type { SqlFile, SqlSet } from './sql-files.ts';
import { MigrationError } from './migration-error.ts';
import type { Log } from '#platform/log.ts';

interface Prepared extends SqlFile {
  hash: string;
}

const prepare = ({ name, text }: SqlFile, roleName: string): Prepared => {
  const filled = text.replaceAll('{{app_role}}', pg.escapeIdentifier(roleName));
  return { name, text: filled, hash: createHash('sha256').update(filled).digest('hex') };
};

/**
 * `timeoutMs`: the longest time for which the locks are tried while other transactions hold them.
 * `gateMs`: the longest time for which one attempt delays new transactions.
 */
const timeoutMs = 120_000;
const gateMs = 2_000;

/**
 * Applies the files of `set` that changed since they were last applied, in one transaction. They
 * contain functions, triggers, policies and grants. A program that serves requests meanwhile waits
 * for this transaction, but none of its own transactions fails. The caller holds the migration
 * lock.
 */
export const applySql = async (
  client: pg.Client,
  set: SqlSet,
  roleName: string,
  log: Log,
): Promise<void> => {
  await client.query(
    `create table if not exists schema_sql (name text primary key, hash text not null, edition integer not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string; hash: string; edition: number }>(
    'select name, hash, edition from schema_sql',
  );
  const newest = Math.max(0, ...rows.map(({ edition }) => edition));
  if (newest > set.edition) {
    log.warn(
      { database: newest, program: set.edition },
      'the database has functions and policies of a newer edition, which stay as they are',
    );
    return;
  }
  const files = set.files.map((file) => prepare(file, roleName));
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = files.filter(({ name, hash }) => applied.get(name) !== hash);
  if (changed.length === 0 && newest === set.edition && rows.length === files.length) return;
  const names = changed.map(({ name }) => name);
  const tables = tablesOf(changed.map(({ text }) => text).join('\n'));
  const deadline = performance.now() + timeoutMs;
  while (!(await tryApply(client, changed, files, set.edition))) {
    if (performance.now() > deadline)
      throw new MigrationError(
        'the functions of the database cannot be brought up to date, because other programs keep its tables locked; start again later',
      );
    log.info(
      { files: names },
      'tables are in use; the functions and policies are applied in a moment',
    );
    await endAutovacuum(client, tables);
    await wait(200);
  }
  log.info({ edition: set.edition, files: names }, 'functions and policies applied');
};

const tryApply = async (
  client: pg.Client,
  changed: readonly Prepared[],
  files: readonly Prepared[],
  edition: number,
): Promise<boolean> => {
  await client.query('begin');
  try {
    if (!(await lockAll(client, tablesOf(changed.map(({ text }) => text).join('\n'))))) {
      await client.query('rollback');
      return false;
    }
    for (const file of changed) await applyFile(client, file);
    await refuseTwins(client);
    await client.query('delete from schema_sql');
    await client.query(
      'insert into schema_sql (name, hash, edition) select name, hash, $3 from unnest($1::text[], $2::text[]) f (name, hash)',
      [files.map(({ name }) => name), files.map(({ hash }) => hash), edition],
    );
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

/**
 * Takes all locks of the transaction at its start. First waits until the product's running
 * transactions have ended, while new ones wait to begin; then locks the tables. If another session
 * (a dump, psql) uses a table, the attempt ends immediately. It never waits while it holds a table
 * lock, so that no session ends because of a deadlock. Returns false if not all locks were free.
 */
const lockAll = async (client: pg.Client, tables: readonly string[]): Promise<boolean> => {
  const names = tables.map((table) => pg.escapeIdentifier(table)).join(', ');
  await client.query(`set local statement_timeout = ${gateMs}`);
  const free =
    (await isLocked(client, closeGate)) &&
    (names === '' ||
      (await isLocked(client, `lock table ${names} in access exclusive mode nowait`)));
  if (free) await client.query('set local statement_timeout = 0');
  return free;
};

/**
 * Ends the autovacuum of the tables. PostgreSQL ends an autovacuum only for a session that waits
 * longer than `deadlock_timeout` for its lock. An attempt to apply the files never waits so long.
 * This function waits twice that time for one table after the other. Readers and writers of the
 * tables continue meanwhile.
 */
const endAutovacuum = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  for (const table of tables) {
    await client.query('begin');
    await client.query(
      `select set_config('lock_timeout', (2 * setting::int)::text, true) from pg_settings where name = 'deadlock_timeout'`,
    );
    await isLocked(
      client,
      `lock table ${pg.escapeIdentifier(table)} in share update exclusive mode`,
    );
    await client.query('rollback');
  }
};

/** Returns true if it gets the lock. Returns false if the lock is not free, or not in time. */
const isLocked = async (client: pg.Client, lock: string): Promise<boolean> => {
  try {
    await client.query(lock);
    return true;
  } catch (error) {
    if (['57014', '40P01', '55P03'].includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
};

const applyFile = async (client: pg.Client, { name, text }: Prepared): Promise<void> => {
  try {
    await client.query(text);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // 42P13: PostgreSQL refuses to give an existing function another result type.
    if (code === '42P13')
      throw new MigrationError(
        `server/sql/${name}: ${message}; a changed signature is a new name`,
        { cause: error },
      );
    throw new Error(`server/sql/${name} failed: ${message}`, { cause: error });
  }
};

/**
 * Throws if two functions have the same name. `create or replace` with other parameters keeps the
 * old function beside the new one.
 */
const refuseTwins = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc p where pronamespace = 'public'::regnamespace
       and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
     group by 1 having count(*) > 1 order by 1 limit 1`,
  );
  if (rows[0]) throw new MigrationError(changedSignature(rows[0].name));
};
