import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { applySql } from './apply-sql.ts';
import { MigrationError } from './migration-error.ts';
import { refusePooler, releaseMigrationLock, takeMigrationLock } from './migration-lock.ts';
import { readSqlSet } from './sql-files.ts';
import type { SqlSet } from './sql-files.ts';
import type { Log } from '#platform/log.ts';

export { MigrationError };

/** The role of the application: it may neither change the schema nor bypass row-level security. */
export interface AppRole {
  name: string;
  /** Null if the server accepts every connection over its socket, as the embedded one does. */
  password: string | null;
}

export interface Migration {
  name: string;
  text: string;
  hash: string;
}

/**
 * The parts of a database. The migrations create tables and types; then server/sql creates
 * functions, triggers, policies and grants.
 */
export interface Schema {
  migrations: Migration[];
  sql: SqlSet;
}

export const readMigrations = (folder: string): Migration[] => {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name))
    .toSorted();
  const twin = names.find((name, at) => names[at + 1]?.slice(0, 4) === name.slice(0, 4));
  if (twin !== undefined)
    throw new MigrationError(
      `two migrations have the number of ${twin}: give the newer one the next free number`,
    );
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, hash: createHash('sha256').update(text).digest('hex') };
  });
};

/** Reads the server's folder, which holds `migrations` and `sql`. */
export const readSchema = (folder: string): Schema => ({
  migrations: readMigrations(join(folder, 'migrations')),
  sql: readSqlSet(join(folder, 'sql')),
});

/**
 * Migrations that exist only in databases created before the first release. The first two were
 * replaced by the baseline, which has another name. The third followed the baseline and was later
 * merged into it with its successors (docs/decisions/0043).
 */
const unreleased = ['0001_platform.sql', '0001_accounts.sql', '0044_station_days.sql'];

/**
 * Applies all missing migrations, each in a separate transaction, and then the SQL of server/sql,
 * under an advisory lock. `owner` connects as the owner. `after` runs under the same lock (for the
 * job library's own tables). Throws if the text of an applied migration has changed, or if the
 * database has a migration that this program does not know.
 */
export const migrate = async (
  owner: pg.ClientConfig,
  { migrations, sql }: Schema,
  {
    appRole,
    log,
    after = async () => {},
  }: { appRole: AppRole; log: Log; after?: (client: pg.Client) => Promise<void> },
): Promise<void> => {
  const client = new pg.Client({ application_name: 'waystation migration', ...owner });
  client.on('error', (error) => log.warn({ err: error }, 'the migration connection was lost'));
  await client.connect();
  try {
    await refusePooler(client, owner);
    await takeMigrationLock(client, log);
    await client.query(
      `create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`,
    );
    await ensureRole(client, appRole);
    const applied = new Map(
      (
        await client.query<{ name: string; hash: string }>(
          'select name, hash from schema_migrations',
        )
      ).rows.map((row) => [row.name, row.hash]),
    );
    if (unreleased.some((name) => applied.has(name)))
      throw new MigrationError(
        'This database was made by an earlier build, before the first release, and cannot be upgraded: start with a fresh WAYSTATION_DATA (an empty folder; with DATABASE_URL, an empty database).',
      );
    for (const known of applied.keys())
      if (!migrations.some((migration) => migration.name === known))
        throw new MigrationError(
          `the database has migration ${known}, which this version does not know: start the newer version`,
        );
    for (const migration of migrations) {
      const hash = applied.get(migration.name);
      if (hash === migration.hash) continue;
      if (hash !== undefined)
        throw new MigrationError(`migration ${migration.name} has changed since it was applied`);
      await apply(client, migration, appRole, log);
      log.info({ migration: migration.name }, 'migrated');
    }
    await applySql(client, sql, appRole.name, log);
    await after(client);
  } finally {
    await releaseMigrationLock(client).catch(() => {});
    await client.end().catch(() => {});
  }
};

/**
 * `triedMs`: the milliseconds during which a migration tries to get its locks. `lockMs`: the
 * longest time for which one attempt may block other sessions.
 */
const triedMs = 120_000;
const lockMs = 2_000;

const apply = async (
  client: pg.Client,
  migration: Migration,
  appRole: AppRole,
  log: Log,
): Promise<void> => {
  const deadline = performance.now() + triedMs;
  for (;;) {
    try {
      return await applyOnce(client, migration, appRole);
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== '55P03') throw error;
      if (performance.now() > deadline)
        throw new MigrationError(
          `migration ${migration.name} cannot be applied, because other programs, a backup perhaps, keep its tables locked; start again later`,
        );
      log.info(
        { migration: migration.name },
        'tables are in use; the migration is tried again in a moment',
      );
      await wait(1_000);
    }
  }
};

const applyOnce = async (
  client: pg.Client,
  migration: Migration,
  appRole: AppRole,
): Promise<void> => {
  await client.query(`begin; set local lock_timeout = ${lockMs}`);
  try {
    await client.query(
      migration.text.replaceAll('{{app_role}}', pg.escapeIdentifier(appRole.name)),
    );
    await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [
      migration.name,
      migration.hash,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

/** Returns the SQL statement that an administrator has to run if the owner may not create roles. */
export const createRoleSql = (role: AppRole): string =>
  `create role ${pg.escapeIdentifier(role.name)} login nosuperuser nobypassrls nocreatedb nocreaterole` +
  (role.password === null ? ';' : ` password ${pg.escapeLiteral(role.password)};`);

const ensureRole = async (client: pg.Client, role: AppRole): Promise<void> => {
  const { rows } = await client.query<{ rolbypassrls: boolean; rolsuper: boolean }>(
    'select rolbypassrls, rolsuper from pg_roles where rolname = $1',
    [role.name],
  );
  const found = rows[0];
  if (found?.rolbypassrls || found?.rolsuper)
    throw new MigrationError(
      `the role ${role.name} bypasses row-level security; the server does not work as such a role`,
    );
  if (!found)
    await client.query(createRoleSql(role)).catch((error: Error) => {
      throw new MigrationError(
        `the application role is missing and could not be created (${error.message}); run this as a superuser, then start again:\n  ${createRoleSql(role)}`,
      );
    });
  else if (role.password !== null)
    await client
      .query(
        `alter role ${pg.escapeIdentifier(role.name)} password ${pg.escapeLiteral(role.password)}`,
      )
      .catch(() => {
        // The owner may not have the right to set the password. If the stored password differs,
        // logging in as the role fails and reports it.
      });
};
