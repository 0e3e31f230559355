import { afterAll, beforeAll, expect, it } from 'vitest';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

// This test is separate, because a function calculates the sum for each row of a list. The plans in
// list-plans.test.ts do not show what a function reads.

const all = systemScope('test');
let app: TestApp;
let owner: Db;
let station = 0;
let user = 0;
let filled = 0;

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  station = await addStation(app.db);
  user = await addAccount(app.db, 'user', station);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/**
 * Adds parcels of the station in this state, at 100 fen each. Each parcel is created one second
 * after the previous one.
 */
const add = async (count: number, state: number, station_id = station): Promise<void> => {
  await owner.tx(all, (work) =>
    sql`insert into expresses (station_id, user_id, order_id, state_code, post_amount, weight,
      created_at)
      select ${station_id}::bigint, ${user}::bigint, 'R' || n, ${state}::int, 100, 1000,
        timestamptz '2026-03-01' + n * interval '1 second'
      from generate_series(${filled + 1}::int, ${filled + count}::int) n`.execute(work.tx),
  );
  filled += count;
};

/**
 * The amount that the parcel at this position of the queue needs, and the number of rows read for
 * it.
 */
const needsOf = (place: number) =>
  app.db.tx(all, async (work) => {
    const parcel = await oneRow(
      work,
      sql<{ id: number; created_at: Date }>`select id, created_at from expresses
        where station_id = ${station} and state_code = 10
        order by created_at, id offset ${place - 1} limit 1`,
    );
    const rows = sql<{ n: number }>`select (seq_tup_read + coalesce(idx_tup_fetch,
      0))::int as n from pg_stat_xact_user_tables where relname = 'expresses'`;
    const before = await oneRow(work, rows);
    const { needs } = await oneRow(
      work,
      sql<{
        needs: { missing_amount: number; ahead: number } | null;
      }>`select on_hold_needs(${station},
        ${parcel.created_at}, ${parcel.id}) as needs`,
    );
    return { needs, read: (await oneRow(work, rows)).n - before.n };
  });

it('the missing amount of a parcel on hold is calculated without reading the parcels after it in the queue or parcels outside the queue', async () => {
  const other = await addStation(app.db);
  for (const more of [2_000, 8_000]) {
    await add(more, 300);
    await add(more / 4, 10, other);
    await add(20, 10);
    await owner.pool.query('vacuum analyze expresses');
    const { needs, read } = await needsOf(15);
    expect(needs).toEqual({ missing_amount: 1_500, ahead: 14 });
    expect(read).toBeGreaterThanOrEqual(15);
    expect(read).toBeLessThanOrEqual(20);
  }
});

it('the sum that a parcel on hold needs is calculated only for the first 10,000 parcels of its queue', async () => {
  await add(9_999, 10);
  const { needs, read } = await needsOf(10_000);
  expect(needs).toEqual({ missing_amount: 1_000_000, ahead: 9_999 });
  expect(read).toBeLessThanOrEqual(10_010);
  await add(100, 10);
  const beyond = await needsOf(10_100);
  expect(beyond.needs).toBeNull();
  expect(beyond.read).toBeLessThanOrEqual(10_010);
});
