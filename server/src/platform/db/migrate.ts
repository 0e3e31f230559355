import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Log } from '#platform/log.ts';

/** The application role: no DDL, no bypass of row-level security. */
export interface AppRole {
  name: string;
  /** Null where the server trusts its socket (the embedded one). */
  password: string | null;
}

export interface Migration {
  name: string;
  text: string;
  hash: string;
}

/** Why the database cannot be brought up to date, in words that say what to do. */
export class MigrationError extends Error {}

/** Any 63-bit number that nothing else locks: one migration at a time, whichever process starts first. */
const lockKey = '7401239856120042';

export const readMigrations = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    });

/**
 * Brings the database to the newest migration, each in a transaction of its own, under an advisory lock.
 * `owner` connects as the owner. `after` runs under the same lock (the job library's own tables).
 * Throws when an applied migration's text has changed or the database is newer than this program.
 */
export const migrate = async (
  owner: pg.ClientConfig,
  migrations: Migration[],
  appRole: AppRole,
  log: Log,
  after: (client: pg.Client) => Promise<void> = async () => {},
): Promise<void> => {
  const client = new pg.Client(owner);
  client.on('error', (error) => log.warn({ err: error }, 'the migration connection was lost'));
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${lockKey})`);
    await client.query(
      `create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`,
    );
    await ensureRole(client, appRole);
    const applied = new Map(
      (await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations')).rows.map((row) => [row.name, row.hash]),
    );
    for (const known of applied.keys())
      if (!migrations.some((migration) => migration.name === known))
        throw new MigrationError(`the database has migration ${known}, which this version does not know: start the newer version`);
    for (const migration of migrations) {
      const hash = applied.get(migration.name);
      if (hash === migration.hash) continue;
      if (hash !== undefined) throw new MigrationError(`migration ${migration.name} has changed since it was applied`);
      await apply(client, migration, appRole);
      log.info({ migration: migration.name }, 'migrated');
    }
    await after(client);
  } finally {
    await client.end().catch(() => {});
  }
};

const apply = async (client: pg.Client, migration: Migration, appRole: AppRole): Promise<void> => {
  await client.query('begin');
  try {
    await client.query(migration.text.replaceAll('{{app_role}}', pg.escapeIdentifier(appRole.name)));
    await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [migration.name, migration.hash]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
};

/** The statement an administrator runs when the owner may not create roles. */
export const createRoleSql = (role: AppRole): string =>
  `create role ${pg.escapeIdentifier(role.name)} login nosuperuser nobypassrls nocreatedb nocreaterole` +
  (role.password === null ? ';' : ` password ${pg.escapeLiteral(role.password)};`);

const ensureRole = async (client: pg.Client, role: AppRole): Promise<void> => {
  const { rows } = await client.query<{ rolbypassrls: boolean; rolsuper: boolean }>('select rolbypassrls, rolsuper from pg_roles where rolname = $1', [
    role.name,
  ]);
  const found = rows[0];
  if (found?.rolbypassrls || found?.rolsuper)
    throw new MigrationError(`the role ${role.name} bypasses row-level security; the server does not work as such a role`);
  if (!found)
    await client.query(createRoleSql(role)).catch((error: Error) => {
      throw new MigrationError(
        `the application role is missing and could not be created (${error.message}); run this as a superuser, then start again:\n  ${createRoleSql(role)}`,
      );
    });
  else if (role.password !== null)
    await client.query(`alter role ${pg.escapeIdentifier(role.name)} password ${pg.escapeLiteral(role.password)}`).catch(() => {
      // The owner may lack the right; if the password is another one, logging in as the role says so.
    });
};
