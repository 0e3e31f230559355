import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
// real delay: the replica must fall behind by more than its limit
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { EmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import { quickFolder } from '#testing/quick-folder.ts';
import { startStandby } from '#testing/standby.ts';
import { eventually } from '#testing/test-system.ts';
import { isUnavailable, openDb } from './db.ts';
import { openReplica } from './replica.ts';
import type { Replica } from './replica.ts';
import { systemScope } from './scope.ts';

const folder = quickFolder('replica-');
chmodSync(folder, 0o711);
const [primaryDir, standbyDir] = [join(folder, 'primary'), join(folder, 'standby')];
const scope = systemScope('test');
const log = silentLog();

let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let db: Db;
let replica: Replica;

const onServer = async (server: EmbeddedPostgres, text: string): Promise<void> => {
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query(text);
  await client.end();
};

const values = (from: Db): Promise<{ value: number }[]> =>
  from.rows(
    scope,
    sql<{ value: number }>`select value
  from things order by value`,
  );

beforeAll(async () => {
  mkdirSync(primaryDir, { recursive: true });
  primary = await startEmbeddedPostgres({ dataDir: primaryDir, log });
  db = openDb({ connection: primary.connection, max: 2, log });
  const client = new pg.Client(primary.connection);
  await client.connect();
  await client.query('create table schema_sql (name text); create table things (value integer)');
  await client.end();
  standby = await startStandby(primaryDir, primary.connection, standbyDir);
  replica = openReplica({
    primary: db,
    connection: standby.connection,
    max: 2,
    log,
    maxLagMs: 2_000,
    everyMs: 50,
  });
});
afterAll(async () => {
  await replica.close();
  await db.close();
  await standby.stop();
  await primary.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a streaming replica', () => {
  it('the streaming replica is read while it keeps up with the primary, shows earlier writes, and refuses writes', async () => {
    const read = await eventually(async () => replica.current());
    await db.tx(scope, (work) => sql`insert into things values (1)`.execute(work.tx));
    await eventually(async () => (await values(read)).length === 1);
    const refused: unknown = await read
      .tx(scope, (work) =>
        sql`insert into things
      values (2)`.execute(work.tx),
      )
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: '25006' });
    expect(isUnavailable(refused)).toBe(true);
  });

  it('a streaming replica that stops replaying the log is not read until it has caught up', async () => {
    await eventually(async () => replica.current());
    await onServer(standby, 'select pg_wal_replay_pause()');
    await db.tx(scope, (work) => sql`insert into things values (3)`.execute(work.tx));
    await eventually(async () => replica.current() === null);
    await onServer(standby, 'select pg_wal_replay_resume()');
    const read = await eventually(async () => replica.current());
    expect(await values(read)).toContainEqual({ value: 3 });
  });

  it('behind a load balancer, a read is answered by a replica only if that replica’s data is recent enough', async () => {
    const other = await startStandby(primaryDir, primary.connection, join(folder, 'other'));
    const balancer = await openDatabaseProxy(standby.connection, other.connection);
    const balanced = openReplica({
      primary: db,
      connection: { ...standby.connection, host: '127.0.0.1', port: balancer.port },
      max: 4,
      log,
      maxLagMs: 1_000,
      everyMs: 50,
    });
    await eventually(async () => balanced.current());
    await onServer(other, 'select pg_wal_replay_pause()');
    await db.tx(scope, (work) => sql`insert into things values (4)`.execute(work.tx));
    await wait(1_500);
    const stale: unknown[] = [];
    let answered = 0;
    for (let turn = 0; turn < 20; turn++) {
      const read = await eventually(async () => balanced.current());
      const reads = Array.from({ length: 4 }, () =>
        values(read).then(
          (found) => (found.some(({ value }) => value === 4) ? answered++ : stale.push(found)),
          (error: unknown) => isUnavailable(error) || stale.push(error),
        ),
      );
      await Promise.all(reads);
    }
    expect(stale).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    await balanced.close();
    await balancer.close();
    await other.stop();
  });

  it('a streaming replica that is unreachable is not read', async () => {
    await eventually(async () => replica.current());
    await standby.stop();
    await eventually(async () => replica.current() === null);
    expect(await values(db)).toContainEqual({ value: 3 });
  });
});
