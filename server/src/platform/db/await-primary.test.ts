import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import type { DatabaseProxy } from '#testing/database-proxy.ts';
import { eventually } from '#testing/test-system.ts';
import { createLog } from '#platform/log.ts';
import { awaitPrimary } from './await-primary.ts';
import { openDb, sql } from './db.ts';
import type { Db } from './db.ts';
import { systemScope } from './scope.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let db: Db;
let said: string[];
const log = createLog('warn', {
  write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg),
});

beforeAll(async () => {
  said = [];
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.connection);
  const connection = { ...database.connection, host: '127.0.0.1', port: proxy.port };
  db = openDb({ connection, max: 1, log });
});
afterAll(async () => {
  await db.close();
  await proxy.close();
  await database.drop();
});

it('a starting program waits for the primary database and logs once a minute that it waits', async () => {
  proxy.cut();
  const ask = () => db.rows(systemScope('test'), sql`select 1 as one`);
  const asked = awaitPrimary(ask, { log, everyMs: 10 });
  await eventually(async () => proxy.refused() > 5);
  proxy.startUp();
  const refused = proxy.refused();
  await eventually(async () => proxy.refused() > refused + 5);
  expect(said).toEqual(['the start waits for a primary of the database']);
  proxy.mend();
  expect(await asked).toEqual([{ one: 1 }]);
});

it('a starting program ends if the database refuses it for any reason other than a missing primary', async () => {
  const denied = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  await expect(awaitPrimary(() => Promise.reject(denied), { log })).rejects.toThrow('password');
});
