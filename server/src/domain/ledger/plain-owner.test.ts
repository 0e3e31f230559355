import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';
import { appRole, clusterConnection } from '#testing/cluster.ts';
import { at, dearer, holdOf, meta, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { blockedReason, carrierCost, charge, hold, lockStations, prove, topUp } from './ledger.ts';

const name = `plain_${randomBytes(6).toString('hex')}`;
const owner = { ...clusterConnection(), user: name, database: name };
let admin: Db;
let db: Db;

beforeAll(async () => {
  admin = openDb({
    connection: { ...clusterConnection(), database: 'postgres' },
    max: 1,
    log: silentLog(),
  });
  await admin.pool.query(`create role ${name} login nosuperuser nobypassrls`);
  await admin.pool.query(`create database ${name} owner ${name}`);
  await migrate(owner, readSchema(join(import.meta.dirname, '..', '..', '..')), {
    appRole,
    log: silentLog(),
    after: (client) => migrateJobs(client, owner, appRole.name),
  });
  db = openDb({ connection: { ...owner, user: appRole.name }, max: 2, log: silentLog() });
});
afterAll(async () => {
  await db?.close();
  await admin.pool.query(`drop database if exists ${name} with (force)`);
  await admin.pool.query(`drop role if exists ${name}`);
  await admin.close();
});

describe('the ledger of a database owner who is not a superuser and is subject to row-level security', () => {
  it('a clerk’s transaction can post a profit share to the parent station, and the ledger stays valid', async () => {
    const parent = await addStation(db);
    const station = await addStation(db, { parent_id: parent });
    await db.tx({ kind: 'stations', stations: [station], account: 5 }, async (work) => {
      await topUp(work, { station_id: station, amount: 5_000, description: '', ...meta() });
      await hold(work, holdOf(station, 1));
      await charge(work, {
        express_id: 1,
        attempt: 1,
        delivery_id: null,
        price: dearer,
        shares: [{ station_id: parent, amount: 94 }],
        ...meta(),
      });
    });
    const { rows } = await db.tx(scope, (work) =>
      sql<{ money: number }>`select money
      from stations order by id`.execute(work.tx),
    );
    expect(rows).toEqual([{ money: 94 }, { money: 3_030 }]);
    const context = { db, secrets: secretsFrom(randomBytes(32)), config: { headsFile: null } };
    expect(await prove(context, { full: true, at })).toMatchObject({
      ok: true,
      checked_entries: 8,
      breaks: [],
    });
    expect(await prove(context, { full: false, at })).toMatchObject({
      ok: true,
      checked_entries: 0,
    });
  });

  it('a clerk’s transaction can lock parent stations; it fails if a parent station is blocked, although the clerk cannot read the block', async () => {
    const parent = await addStation(db);
    const station = await addStation(db, { parent_id: parent });
    const whole = openDb({
      connection: { ...clusterConnection(), database: name },
      max: 1,
      log: silentLog(),
    });
    const clerk = { kind: 'stations', stations: [station], account: 5 } as const;
    await db.tx(clerk, async (work) => {
      await lockStations(work, [parent, station]);
      const { rows } = await whole.tx(scope, (work) =>
        sql`select id from stations
        where id = ${parent} for update skip locked`.execute(work.tx),
      );
      expect(rows).toEqual([]);
    });
    await whole.tx(scope, (work) =>
      sql`insert into ledger_blocks (station_id, reason,
      blocked_at) values (${parent}, 'I2', now())`.execute(work.tx),
    );
    await whole.close();
    await db.tx(clerk, async (work) => {
      expect([await blockedReason(work, parent), await blockedReason(work, station)]).toEqual([
        'station_blocked',
        null,
      ]);
      expect(
        (
          await sql`select ledger_clear_block(${parent}, null, 'looked',
        now()) as cleared`.execute(work.tx)
        ).rows,
      ).toEqual([{ cleared: true }]);
      expect(await blockedReason(work, parent)).toBeNull();
    });
  });

  it('a transfer without a station can be linked to the platform’s hash chain in a transaction of any role', async () => {
    await db.tx(scope, (work) => carrierCost(work, { amount_total: 700, ...meta() }));
    await db.tx({ kind: 'stations', stations: [], account: 5 }, async (work) => {
      expect((await sql`select ledger_link_platform() as linked`.execute(work.tx)).rows).toEqual([
        { linked: 1 },
      ]);
    });
  });

  it('the database’s owner cannot delete a posted ledger row', async () => {
    const own = openDb({ connection: owner, max: 1, log: silentLog() });
    for (const table of ['ledger_transfers', 'ledger_entries', 'ledger_chain', 'statements'])
      await expect(
        own.tx(scope, (work) => sql.raw(`delete from ${table}`).execute(work.tx)),
        table,
      ).rejects.toThrow(/append-only/);
    await own.close();
  });
});
