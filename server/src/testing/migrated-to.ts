import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';
import { appRole, clusterConnection } from './cluster.ts';

export interface MigratedDatabase {
  /** As the application role, for `createApp`. */
  connection: pg.PoolConfig;
  rows(query: string): Promise<object[]>;
  drop(): Promise<void>;
}

/** A database as it was before the named migration, filled by `fill` as the owner, then brought up to date. */
export const migratedTo = async (name: string, fill: (query: (text: string) => Promise<unknown>) => Promise<void>): Promise<MigratedDatabase> => {
  const migrations = readMigrations(join(import.meta.dirname, '..', '..', 'migrations'));
  const at = migrations.findIndex((migration) => migration.name === name);
  if (at < 0) throw new Error(`there is no migration ${name}`);
  const database = `test_${randomBytes(8).toString('hex')}`;
  const run = async (text: string, where: pg.ClientConfig): Promise<object[]> => {
    const client = new pg.Client(where);
    await client.connect();
    try {
      return (await client.query<object>({ text, types: { getTypeParser: () => (value: string) => (/^-?\d{1,15}$/.test(value) ? Number(value) : value) } }))
        .rows;
    } finally {
      await client.end();
    }
  };
  const owner = { ...clusterConnection(), database };
  await run(`create database ${database}`, clusterConnection());
  await migrate(owner, migrations.slice(0, at), appRole, silentLog());
  await fill((text) => run(text, owner));
  await migrate(owner, migrations, appRole, silentLog(), (client) => migrateJobs(client, owner, appRole.name));
  return {
    connection: { ...owner, user: appRole.name },
    rows: (query) => run(query, owner),
    drop: async () => void (await run(`drop database ${database} with (force)`, clusterConnection())),
  };
};
