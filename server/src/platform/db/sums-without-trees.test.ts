import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { appRole, clusterConnection } from '#testing/cluster.ts';
import { migrate, readSchema } from './migrate.ts';

const name = `trees_${randomBytes(4).toString('hex')}`;
const owner: pg.ClientConfig = { ...clusterConnection(), database: name };
const present = readSchema(join(import.meta.dirname, '..', '..', '..'));
const last = '0051_no_trees.sql';

const run = async (text: string, database = name): Promise<unknown[][]> => {
  const client = new pg.Client({ ...owner, database });
  await client.connect();
  try {
    const result = await client.query<unknown[]>({ text, rowMode: 'array' });
    return result.rows;
  } finally {
    await client.end();
  }
};

/** Station 7 moved from tree 1 to tree 2, station 8 never moved; station 0 is all stations. */
const rows = `
  insert into statement_months (station_id, period, type, n, "in", "out", freeze_amount, first_seq, first_transfer, last_transfer, tree_id) values
    (7, '2026-10', 'charge', 3, 0, 900, 0, 1, 10, 30, 1), (7, '2026-10', 'charge', 2, 0, 500, 10, 4, 40, 50, 2),
    (7, '2026-10', 'top_up', 1, 2000, 0, 0, 6, 60, 60, 2), (8, '2026-10', 'charge', 1, 0, 100, 0, 1, 20, 20, 1),
    (0, '2026-10', 'charge', 6, 0, 1500, 10, 1, 10, 50, 0);
  insert into statement_days (station_id, day, type, n, "in", "out", freeze_amount, tree_id) values
    (7, '2026-10-05', 'charge', 3, 0, 900, 0, 1), (7, '2026-10-05', 'charge', 2, 0, 500, 10, 2), (8, '2026-10-05', 'charge', 1, 0, 100, 0, 1);
  insert into express_count_sums (station_id, state_code, waybill, n, post_amount, weight, package_count, tree_id) values
    (7, 300, 1, 4, 4000, 400, 4, 1), (7, 300, 1, -1, -1000, -100, -1, 2), (8, 300, 1, 1, 1, 1, 1, 1);
  insert into express_day_sums (station_id, day, what, n, tree_id) values
    (7, '2026-10-05', 'ordered', 3, 1), (7, '2026-10-05', 'ordered', 2, 2), (8, '2026-10-05', 'ordered', 1, 1);
  insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh, tree_id) values
    (7, 9, 300, 1, 4, 4000, 400, 4, false, 1), (7, 9, 300, 1, -1, -1000, -100, -1, false, 2), (7, 9, 300, 1, 1, 10, 10, 1, true, 2);`;

/** SQL for the triggers of the previous version, on one table. */
const triggers = `
  create function tree_of_station() returns trigger language plpgsql as 'begin new.tree_id := 1; return new; end';
  create function refuse_other_tree() returns trigger language plpgsql as 'begin raise exception ''kept''; end';
  create trigger statements_tree before insert on statements for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
  create trigger statements_tree_kept before update of tree_id on statements for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();`;

beforeAll(async () => {
  await run(`create database ${name}`, 'postgres');
  const before = present.migrations.filter((migration) => migration.name < last);
  await migrate(
    owner,
    { migrations: before, sql: { edition: 1, files: [] } },
    { appRole, log: silentLog() },
  );
  await run(`${rows}${triggers}`);
  await migrate(owner, present, { appRole, log: silentLog() });
});
afterAll(() => run(`drop database if exists ${name} with (force)`, 'postgres'));

it('a station that moved between trees has one row of sums after the migration, and other stations’ sums are unchanged', async () => {
  expect(
    await run(`select station_id, type, n, "in", "out", freeze_amount, first_seq, first_transfer,
      last_transfer from statement_months order by 1, 2`),
  ).toEqual([
    ['0', 'charge', '6', '0', '1500', '10', '1', '10', '50'],
    ['7', 'charge', '5', '0', '1400', '10', '1', '10', '50'],
    ['7', 'top_up', '1', '2000', '0', '0', '6', '60', '60'],
    ['8', 'charge', '1', '0', '100', '0', '1', '20', '20'],
  ]);
  expect(
    await run('select station_id, n, "out", freeze_amount from statement_days order by 1'),
  ).toEqual([
    ['7', '5', '1400', '10'],
    ['8', '1', '100', '0'],
  ]);
  expect(
    await run(`select station_id, n, post_amount, weight, package_count from express_count_sums
      order by 1`),
  ).toEqual([
    ['7', '3', '3000', '300', '3'],
    ['8', '1', '1', '1', '1'],
  ]);
  expect(await run('select station_id, n from express_day_sums order by 1')).toEqual([
    ['7', '5'],
    ['8', '1'],
  ]);
});

it('after the migration, the first roll-up merges the parcel counts of a clerk before and after the clerk’s station moved', async () => {
  await run('select express_roll_up()');
  expect(await run('select user_id, n, post_amount, fresh from express_counts')).toEqual([
    ['9', '4', '3010', false],
  ]);
  expect(await run('select n from express_count_sums where station_id = 7')).toEqual([['4']]);
});

it('no tree column, tree trigger or tree function remains in the database after the migration', async () => {
  expect(
    await run(`select attrelid::regclass::text from pg_attribute where attname = 'tree_id'
      union all select tgname from pg_trigger where tgname like '%\\_tree%'
      union all select proname from pg_proc where proname ~ 'tree_of|other_tree|station_trees'`),
  ).toEqual([]);
});

it('the primary key of each table of sums contains no tree after the migration', async () => {
  const keys = await run(`select conrelid::regclass::text, pg_get_constraintdef(oid)
    from pg_constraint where contype = 'p' and conrelid::regclass::text in ('statement_months',
      'statement_days', 'express_count_sums', 'express_day_sums') order by 1`);
  expect(keys).toEqual([
    ['express_count_sums', 'PRIMARY KEY (station_id, state_code, waybill)'],
    ['express_day_sums', 'PRIMARY KEY (station_id, day, what) INCLUDE (n)'],
    ['statement_days', 'PRIMARY KEY (station_id, day, type)'],
    ['statement_months', 'PRIMARY KEY (station_id, period, type)'],
  ]);
});
