import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';

/** Where the tests' PostgreSQL is; set for all test files by the global setup. */
export const clusterConnection = (): pg.ClientConfig => {
  const text = process.env['WAYSTATION_TEST_CLUSTER'];
  if (!text) throw new Error('no test PostgreSQL: run the tests through vitest with the workspace configuration');
  return JSON.parse(text) as pg.ClientConfig;
};

export const appRole = { name: 'waystation_app', password: null };

const migrationsFolder = join(import.meta.dirname, '..', '..', 'migrations');

const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>, database = 'postgres'): Promise<T> => {
  const client = new pg.Client({ ...clusterConnection(), database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const templateName = (folder: string): string =>
  `template_${createHash('sha256')
    .update(
      readMigrations(folder)
        .map((one) => one.hash)
        .join(),
    )
    .digest('hex')
    .slice(0, 16)}`;

/** The migrated template, made once per set of migrations and kept between runs. */
export const templateDatabase = async (folder = migrationsFolder): Promise<string> => {
  const migrations = readMigrations(folder);
  const name = templateName(folder);
  return asAdmin(async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('waystation template'))`);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    const building = `${name}_building`;
    await client.query(`drop database if exists ${building} with (force)`);
    await client.query(`create database ${building}`);
    const owner = { ...clusterConnection(), database: building };
    await migrate(owner, migrations, appRole, silentLog(), (migrated) => migrateJobs(migrated, owner, appRole.name));
    await client.query(`alter database ${building} rename to ${name}`);
    return name;
  });
};

/** For migrations that are tried out only. */
export const dropTemplate = (folder: string): Promise<void> =>
  asAdmin(async (client) => {
    for (const name of [templateName(folder), `${templateName(folder)}_building`]) await client.query(`drop database if exists ${name} with (force)`);
  });

export interface TestDatabase {
  /** As the application role, as the server works. */
  connection: pg.PoolConfig;
  /** As the owner, which here is a superuser: for planting what the product itself could not. */
  owner: pg.ClientConfig;
  drop(): Promise<void>;
}

/** A database of its own, copied from the template in a few milliseconds. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const template = await templateDatabase();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  const owner = { ...clusterConnection(), database: name };
  return {
    connection: { ...owner, user: appRole.name },
    owner,
    drop: () => asAdmin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
};
