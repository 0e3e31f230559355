import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answersTo,
  expectCells,
  openWorld,
  rolesInTurn,
  scopedCells,
  strangersLife,
} from '#testing/access.ts';
import type { World } from '#testing/access.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { rollUpCounts } from '#features/parcels/roll-up.ts';
import { sql } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';

// Replaces the scope layer by one that adds no condition to any query.
vi.mock('#platform/db/scope.ts', async (original) => {
  const { systemScope, scopeSettings, ...conditions } = await original<Record<string, unknown>>();
  return {
    systemScope,
    scopeSettings,
    ...Object.fromEntries(Object.keys(conditions).map((name) => [name, () => sql<boolean>`true`])),
  };
});

let system: TestSystem;
let world: World;
beforeAll(async () => {
  system = await openTestSystem();
  world = await openWorld(system);
});
afterAll(() => system.close());

describe('row-level security alone, with the scope omitted from every query', () => {
  it.each(rolesInTurn(scopedCells(), 1))(
    'with row-level security alone the endpoint %s gives the role %s no row of others',
    async (name, role) => {
      await expectCells(world, name, role, false);
    },
  );

  it('with only row-level security, events at one station do not change the responses to another station', async () => {
    const before = await answersTo(system, world);
    await strangersLife(system, world);
    expect(await answersTo(system, world)).toEqual(before);
  });
});

describe('a query without conditions', () => {
  const owned = [
    'expresses',
    'express_keys',
    'express_counts',
    'express_days',
    'express_count_sums',
    'express_day_sums',
    'express_messages',
    'express_facts',
    'express_moves',
    'prints',
    'statements',
    'statement_months',
    'statement_days',
    'statement_rolled',
    'ledger_transfers',
    'ledger_entries',
    'ledger_holds',
    'ledger_chain',
    'statement_confirmations',
    'contacts',
    'contact_keys',
    'handovers',
    'handover_scans',
    'accounts',
    'audit_log',
  ] as const;
  const seen = async (table: string, scope: Scope): Promise<(number | null)[]> =>
    system.app.db.tx(scope, async (work) =>
      (
        await sql<{ station_id: number | null }>`select distinct station_id
        from ${sql.table(table)} order by 1`.execute(work.tx)
      ).rows.map(({ station_id }) => station_id),
    );
  const everything: Scope = { kind: 'all', why: 'test' };

  beforeAll(async () => {
    const station_id = system.station('nanshan').id;
    await rowsOf(
      system,
      sql`insert into contacts (station_id, kind, name, phone, province, city, county,
        address) values (${station_id}, 'receive', '李四', '13900000002', '上海市', '上海市',
        '浦东新区', '世纪大道100号')`,
    );
    await rowsOf(
      system,
      sql`insert into statement_confirmations (station_id, period, opening, "in", "out",
        closing, frozen, lines, confirmed_by, confirmed_by_name, at)
        select s, '2019-12', 0, 0, 0, 0, 0, 0, (select min(id) from accounts), '', now()
          from unnest(${[station_id, system.station('pudong').id]}::bigint[]) s`,
    );
    await rowsOf(
      system,
      sql`with visits as (insert into handovers (station_id, provider, user_id, opened_at)
          select s, 'sf', (select min(id) from accounts), now()
          from unnest(${[station_id, system.station('pudong').id]}::bigint[]) s
          returning id, station_id, user_id)
        insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at,
          number, result) select id, station_id, user_id, gen_random_uuid(), user_id, now(), 'X',
          'unknown' from visits`,
    );
    for (const target of ['own', 'colleague'] as const)
      expect((await world.ask(world.tokens.super, 'POST /api/arco/labels', target)).status).toBe(
        200,
      );
  });

  beforeAll(() => rollUpCounts(system.app));

  it.each(owned)(
    'a query of the table %s without conditions returns only rows of the stations in scope',
    async (table) => {
      const only = system.station('pudong').id;
      expect(await seen(table, everything)).not.toEqual([only]);
      expect(await seen(table, { kind: 'stations', stations: [only], account: null })).toEqual(
        ['prints', 'contacts'].includes(table) ? [only] : expect.arrayContaining([only]),
      );
      expect(
        (await seen(table, { kind: 'stations', stations: [only], account: null })).filter(
          (id) => id !== only,
        ),
      ).toEqual([]);
      expect(await seen(table, { kind: 'stations', stations: [], account: null })).toEqual([]);
    },
  );

  it('a query of all sessions or two-factor secrets returns only those whose account is in scope', async () => {
    await rowsOf(
      system,
      sql`insert into two_factor_secrets (account_id, secret, created_at)
      select id, '', now() from accounts on conflict do nothing`,
    );
    await rowsOf(
      system,
      sql`insert into recovery_codes (account_id, code_hash) select id, ''
      from accounts on conflict do nothing`,
    );
    const only = system.station('nanshan').id;
    for (const table of ['sessions', 'two_factor_secrets', 'recovery_codes']) {
      const places = await system.app.db.tx(
        { kind: 'stations', stations: [only], account: null },
        async (work) =>
          (
            await sql<{ account_id: number }>`select distinct account_id
          from ${sql.table(table)}`.execute(work.tx)
          ).rows.map(({ account_id }) => account_id),
      );
      const here = await rowsOf(
        system,
        sql<{ id: number }>`select id from accounts
        where station_id = ${only}`,
      );
      expect(places.length, table).toBeGreaterThan(0);
      expect(
        places.filter((id) => !here.some((row) => row.id === id)),
        table,
      ).toEqual([]);
    }
  });

  it('a query of all stations returns only the stations in scope', async () => {
    const ids = async (scope: Scope) =>
      system.app.db.tx(scope, async (work) =>
        (
          await sql<{ id: number }>`select id from stations
        order by id`.execute(work.tx)
        ).rows.map(({ id }) => id),
      );
    const [south, nanshan] = [system.station('south').id, system.station('nanshan').id];
    expect(await ids({ kind: 'stations', stations: [south, nanshan], account: null })).toEqual([
      south,
      nanshan,
    ]);
    expect(await ids({ kind: 'stations', stations: [], account: null })).toEqual([]);
    expect((await ids(everything)).length).toBeGreaterThan(6);
  });

  it('a query without conditions returns no rows if the connection has no scope', async () => {
    const client = await system.app.db.client();
    for (const table of [
      ...owned,
      'stations',
      'sessions',
      'two_factor_secrets',
      'user_jobs',
      'recovery_codes',
      'order_outcomes',
      'carrier_calls',
      'carrier_pushes',
      'carrier_numbers',
      'alerts',
      'ledger_proofs',
      'ledger_checkpoints',
      'ledger_no_op_causes',
    ])
      expect((await client.query(`select 1 from ${table} limit 1`)).rows, table).toEqual([]);
    client.release();
  });

  it.each([
    'order_outcomes',
    'carrier_calls',
    'carrier_pushes',
    'carrier_numbers',
    'alerts',
    'ledger_proofs',
    'ledger_checkpoints',
    'ledger_no_op_causes',
  ])('a query of all %s returns rows to the system alone', async (table) => {
    const rows = await system.app.db.tx(
      { kind: 'stations', stations: [system.station('pudong').id], account: null },
      async (work) => (await sql`select 1 from ${sql.table(table)} limit 1`.execute(work.tx)).rows,
    );
    expect(rows).toEqual([]);
  });

  it.each(['expresses', 'express_keys', 'express_counts', 'express_days'])(
    'a query of all %s returns to a clerk the rows that the clerk created',
    async (table) => {
      const { id, clerks } = system.station('nanshan');
      const users = await system.app.db.tx(
        { kind: 'stations', stations: [id], account: clerks[0]! },
        async (work) =>
          (
            await sql<{ user_id: number }>`select distinct user_id
        from ${sql.table(table)}`.execute(work.tx)
          ).rows,
      );
      expect(users).toEqual([{ user_id: clerks[0] }]);
    },
  );

  it.each([
    'statements',
    'ledger_transfers',
    'ledger_entries',
    'ledger_holds',
    'ledger_chain',
    'statement_confirmations',
  ])('a query of all %s returns nothing to a clerk', async (table) => {
    const { id, clerks } = system.station('nanshan');
    expect(await seen(table, { kind: 'stations', stations: [id], account: clerks[0]! })).toEqual(
      [],
    );
  });

  it.each(['express_messages', 'express_facts', 'express_moves', 'prints'])(
    'a query of all %s returns to a clerk the rows of the clerk’s own parcels',
    async (table) => {
      const { id, clerks } = system.station('nanshan');
      const [{ foreign } = { foreign: 0 }] = await rowsOf(
        system,
        sql<{
          foreign: number;
        }>`select count(*) as foreign from ${sql.table(table)} t
          join expresses e on e.id = t.express_id where t.station_id = ${id}
          and e.user_id <> ${clerks[0]!}`,
      );
      expect(foreign).toBeGreaterThan(0);
      const seen = await system.app.db.tx(
        { kind: 'stations', stations: [id], account: clerks[0]! },
        async (work) =>
          (
            await sql<{ express_id: number }>`select distinct express_id
          from ${sql.table(table)}`.execute(work.tx)
          ).rows.map(({ express_id }) => express_id),
      );
      const own = await rowsOf(
        system,
        sql<{ id: number }>`select id from expresses
        where user_id = ${clerks[0]!}`,
      );
      expect(seen.filter((express_id) => !own.some((row) => row.id === express_id))).toEqual([]);
      expect(seen.length).toBeGreaterThan(0);
    },
  );
});

describe('changing or adding a row', () => {
  const asStation = (
    key: string,
    run: (work: Parameters<Parameters<TestSystem['app']['db']['tx']>[1]>[0]) => Promise<unknown>,
  ) =>
    system.app.db.tx({ kind: 'stations', stations: [system.station(key).id], account: null }, run);

  it('a query can neither change another station’s rows, nor add or move rows to that station', async () => {
    const other = system.station('pudong').id;
    const changed = await asStation(
      'tianhe',
      async (work) =>
        (
          await sql`update expresses set remark = 'mine'
        where station_id = ${other} returning 1`.execute(work.tx)
        ).rows,
    );
    expect(changed).toEqual([]);
    await expect(
      asStation('tianhe', (work) =>
        sql`insert into contacts (station_id, kind, name, phone, province, city, county,
          address) values (${other}, 'receive', 'x', 'x', 'x', 'x', 'x', 'x')`.execute(work.tx),
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(
      asStation('tianhe', (work) =>
        sql`update expresses
      set station_id = ${other}`.execute(work.tx),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  it('a row of the ledger’s tables can be written by the ledger’s functions only', async () => {
    const all = { kind: 'all', why: 'test' } as const;
    for (const statement of [
      sql`update stations set money = money + 1`,
      sql`insert into ledger_holds select * from ledger_holds`,
      sql`update statements set amount = 0`,
      sql`delete from ledger_entries`,
    ])
      await expect(system.app.db.tx(all, (work) => statement.execute(work.tx))).rejects.toThrow(
        /permission denied/,
      );
  });
});
