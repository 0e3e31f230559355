import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import { openTransactionPooler } from '#testing/transaction-pooler.ts';
import { silentLog } from '#platform/log.ts';
import { migrate } from './migrate.ts';
import { releaseMigrationLock, takeMigrationLock } from './migration-lock.ts';

let database: TestDatabase;
const log = silentLog();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const connect = async (application_name: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...database.owner, application_name });
  await client.connect();
  return client;
};
const nothing = { migrations: [], sql: { edition: 0, files: [] } };
const run = (owner: pg.ClientConfig) =>
  migrate(owner, nothing, { appRole: { name: 'waystation_app', password: null }, log });

it('if another connection holds the migration lock, taking it fails after a time limit with an error that describes the holder', async () => {
  const [holder, other] = [await connect('night shift'), await connect('other')];
  await takeMigrationLock(holder, log);
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  await expect(takeMigrationLock(other, log, 100)).rejects.toThrow(
    `migrated by "night shift" (process ${rows[0]!.pid} of PostgreSQL, from a local socket)`,
  );
  const taken = takeMigrationLock(other, log);
  await releaseMigrationLock(holder);
  await taken;
  await holder.end();
  await other.end();
});

it('a migration through a transaction pooler of any size is refused, and the error contains the settings to change', async () => {
  for (const size of [1, 2, 4]) {
    const pooler = await openTransactionPooler(database.owner, size);
    await expect(run(pooler.connection), String(size)).rejects.toThrow(
      'set DATABASE_URL to the database itself, and WAYSTATION_APP_DATABASE_URL to the pooler',
    );
    await pooler.close();
  }
});

it('a migration through a proxy that opens one database connection for each client is not refused', async () => {
  const proxy = await openDatabaseProxy(database.owner);
  const through = { ...database.owner, host: '127.0.0.1', port: proxy.port };
  await expect(run(through)).rejects.toThrow('which this version does not know');
  await proxy.close();
});
