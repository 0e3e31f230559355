import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { at, holdOf, next, openMoney, openOwner, price, meta, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { blockedReason, charge, hold, lockStations, prove, refund, unblock } from './ledger.ts';

let app: TestApp;
let { tx, fill, stationRow, charged } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  ({ tx, fill, stationRow, charged } = openMoney(app));
});
afterAll(() => app.close());

describe('the database', () => {
  it('lets only the ledger’s functions write money', async () => {
    for (const statement of [
      'update stations set money = money + 1',
      'update stations set "freeze" = 0',
      `insert into stations (name, money) values ('x', 5)`,
      `insert into ledger_transfers (kind, cause, content, at, period, hash) values ('top_up', 'x', '', now(), '2026-03', '')`,
      `insert into ledger_entries values (1, 9, 'cash', null, 5, null, null, '')`,
      `insert into ledger_chain values (1, 999, 1, '')`,
      `update statements set status = 'reversed'`,
      `update ledger_holds set amount = 0`,
      `delete from ledger_blocks`,
      `insert into ledger_checkpoints values (1, 1, '', 1, 1, 1, now())`,
    ])
      await expect(
        tx((t) => sql.raw(statement).execute(t)),
        statement,
      ).rejects.toThrow(/permission denied/);
  });

  it('refuses a change of a posted row by any role', async () => {
    const { express_id } = await charged();
    const owner = openOwner(app);
    try {
      for (const table of ['ledger_transfers', 'ledger_entries', 'ledger_chain', 'statements', 'ledger_no_op_causes', 'ledger_proofs']) {
        for (const db of [app.db, owner]) {
          const column =
            table === 'statements'
              ? 'amount'
              : table === 'ledger_proofs'
                ? 'checked_entries'
                : table === 'ledger_entries'
                  ? 'amount'
                  : table === 'ledger_no_op_causes'
                    ? 'at'
                    : 'hash';
          await expect(
            db.tx(scope, (t) => sql.raw(`update ${table} set ${column} = ${column}${column === 'amount' ? ' + 1' : ''}`).execute(t)),
            `update ${table}`,
          ).rejects.toThrow(/append-only|permission denied/);
          await expect(
            db.tx(scope, (t) => sql.raw(`delete from ${table}`).execute(t)),
            `delete ${table}`,
          ).rejects.toThrow(/append-only|permission denied/);
          await expect(
            db.tx(scope, (t) => sql.raw(`truncate ${table} cascade`).execute(t)),
            `truncate ${table}`,
          ).rejects.toThrow(/append-only|permission denied/);
        }
      }
      await expect(owner.tx(scope, (t) => sql`update statements set status = 'declined' where express_id = ${express_id}`.execute(t))).rejects.toThrow(
        /append-only/,
      );
      await expect(
        owner.tx(scope, (t) => sql`update statements set status = 'reversed', amount = 5 where express_id = ${express_id}`.execute(t)),
      ).rejects.toThrow(/append-only/);
    } finally {
      await owner.close();
    }
  });

  it('refuses a transfer that does not balance, also from its owner', async () => {
    const owner = openOwner(app);
    const transfer = (t: Tx) =>
      sql<{
        id: number;
      }>`insert into ledger_transfers (kind, cause, content, at, period, hash) values ('top_up', ${`own ${next()}`}, '', now(), '2026-03', '') returning id`.execute(
        t,
      );
    const entries = (t: Tx, id: number, amounts: number[]) =>
      sql`insert into ledger_entries (transfer_id, no, account, amount, period) select ${id}, no, 'cash', amount, '' from unnest(${amounts}::bigint[]) with ordinality as x (amount, no)`.execute(
        t,
      );
    try {
      await expect(owner.tx(scope, (t) => transfer(t))).rejects.toThrow(/no balanced entries/);
      await expect(owner.tx(scope, async (t) => entries(t, (await transfer(t)).rows[0]!.id, [5, -4]))).rejects.toThrow(/do not sum to zero/);
      await expect(owner.tx(scope, async (t) => entries(t, (await transfer(t)).rows[0]!.id, [0]))).rejects.toThrow(/do not sum to zero/);
      await expect(
        owner.tx(scope, (t) =>
          sql`insert into ledger_entries (transfer_id, no, account, amount, period) select max(id), 99, 'cash', 5, '' from ledger_transfers`.execute(t),
        ),
      ).rejects.toThrow(/do not sum to zero/);
      await expect(
        owner.tx(scope, (t) =>
          sql`insert into ledger_entries (transfer_id, no, account, amount, period) select max(id), no, 'wallet', 0, '' from ledger_transfers, generate_series(98, 99) no group by no`.execute(
            t,
          ),
        ),
      ).rejects.toThrow(/name no account/);
    } finally {
      await owner.close();
    }
  });
});

describe('a clerk’s transaction', () => {
  it('posts on wallets outside its scope, and reads no money row of them before or after', async () => {
    const { parent, station } = await charged();
    const clerk: Scope = { kind: 'stations', stations: [station], account: 5 };
    const express_id = next() + 5_000_000;
    await tx(async (t) => {
      expect(await hold(t, holdOf(station, express_id))).toMatchObject({ ok: true });
      await charge(t, { express_id, attempt: 1, delivery_id: null, price, shares: [{ station_id: parent, amount: 10 }], ...meta() });
      const { rows } = await sql<{ scope: string }>`select current_setting('waystation.scope') as scope`.execute(t);
      expect(rows[0]!.scope).toBe('stations');
      for (const table of ['statements', 'ledger_entries', 'ledger_transfers', 'ledger_holds', 'ledger_chain'])
        expect((await sql.raw(`select 1 from ${table}`).execute(t)).rows, table).toEqual([]);
    }, clerk);
    expect((await stationRow(parent)).money).toBe(104);
  });

  it('keeps the clerk’s scope after a refusal inside a savepoint', async () => {
    const station = await addStation(app.db);
    await tx(
      async (t) => {
        await sql`savepoint try`.execute(t);
        await expect(refund(t, { express_id: 999_999, amount: 1, description: '', ...meta() })).rejects.toMatchObject({ code: 'parcel_not_charged' });
        await sql`rollback to savepoint try`.execute(t);
        expect((await sql`select current_setting('waystation.scope') as scope`.execute(t)).rows).toEqual([{ scope: 'stations' }]);
      },
      { kind: 'stations', stations: [station], account: 5 },
    );
  });
});

describe('a connection', () => {
  it('has the scope of all rows only inside the ledger’s functions, and none after the transaction', async () => {
    const station = await addStation(app.db);
    const owner = openOwner(app);
    const calls: Record<string, (t: Tx) => Promise<unknown>> = {
      post: (t: Tx) => hold(t, holdOf(station, 7_000_001)),
      lock: (t: Tx) => lockStations(t, [station]),
      blocked: (t: Tx) => blockedReason(t, station),
      link: (t: Tx) => sql`select ledger_link_platform()`.execute(t),
      clear: (t: Tx) => sql`select ledger_clear_block(${station}, null, '', now())`.execute(t),
      prove: (t: Tx) => sql`select ledger_check(now(), null, '{}', null, null)`.execute(t),
    };
    const left: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(calls)) {
      await owner.tx({ kind: 'stations', stations: [station], account: 5 }, call);
      left[name] = (await owner.pool.query(`select coalesce(current_setting('waystation.scope', true), '') as scope`)).rows[0].scope;
    }
    await owner.close();
    expect(left).toEqual({ post: '', lock: '', blocked: '', link: '', clear: '', prove: '' });
  });
});

describe('a reader of one station', () => {
  it('reads its own rows, neither those of the paying station nor of the platform', async () => {
    const { parent } = await charged();
    await tx(
      async (t) => {
        expect((await sql`select distinct station_id from statements`.execute(t)).rows).toEqual([{ station_id: parent }]);
        expect((await sql`select distinct station_id from ledger_entries`.execute(t)).rows).toEqual([{ station_id: parent }]);
        expect((await sql`select distinct station_id from ledger_chain`.execute(t)).rows).toEqual([{ station_id: parent }]);
        expect((await sql`select 1 from ledger_transfers`.execute(t)).rows).toEqual([]);
        expect((await sql`select 1 from ledger_proofs`.execute(t)).rows).toEqual([]);
      },
      { kind: 'stations', stations: [parent], account: null },
    );
  });
});

describe('a station whose proof failed', () => {
  it('a station whose proof failed is blocked until an administrator unblocks it, other stations are not', async () => {
    const { parent, station, express_id } = await charged();
    const owner = openOwner(app);
    await owner.tx(scope, (t) => sql`update stations set money = money + 1 where id = ${station}`.execute(t));
    const proof = await prove(app, { full: false, at });
    expect(proof).toMatchObject({ ok: false, breaks: [{ invariant: 'I2', subject: `station ${station}` }] });
    await expect(fill(station, 5)).rejects.toMatchObject({ code: 'station_blocked', params: { station_id: station } });
    await expect(tx((t) => refund(t, { express_id, amount: 5, description: '', ...meta() }))).rejects.toMatchObject({ code: 'station_blocked' });
    await expect(tx((t) => lockStations(t, [station]))).rejects.toMatchObject({ code: 'station_blocked' });
    await fill(parent, 5);
    expect(await tx((t) => blockedReason(t, station), { kind: 'stations', stations: [station], account: 3 })).toBe('station_blocked');
    expect(await tx((t) => blockedReason(t, parent))).toBeNull();
    expect((await tx((t) => sql`select action, subject_id from audit_log where action = 'ledger.block'`.execute(t))).rows).toEqual([
      { action: 'ledger.block', subject_id: station },
    ]);
    // Found again, but blocked once.
    await prove(app, { full: true, at });
    expect((await tx((t) => sql`select 1 from ledger_blocks where station_id = ${station}`.execute(t))).rows).toHaveLength(1);
    await owner.tx(scope, (t) => sql`update stations set money = money - 1 where id = ${station}`.execute(t));
    await owner.close();
    expect((await prove(app, { full: false, at })).ok).toBe(true);
    await expect(fill(station, 5)).rejects.toMatchObject({ code: 'station_blocked' });
    expect(await tx((t) => unblock(t, { station_id: station, by: 1, note: 'looked', at }))).toBe(true);
    await fill(station, 5);
  });

  it('stops all stations when the total is not zero, until the database’s owner has checked the ledger', async () => {
    const station = await addStation(app.db);
    const owner = openOwner(app);
    const owned = <T>(work: (t: Tx) => Promise<T>): Promise<T> => owner.tx(scope, work);
    await owned((t) => sql`insert into ledger_blocks (station_id, reason, blocked_at) values (null, 'I1 ledger: all accounts sum to 1', now())`.execute(t));
    await expect(fill(station, 5)).rejects.toMatchObject({ code: 'ledger_stopped' });
    const clear = (which: number) => owned((t) => sql<{ cleared: boolean }>`select ledger_clear_block(${which}, null, 'looked', now()) as cleared`.execute(t));
    // A station's own block is another one.
    expect((await clear(station)).rows).toEqual([{ cleared: false }]);
    expect((await clear(0)).rows).toEqual([{ cleared: true }]);
    await owner.close();
    await fill(station, 5);
  });
});
