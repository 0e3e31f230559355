import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
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

describe('the database’s protection of the ledger', () => {
  it('the database lets only the ledger’s functions write money', async () => {
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
        tx((work) => sql.raw(statement).execute(work.tx)),
        statement,
      ).rejects.toThrow(/permission denied/);
  });

  it('a posting’s update of a station’s money runs no trigger', async () => {
    const rows = await tx((work) =>
      sql<{ name: string }>`select tgname::text as name from pg_trigger
        where tgrelid = 'stations'::regclass and not tgisinternal and tgtype & 16 > 0
          and (tgattr::text = '' or exists (select from pg_attribute a
            where a.attrelid = tgrelid and a.attnum = any (tgattr)
              and a.attname in ('money', 'freeze')))`.execute(work.tx),
    );
    expect(rows.rows).toEqual([]);
  });

  it('the table of stations has no check constraint on its money columns, so that a posting evaluates only the checks of the column type', async () => {
    const { rows } = await tx((work) =>
      sql<{ name: string }>`select conname::text as name from pg_constraint
        where conrelid = 'stations'::regclass and contype = 'c' order by 1`.execute(work.tx),
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'stations_fixed_freeze_check',
      'stations_not_own_parent',
      'stations_status_check',
    ]);
  });

  it('the database refuses to change a posted ledger row, to the application and to its owner', async () => {
    const { express_id } = await charged();
    const owner = openOwner(app);
    try {
      for (const table of [
        'ledger_transfers',
        'ledger_entries',
        'ledger_chain',
        'statements',
        'ledger_no_op_causes',
        'ledger_proofs',
      ]) {
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
            db.tx(scope, (work) =>
              sql
                .raw(
                  `update ${table} set ${column} = ${column}${column === 'amount' ? ' + 1' : ''}`,
                )
                .execute(work.tx),
            ),
            `update ${table}`,
          ).rejects.toThrow(/append-only|permission denied/);
          await expect(
            db.tx(scope, (work) => sql.raw(`delete from ${table}`).execute(work.tx)),
            `delete ${table}`,
          ).rejects.toThrow(/append-only|permission denied/);
          await expect(
            db.tx(scope, (work) => sql.raw(`truncate ${table} cascade`).execute(work.tx)),
            `truncate ${table}`,
          ).rejects.toThrow(/append-only|permission denied/);
        }
      }
      await expect(
        owner.tx(scope, (work) =>
          sql`update statements set status = 'declined'
        where express_id = ${express_id}`.execute(work.tx),
        ),
      ).rejects.toThrow(/append-only/);
      await expect(
        owner.tx(scope, (work) =>
          sql`update statements set status = 'reversed', amount = 5
          where express_id = ${express_id}`.execute(work.tx),
        ),
      ).rejects.toThrow(/append-only/);
    } finally {
      await owner.close();
    }
  });

  it('even for its owner, the database refuses a transfer that has no entries or whose entries do not sum to zero', async () => {
    const owner = openOwner(app);
    const transfer = (work: Work) =>
      sql<{
        id: number;
      }>`insert into ledger_transfers (kind, cause, content, at, period, hash)
        values ('top_up', ${`own ${next()}`}, '', now(), '2026-03', '') returning id`.execute(
        work.tx,
      );
    const entries = (work: Work, id: number, amounts: number[]) =>
      sql`insert into ledger_entries (transfer_id, no, account, amount, period)
        select ${id}, no, 'cash', amount, ''
        from unnest(${amounts}::bigint[]) with ordinality as x (amount, no)`.execute(work.tx);
    try {
      await expect(owner.tx(scope, (work) => transfer(work))).rejects.toThrow(
        /no balanced entries/,
      );
      await expect(
        owner.tx(scope, async (work) => entries(work, (await transfer(work)).rows[0]!.id, [5, -4])),
      ).rejects.toThrow(/do not sum to zero/);
      await expect(
        owner.tx(scope, async (work) => {
          const { id } = (await transfer(work)).rows[0]!;
          await entries(work, id, [5]);
          await entries(work, id, [-5]);
        }),
      ).rejects.toThrow(/do not sum to zero/);
      await expect(
        owner.tx(scope, async (work) => entries(work, (await transfer(work)).rows[0]!.id, [0])),
      ).rejects.toThrow(/do not sum to zero/);
      await expect(
        owner.tx(scope, (work) =>
          sql`insert into ledger_entries (transfer_id, no, account, amount, period)
            select max(id), 99, 'cash', 5, '' from ledger_transfers`.execute(work.tx),
        ),
      ).rejects.toThrow(/do not sum to zero/);
      await expect(
        owner.tx(scope, (work) =>
          sql`insert into ledger_entries (transfer_id, no, account, amount, period)
            select max(id), no, 'wallet', 0, ''
            from ledger_transfers, generate_series(98, 99) no group by no`.execute(work.tx),
        ),
      ).rejects.toThrow(/name no account/);
    } finally {
      await owner.close();
    }
  });
});

describe('a clerk’s transaction', () => {
  it('a clerk’s transaction posts to wallets outside its scope, but can read no row of the money tables', async () => {
    const { parent, station } = await charged();
    const clerk: Scope = { kind: 'stations', stations: [station], account: 5 };
    const express_id = next() + 5_000_000;
    await tx(async (work) => {
      expect(await hold(work, holdOf(station, express_id))).toMatchObject({ ok: true });
      await charge(work, {
        express_id,
        attempt: 1,
        delivery_id: null,
        price,
        shares: [{ station_id: parent, amount: 10 }],
        ...meta(),
      });
      const { rows } = await sql<{
        scope: string;
      }>`select current_setting('waystation.scope') as scope`.execute(work.tx);
      expect(rows[0]!.scope).toBe('stations');
      for (const table of [
        'statements',
        'ledger_entries',
        'ledger_transfers',
        'ledger_holds',
        'ledger_chain',
      ])
        expect((await sql.raw(`select 1 from ${table}`).execute(work.tx)).rows, table).toEqual([]);
    }, clerk);
    expect((await stationRow(parent)).money).toBe(104);
  });

  it('a clerk’s transaction keeps the clerk’s scope after a posting inside a savepoint was refused', async () => {
    const station = await addStation(app.db);
    await tx(
      async (work) => {
        await sql`savepoint try`.execute(work.tx);
        await expect(
          refund(work, { express_id: 999_999, amount: 1, description: '', ...meta() }),
        ).rejects.toMatchObject({ code: 'parcel_not_charged' });
        await sql`rollback to savepoint try`.execute(work.tx);
        expect(
          (await sql`select current_setting('waystation.scope') as scope`.execute(work.tx)).rows,
        ).toEqual([{ scope: 'stations' }]);
      },
      { kind: 'stations', stations: [station], account: 5 },
    );
  });
});

describe('the scope of a connection', () => {
  it('a connection has the scope of all stations only inside the ledger’s functions, and no scope after the transaction', async () => {
    const station = await addStation(app.db);
    const owner = openOwner(app);
    const calls: Record<string, (work: Work) => Promise<unknown>> = {
      post: (work: Work) => hold(work, holdOf(station, 7_000_001)),
      lock: (work: Work) => lockStations(work, [station]),
      blocked: (work: Work) => blockedReason(work, station),
      link: (work: Work) => sql`select ledger_link_platform()`.execute(work.tx),
      clear: (work: Work) =>
        sql`select ledger_clear_block(${station}, null, '',
        now())`.execute(work.tx),
      prove: (work: Work) =>
        sql`select ledger_check(now(), null, '{}', null, null)`.execute(work.tx),
    };
    const left: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(calls)) {
      await owner.tx({ kind: 'stations', stations: [station], account: 5 }, call);
      left[name] = (
        await owner.pool.query(
          `select coalesce(current_setting('waystation.scope', true), '') as scope`,
        )
      ).rows[0].scope;
    }
    await owner.close();
    expect(left).toEqual({ post: '', lock: '', blocked: '', link: '', clear: '', prove: '' });
  });
});

describe('the ledger rows that a user of one station reads', () => {
  it('a user of one station reads only this station’s ledger rows, and no rows of a station that paid it a share or of the platform', async () => {
    const { parent } = await charged();
    await tx(
      async (work) => {
        expect(
          (
            await sql`select distinct station_id
          from statements`.execute(work.tx)
          ).rows,
        ).toEqual([{ station_id: parent }]);
        expect(
          (
            await sql`select distinct station_id
          from ledger_entries`.execute(work.tx)
          ).rows,
        ).toEqual([{ station_id: parent }]);
        expect(
          (
            await sql`select distinct station_id
          from ledger_chain`.execute(work.tx)
          ).rows,
        ).toEqual([{ station_id: parent }]);
        expect((await sql`select 1 from ledger_transfers`.execute(work.tx)).rows).toEqual([]);
        expect((await sql`select 1 from ledger_proofs`.execute(work.tx)).rows).toEqual([]);
      },
      { kind: 'stations', stations: [parent], account: null },
    );
  });
});

describe('a station that failed the ledger check', () => {
  it('a station that failed the ledger check is blocked until an administrator unblocks it; other stations are not blocked', async () => {
    const { parent, station, express_id } = await charged();
    const owner = openOwner(app);
    await owner.tx(scope, (work) =>
      sql`update stations set money = money + 1
      where id = ${station}`.execute(work.tx),
    );
    const proof = await prove(app, { full: false, at });
    expect(proof).toMatchObject({
      ok: false,
      breaks: [{ invariant: 'I2', subject: `station ${station}` }],
    });
    await expect(fill(station, 5)).rejects.toMatchObject({
      code: 'station_blocked',
      params: { station_id: station },
    });
    await expect(
      tx((work) => refund(work, { express_id, amount: 5, description: '', ...meta() })),
    ).rejects.toMatchObject({ code: 'station_blocked' });
    await expect(tx((work) => lockStations(work, [station]))).rejects.toMatchObject({
      code: 'station_blocked',
    });
    await fill(parent, 5);
    expect(
      await tx((work) => blockedReason(work, station), {
        kind: 'stations',
        stations: [station],
        account: 3,
      }),
    ).toBe('station_blocked');
    expect(await tx((work) => blockedReason(work, parent))).toBeNull();
    expect(
      (
        await tx((work) =>
          sql`select action, subject_id from audit_log
      where action = 'ledger.block'`.execute(work.tx),
        )
      ).rows,
    ).toEqual([{ action: 'ledger.block', subject_id: station }]);
    // The proof finds the violation again, but blocks the station once.
    await prove(app, { full: true, at });
    expect(
      (
        await tx((work) =>
          sql`select 1 from ledger_blocks
      where station_id = ${station}`.execute(work.tx),
        )
      ).rows,
    ).toHaveLength(1);
    await owner.tx(scope, (work) =>
      sql`update stations set money = money - 1
      where id = ${station}`.execute(work.tx),
    );
    await owner.close();
    expect((await prove(app, { full: false, at })).ok).toBe(true);
    await expect(fill(station, 5)).rejects.toMatchObject({ code: 'station_blocked' });
    expect(
      await tx((work) => unblock(work, { station_id: station, by: 1, note: 'looked', at })),
    ).toBe(true);
    await fill(station, 5);
  });

  it('a ledger whose total is not zero stops the postings of all stations until the database’s owner removes the block', async () => {
    const station = await addStation(app.db);
    const owner = openOwner(app);
    const owned = <T>(run: (work: Work) => Promise<T>): Promise<T> => owner.tx(scope, run);
    await owned((work) =>
      sql`insert into ledger_blocks (station_id, reason, blocked_at)
      values (null, 'I1 ledger: all accounts sum to 1', now())`.execute(work.tx),
    );
    await expect(fill(station, 5)).rejects.toMatchObject({ code: 'ledger_stopped' });
    const clear = (which: number) =>
      owned((work) =>
        sql<{ cleared: boolean }>`select ledger_clear_block(${which},
      null, 'looked', now()) as cleared`.execute(work.tx),
      );
    await expect(
      app.db.tx(scope, (work) =>
        sql`select ledger_clear_block(0, null, 'looked', now())`.execute(work.tx),
      ),
    ).rejects.toMatchObject({ code: '42501' });
    // A station's own block is separate from that of all stations.
    expect((await clear(station)).rows).toEqual([{ cleared: false }]);
    expect((await clear(0)).rows).toEqual([{ cleared: true }]);
    await owner.close();
    await fill(station, 5);
  });
});
