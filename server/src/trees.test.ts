import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prove } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { openOwner } from '#testing/money.ts';
import { act, addStation, all, openWorld, settleWorld } from '#testing/histories/world.ts';
import type { World } from '#testing/histories/world.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let owner: Db;
let world: World;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  world = await openWorld(app);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** Tables that name a station and have no tree, and why. */
const withoutTree: Readonly<Record<string, string>> = {
  accounts: 'on every machine: who logs in, and small',
  station_trees: 'on every machine: it is where the trees are',
  imports: 'of one upload, read by its station’s own index, and gone after some months',
  import_mappings: 'one row a station and kind of sheet, which changes',
  alerts: 'of the office, about any station or none',
  reconciliation_rows: 'of the office: a line of a bill learns its station later',
  user_jobs: 'of an account, and gone after some days',
  station_setups: 'of an account: one row a new station, which changes',
  inbox_notices: 'gone within a minute',
  inbox_entries: 'of an account, and gone after some weeks',
  live_events: 'of the last minutes: hints that are read by transaction, never by station',
  voucher_impacts: 'of the office: sums over stations',
  station_claims: 'one row a top-up that was reversed in part, few, and changed when it is collected',
  ledger_blocks: 'of the proof: one open row a station, which changes',
  statement_rolled: 'of the sums: one row a station, which changes',
  ledger_checkpoints: 'of the proof: one row a station, which changes',
  ledger_head_marks: 'of the proof: one row a station, which changes',
};

const stationTables = async (): Promise<{ name: string; column: string | null; fills: boolean; keeps: boolean }[]> => {
  const { rows } = await owner.tx(all, (tx) =>
    sql<{ name: string; column: string | null; fills: boolean; keeps: boolean }>`
      select c.relname as name, (select format_type(t.atttypid, null) || case when t.attnotnull then ' not null' else '' end
          from pg_attribute t where t.attrelid = c.oid and t.attname = 'tree_id') as column,
        exists (select 1 from pg_trigger g join pg_proc p on p.oid = g.tgfoid where g.tgrelid = c.oid and g.tgenabled = 'O' and p.proname like 'tree\\_of\\_%') as fills,
        exists (select 1 from pg_trigger g join pg_proc p on p.oid = g.tgfoid where g.tgrelid = c.oid and g.tgenabled = 'O' and p.proname = 'refuse_other_tree') as keeps
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'station_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`.execute(tx),
  );
  return rows;
};

const rowsOf = async <R>(query: ReturnType<typeof sql<R>>): Promise<R[]> => (await owner.tx(all, (tx) => query.execute(tx))).rows;

const treeOf = async (station: number): Promise<number> => {
  const [row] = await rowsOf(sql<{ tree_id: number }>`select tree_id from station_trees where station_id = ${station}`);
  return row!.tree_id;
};

const station = (parent: number | null): Promise<number> =>
  addStation(world, {
    parent,
    frozen: 0,
    reserve: 0,
    checked: false,
    discount: parent === null ? 7_000 : 8_000,
    northeast: null,
    way: 1,
    earns: true,
    profit: parent === null ? 0 : 500,
    fixed: 0,
    money: 0,
  });

const move = (id: number, parent_id: number | null): Promise<unknown> =>
  app.db.tx(all, (tx) => sql`update stations set parent_id = ${parent_id} where id = ${id}`.execute(tx));

/** To Shanghai, one kilogram. */
const order = async (at: number): Promise<number> => {
  const size = { weight: 1_000, re_weight: null, jd_weight: null, jd_volume: null, length: 0, width: 0, height: 0, pieces: 1, value: 0, surcharges: {} };
  const { id } = await act(world, { op: 'order', station: at, known: { to: 'shanghai', ...size }, promise: 'ed-m-0001', answers: [] });
  await settleWorld(world, []);
  return id;
};

const weigh = async (parcel: number): Promise<void> => {
  await act(world, { op: 'measure', parcel, measures: { weight: 3_000, volume: null, fee: { amount: 700, surcharges: {} }, back: 0 } });
  await settleWorld(world, [parcel]);
};

/** The trees of all rows that belong to the parcel, by table. */
const treesOfParcel = async (id: number): Promise<Record<string, number[]>> => {
  const tables = ['express_facts', 'express_moves', 'express_keys', 'express_versions', 'ledger_holds', 'ledger_transfers', 'statements'];
  const found: Record<string, number[]> = {};
  for (const table of tables) {
    const rows = await rowsOf(sql<{ tree_id: number }>`select distinct tree_id from ${sql.table(table)} where express_id = ${id} order by 1`);
    found[table] = rows.map((row) => row.tree_id);
  }
  return found;
};

describe('tables', () => {
  it('every table with a station has a tree that is never null, a trigger that fills it and one that keeps it, or is a named exception', async () => {
    const tables = await stationTables();
    expect(tables.filter(({ name, column }) => column === null && !(name in withoutTree)).map(({ name }) => name)).toEqual([]);
    const trees = tables.filter(({ name, column }) => column !== null && !(name in withoutTree));
    expect(trees.filter(({ column, fills, keeps }) => column !== 'bigint not null' || !fills || !keeps)).toEqual([]);
    expect(trees.length).toBeGreaterThan(20);
  });

  it('every exception is a table that names a station', async () => {
    const names = (await stationTables()).map(({ name }) => name);
    expect(Object.keys(withoutTree).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('the application cannot read the trees of stations', async () => {
    await expect(app.db.tx(all, (tx) => sql`select 1 from station_trees`.execute(tx))).rejects.toMatchObject({ code: '42501' });
  });
});

describe('stations', () => {
  it('a new station belongs to the tree of its parent, also where parent and child are inserted by one statement', async () => {
    const top = await station(null);
    expect(await treeOf(top)).toBe(top);
    expect(await treeOf(await station(await station(top)))).toBe(top);
    const rows = await rowsOf(
      sql<{ id: number; parent_id: number | null }>`insert into stations (id, name, parent_id) overriding system value
        select 100000 + i, 'tree ' || i, case when i = 3 then null else 100000 + i + 1 end from generate_series(1, 3) i returning id, parent_id`,
    );
    expect(await Promise.all(rows.map(({ id }) => treeOf(id)))).toEqual([100_003, 100_003, 100_003]);
  });

  it('a station that moves takes all below it into the tree of its new parent, and a station moved to the top begins one', async () => {
    const [one, other] = [await station(null), await station(null)];
    const child = await station(one);
    const grandchild = await station(child);
    await move(child, other);
    expect([await treeOf(child), await treeOf(grandchild), await treeOf(one)]).toEqual([other, other, one]);
    await move(grandchild, null);
    expect([await treeOf(child), await treeOf(grandchild)]).toEqual([other, grandchild]);
  });
});

describe('rows', () => {
  it('a row keeps its tree when its station moves, later rows of its parcel lie with it, and the proof holds', async () => {
    const [one, other] = [await station(null), await station(null)];
    const child = await station(one);
    const before = await order(child);
    await move(child, other);
    await weigh(before);
    const after = await order(child);
    const trees = await rowsOf(sql<{ tree_id: number }>`select tree_id from expresses where id in (${before}, ${after}) order by id`);
    expect(trees.map(({ tree_id }) => tree_id)).toEqual([one, other]);
    const { statements, ledger_transfers, ...ofParcel } = await treesOfParcel(before);
    expect(ofParcel).toEqual({ express_facts: [one], express_moves: [one], express_keys: [one], express_versions: [one], ledger_holds: [one] });
    // Postings lie with the wallet: the hold was made before the move, the charge after it.
    expect(ledger_transfers).toEqual([one, other].toSorted((a, b) => a - b));
    expect(statements).toEqual([one, other].toSorted((a, b) => a - b));
    const apart = await rowsOf(sql`select 1 from ledger_entries e join ledger_transfers t on t.id = e.transfer_id where e.tree_id <> t.tree_id`);
    expect(apart).toEqual([]);
    expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
  });

  it('an update that names another tree is refused, and one that names the same is not', async () => {
    const id = await order(await station(null));
    await expect(rowsOf(sql`update expresses set tree_id = tree_id + 1 where id = ${id}`)).rejects.toMatchObject({ constraint: 'tree_id_kept' });
    await expect(rowsOf(sql`update expresses set tree_id = tree_id where id = ${id}`)).resolves.toEqual([]);
  });

  it('counting steps of a parcel whose station moved add up to zero per tree once it has left a state', async () => {
    const [one, other] = [await station(null), await station(null)];
    const child = await station(one);
    const id = await order(child);
    await move(child, other);
    await weigh(id);
    const left = await rowsOf(
      sql<{ tree_id: number; n: number }>`select tree_id, sum(n)::bigint as n from express_counts where station_id = ${child} group by 1 having sum(n) <> 0`,
    );
    expect(left).toEqual([{ tree_id: one, n: 1 }]);
  });

  it('a tree grants nothing: a scope of one station sees no row of another in the same tree', async () => {
    const top = await station(null);
    const [mine, theirs] = [await station(top), await station(top)];
    await order(mine);
    await order(theirs);
    const scope = { kind: 'stations', stations: [mine], account: null } as const;
    const { rows } = await app.db.tx(scope, (tx) => sql<{ station_id: number }>`select station_id from expresses where tree_id = ${top}`.execute(tx));
    expect(rows).toEqual([{ station_id: mine }]);
  });
});
