import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { forgetTemplates } from '#domain/offers/terms.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import type { Schema } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';

/**
 * The connection to the PostgreSQL of the tests. The global setup defines it for all test files.
 */
export const clusterConnection = (): pg.ClientConfig => {
  const text = process.env['WAYSTATION_TEST_CLUSTER'];
  if (!text)
    throw new Error(
      'no test PostgreSQL: run the tests through vitest with the workspace configuration',
    );
  return JSON.parse(text) as pg.ClientConfig;
};

export const appRole = { name: 'waystation_app', password: null };

/** The server's folder, which contains the folders `migrations` and `sql`. */
const serverFolder = join(import.meta.dirname, '..', '..');

const asAdmin = async <T>(
  work: (client: pg.Client) => Promise<T>,
  database = 'postgres',
): Promise<T> => {
  const client = new pg.Client({ ...clusterConnection(), database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Returns the connection to a database of the test cluster in the role of its owner, who is a
 * superuser there.
 */
const ownerOf = (database: string): pg.ClientConfig => ({ ...clusterConnection(), database });

/** The tablespace in memory, if the machine has one (global-setup.ts). */
export const memoryTablespace = 'waystation_memory';

interface Origin {
  /**
   * The database from which the template database is copied. By default the template database
   * begins empty.
   */
  from?: string;
}

/** The templates that this process has created or found, by the cluster and the template's name. */
const known = new Map<string, Promise<unknown>>();
const keyOf = (name: string): string => `${process.env['WAYSTATION_TEST_CLUSTER']} ${name}`;

/**
 * Creates a template database, which tests then copy. The first process that needs the template
 * creates it. `build` fills it and returns JSON for the users of a copy. This JSON is stored as the
 * comment of the database.
 */
export const ensureTemplate = <T>(
  name: string,
  build: (owner: pg.ClientConfig) => Promise<T>,
  { from }: Origin = {},
): Promise<T> => {
  const found = known.get(keyOf(name)) as Promise<T> | undefined;
  if (found) return found;
  const made = asAdmin(async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('waystation template'))`);
    const { rows } = await client.query<{ note: string | null }>(
      `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`,
      [name],
    );
    if (rows[0]) return JSON.parse(rows[0].note ?? 'null') as T;
    const building = `${name}_building`;
    await client.query(`drop database if exists ${building} with (force)`);
    await client.query(`create database ${building} ${from ? `template ${from}` : ''}`);
    const note = await build(ownerOf(building));
    await client.query(
      `comment on database ${building} is ${pg.escapeLiteral(JSON.stringify(note))}`,
    );
    await client.query(`alter database ${building} rename to ${name}`);
    return note;
  });
  known.set(keyOf(name), made);
  made.catch(() => known.delete(keyOf(name)));
  return made;
};

const templateName = ({ migrations, sql }: Schema): string =>
  `template_${createHash('sha256')
    .update(JSON.stringify([migrations.map((one) => one.hash), sql]))
    .digest('hex')
    .slice(0, 16)}`;

let ownSchema: Schema | undefined;
const schemaOf = (folder: string): Schema =>
  folder === serverFolder ? (ownSchema ??= readSchema(folder)) : readSchema(folder);

/**
 * Returns the name of the migrated template database. It is created once for each version of the
 * migrations and SQL files, and is kept for later runs.
 */
export const templateDatabase = async (folder = serverFolder): Promise<string> => {
  const schema = schemaOf(folder);
  const name = templateName(schema);
  await ensureTemplate(name, async (owner) => {
    await migrate(owner, schema, {
      appRole,
      log: silentLog(),
      after: (migrated) => migrateJobs(migrated, owner, appRole.name),
    });
    return null;
  });
  return name;
};

/**
 * Drops the template database of a folder of SQL files. Used if the folder was needed for one trial
 * only.
 */
export const dropTemplate = (folder: string): Promise<void> =>
  asAdmin(async (client) => {
    const template = templateName(readSchema(folder));
    known.delete(keyOf(template));
    for (const name of [template, `${template}_building`])
      await client.query(`drop database if exists ${name} with (force)`);
  });

export interface TestDatabase {
  /** The connection in the role of the application, which the server uses. */
  connection: pg.PoolConfig;
  /**
   * The connection of the database owner, who is a superuser here. It is used for rows that the
   * product itself could not write.
   */
  owner: pg.ClientConfig;
  drop(): Promise<void>;
}

/**
 * The last part of the `create database` statement for each cluster. It contains the tablespace in
 * memory if the cluster has one.
 */
const places = new Map<string, Promise<string>>();
const placeOf = (): Promise<string> => {
  const cluster = process.env['WAYSTATION_TEST_CLUSTER'] ?? '';
  const place =
    places.get(cluster) ??
    asAdmin(async (client) => {
      const { rows } = await client.query('select 1 from pg_tablespace where spcname = $1', [
        memoryTablespace,
      ]);
      return rows.length > 0 ? `tablespace ${memoryTablespace}` : '';
    });
  places.set(cluster, place);
  return place;
};

/** Copies a template database. This takes a few milliseconds. */
export const copyTemplate = async (template: string): Promise<TestDatabase> => {
  // Test files in the same worker share modules but not databases. The templates of the previous
  // test file are therefore forgotten.
  forgetTemplates();
  const place = await placeOf();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy ${place}`),
  );
  const owner = ownerOf(name);
  return {
    connection: { ...owner, user: appRole.name },
    owner,
    drop: () =>
      asAdmin(
        async (client) => void (await client.query(`drop database if exists ${name} with (force)`)),
      ),
  };
};

/** A separate migrated database without rows. */
export const createTestDatabase = async (): Promise<TestDatabase> =>
  copyTemplate(await templateDatabase());
