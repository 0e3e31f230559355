import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';
import { appRole, clusterConnection } from '#testing/cluster.ts';
import { scope } from '#testing/money.ts';

const name = `baseline_${randomBytes(6).toString('hex')}`;
const owner = { ...clusterConnection(), database: name };
let admin: Db;
let db: Db;

const bring = (upTo: string): Promise<unknown> =>
  migrate(
    owner,
    readMigrations(join(import.meta.dirname, '..', '..', '..', 'migrations')).filter((one) => one.name < upTo),
    appRole,
    silentLog(),
    (client) => migrateJobs(client, owner, appRole.name),
  );

beforeAll(async () => {
  admin = openDb({ connection: { ...clusterConnection(), database: 'postgres' }, max: 1, log: silentLog() });
  await admin.pool.query(`create database ${name}`);
  await bring('0034');
  db = openDb({ connection: owner, max: 1, log: silentLog() });
  await db.tx(scope, (tx) =>
    sql
      .raw(
        `do $$ begin
        insert into stations (name) values ('old');
        insert into accounts (username, role, password_hash, station_id) values ('old', 'station', 'x', 1);
        insert into expresses (station_id, user_id, order_id, state_code, terms) select 1, 1, 'WS' || n, 10, '{"a": 1}' from generate_series(1, 3) n;
        insert into express_facts (express_id, no, station_id, source, facts, reason) select id, 0, 1, 'order', '{}', 'why' from expresses;
        insert into express_messages (express_id, station_id, source, operation_time, rank, hash, raw) select id, 1, 'push', now(), 1, '\\x01', '{}' from expresses;
        insert into periods (period, status, closed_at, closed_by) values ('2026-01', 'closed', now(), 1);
      end $$`,
      )
      .execute(tx),
  );
}, 60_000);
afterAll(async () => {
  await db?.close();
  await admin.pool.query(`drop database if exists ${name} with (force)`);
  await admin.close();
});

describe('rows from before there were hashes', () => {
  it('get a dated baseline by the migration, from which on a change is found', async () => {
    await bring('9');
    const all = <Row extends object>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> => db.tx(scope, async (tx) => (await query.execute(tx)).rows);
    expect(
      await all(
        sql<object>`select kind, baseline, count(*) as n, bool_and(at > now() - interval '10 minutes') as dated from source_hashes group by 1, 2 order by 1`,
      ),
    ).toEqual([
      { kind: 'closing', baseline: 1, n: 1, dated: true },
      { kind: 'fact', baseline: 1, n: 3, dated: true },
      { kind: 'message', baseline: 1, n: 3, dated: true },
      { kind: 'version', baseline: 1, n: 3, dated: true },
    ]);
    const found = () => all(sql<object>`select invariant, subject from ledger_proof_all(true, null) where invariant is not null order by 2`);
    expect(await found()).toEqual([]);
    await db.tx(scope, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update express_facts set reason = 'other' where express_id = 1`.execute(tx);
      await sql`delete from express_messages where express_id = 2`.execute(tx);
    });
    expect(await found()).toEqual([
      { invariant: 'I11', subject: 'fact 1 no. 0' },
      { invariant: 'I11', subject: 'message 2' },
    ]);
  });
});
