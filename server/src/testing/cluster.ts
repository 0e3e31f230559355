import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import type { Schema } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';

/** Where the tests' PostgreSQL is; set for all test files by the global setup. */
export const clusterConnection = (): pg.ClientConfig => {
  const text = process.env['WAYSTATION_TEST_CLUSTER'];
  if (!text) throw new Error('no test PostgreSQL: run the tests through vitest with the workspace configuration');
  return JSON.parse(text) as pg.ClientConfig;
};

export const appRole = { name: 'waystation_app', password: null };

/** The folder of the server, which holds migrations and sql. */
const serverFolder = join(import.meta.dirname, '..', '..');

const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>, database = 'postgres'): Promise<T> => {
  const client = new pg.Client({ ...clusterConnection(), database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const templateName = ({ migrations, sql }: Schema): string =>
  `template_${createHash('sha256')
    .update(JSON.stringify([migrations.map((one) => one.hash), sql]))
    .digest('hex')
    .slice(0, 16)}`;

/** The migrated template, made once per set of migrations and SQL and kept between runs. */
export const templateDatabase = async (folder = serverFolder): Promise<string> => {
  const schema = readSchema(folder);
  const name = templateName(schema);
  return asAdmin(async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('waystation template'))`);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    const building = `${name}_building`;
    await client.query(`drop database if exists ${building} with (force)`);
    await client.query(`create database ${building}`);
    const owner = { ...clusterConnection(), database: building };
    await migrate(owner, schema, appRole, silentLog(), (migrated) => migrateJobs(migrated, owner, appRole.name));
    await client.query(`alter database ${building} rename to ${name}`);
    return name;
  });
};

/** For SQL that is tried out only. */
export const dropTemplate = (folder: string): Promise<void> =>
  asAdmin(async (client) => {
    const template = templateName(readSchema(folder));
    for (const name of [template, `${template}_building`]) await client.query(`drop database if exists ${name} with (force)`);
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
