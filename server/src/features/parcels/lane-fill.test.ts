import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hoursOfStation } from '#domain/express/lanes.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { wrongSums } from '#testing/consistency.ts';
import { openOwner } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { eventually } from '#testing/test-system.ts';
import { fillLanes } from './roll-up.ts';

const scope = systemScope('test');
const product = { provider: 'jdl', promise_id: 'ed-m-0001' } as const;
const lane = { sender_city: '深圳市', receive_province: '上海市' };
const text = readFileSync(join(import.meta.dirname, '../../../sql/express-uses.sql'), 'utf8');
let app: TestApp;
let owner: ReturnType<typeof openOwner>;
let [station_id, user_id] = [0, 0];

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  station_id = await addStation(app.db);
  user_id = await addAccount(app.db, 'user', station_id);
  await owner.tx(scope, (work) =>
    sql`insert into promises (promise_id, promise_name, provider, cutoff_time)
      values ('ed-m-0001', '特惠送', 'jdl', '18:00') on conflict do nothing`.execute(work.tx),
  );
  await add(60);
});
beforeEach(async () => {
  await fillLanes(app);
  await rollUp();
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const run = <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  app.db.tx(scope, async (work) => (await query.execute(work.tx)).rows);
let numbers = 0;
/** Adds delivered parcels of one lane that were promised for the day before yesterday. */
const add = (count: number) =>
  run(sql`insert into expresses (station_id, user_id, order_id, provider, promise_id, sender_city,
      receive_province, state_code, created_at, ordered_at, signed_at, promised_at)
    select ${station_id}::bigint, ${user_id}::bigint, 'L' || ${(numbers += count)}::int || '-' || n,
      'jdl', 'ed-m-0001', ${lane.sender_city}, ${lane.receive_province}, 300,
      now() - interval '98 hours', now() - interval '98 hours', now() - interval '50 hours',
      now() - interval '49 hours'
    from generate_series(1, ${count}::int) n returning id`);
const rollUp = () => run(sql`select express_uses_roll_up()`);
const sums = () =>
  run(sql`select what, sum(n)::int as n from express_uses where what in ('due', 'on_time')
      group by what union all
    select 'lanes', sum(signed + due)::int from express_lanes order by 1`);
const wrong = async () =>
  (await app.db.tx(scope, wrongSums)).filter((words) => /^(?:lane|due|on_time) /.test(words));
/** Restores the state before lanes were kept per station, and runs the SQL of the upgrade. */
const upgrade = () =>
  owner.tx(scope, async (work) => {
    await sql`update express_uses set n = n + 7 where what = 'due'`.execute(work.tx);
    await sql`delete from express_lanes`.execute(work.tx);
    await sql.raw(text.slice(text.lastIndexOf('do $$'))).execute(work.tx);
  });
const slice = (size: number) =>
  run(sql<{ more: boolean }>`select express_lane_fill_slice(${size}::int) as more`);
const ids = async () =>
  (await run(sql<{ id: number }>`select id from expresses order by id`)).map(({ id }) => id);
const change = (id: number, changes: ReturnType<typeof sql>) =>
  run(sql`update expresses set ${changes} where id = ${id} returning id`);
const hours = async (): Promise<number | null> => {
  const of = await app.db.tx(scope, (work) =>
    hoursOfStation(work, [product], [lane], { at: new Date(), station_id }),
  );
  return of({ ...product, ...lane });
};

it('lanes of older parcels are summed in slices, and no lane shows a figure until all slices are done', async () => {
  const before = await sums();
  expect(before).toHaveLength(3);
  expect(await hours()).toBe(48);
  await upgrade();
  expect(await slice(25)).toEqual([{ more: true }]);
  expect(await hours()).toBeNull();
  expect(await sums()).not.toEqual(before);
  await fillLanes(app);
  expect(await sums()).toEqual(before);
  expect(await hours()).toBe(48);
  expect(await slice(25)).toEqual([{ more: false }]);
  expect(await sums()).toEqual(before);
});

it('lane sums are correct for parcels that change or are added while the sums are being calculated', async () => {
  await upgrade();
  await slice(10);
  const all = await ids();
  for (const id of [all[0]!, all.at(-1)!]) {
    await change(id, sql`state_code = 210, signed_at = null`);
    await change(id, sql`promised_at = promised_at + interval '1 day'`);
    await change(id, sql`receive_province = '北京市'`);
  }
  await add(3);
  await slice(10);
  await change(all[1]!, sql`state_code = 500`);
  await fillLanes(app);
  await rollUp();
  expect(await wrong()).toEqual([]);
});

it('a slice of the lane sums that contains a parcel being changed stores nothing, and is tried again', async () => {
  await upgrade();
  const newest = (await ids()).at(-1)!;
  await app.db.tx(scope, async (work) => {
    await sql`update expresses set state_code = 500 where id = ${newest}`.execute(work.tx);
    await fillLanes(app);
    expect(await sums()).toEqual([{ what: 'lanes', n: null }]);
  });
  await fillLanes(app);
  await rollUp();
  expect(await wrong()).toEqual([]);
});

it('a change of a parcel waits until the running slice of the lane sums has been filled, and the parcel is counted once', async () => {
  await upgrade();
  const newest = (await ids()).at(-1)!;
  let changing: Promise<unknown> = Promise.resolve();
  await app.db.tx(scope, async (work) => {
    await sql`select express_lane_fill_slice(10)`.execute(work.tx);
    changing = change(newest, sql`state_code = 300, signed_at = promised_at`);
    await eventually(
      async () =>
        (
          await run(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database()`)
        ).length > 0,
    );
  });
  await changing;
  await fillLanes(app);
  await rollUp();
  expect(await wrong()).toEqual([]);
});

it('the migration of the lane sums reads the same number of parcels per slice if the parcels table is ten times as large', async () => {
  const read = async (): Promise<number> => {
    await owner.pool.query('analyze expresses');
    await upgrade();
    return app.db.tx(scope, async (work) => {
      // The view also counts rows that earlier transactions of this connection have read.
      const soFar = async (): Promise<number> => {
        const { rows } = await sql<{
          n: number;
        }>`select coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::int as n
          from pg_stat_xact_user_tables where relname = 'expresses'`.execute(work.tx);
        return rows[0]!.n;
      };
      const before = await soFar();
      await sql`select express_lane_fill_slice(10)`.execute(work.tx);
      return (await soFar()) - before;
    });
  };
  await add(200);
  const few = await read();
  await add(9 * (await ids()).length);
  const many = await read();
  expect(many, `${few} rows, then ${many}`).toBeLessThanOrEqual(few + 10);
});
