import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { oneRow, sql } from './db.ts';
import type { Db, RawBuilder } from './db.ts';
import { isKnownBefore, isKnownFrom } from './known-bounds.ts';
import { systemScope } from './scope.ts';

let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const scope = systemScope('test');
const first = sql<Date>`'2026-03-01 00:00+08'::timestamptz`;
const end = sql<Date>`'2026-03-06 00:00+08'::timestamptz`;
const postedAt = sql<Date>`s.posted_at`;
const known = sql`${isKnownFrom(postedAt, first)} and ${isKnownBefore(postedAt, end)}`;
const compared = sql`s.posted_at >= ${first} and s.posted_at < ${end}`;

/**
 * Fills the table with `size` transactions, spread evenly over 200 days, of which five days are
 * between the bounds.
 */
const fill = (size: number): Promise<{ from: number; to: number }> =>
  owner.tx(scope, async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    await sql`delete from statements`.execute(work.tx);
    await sql`insert into statements (station_id, transfer_id, seq, type, status, amount,
        freeze_amount, profit, description, created_at, updated_at, posted_at, period, hash)
      select 1, n, n, 'charge', 'posted', -1, 0, 0, '', at, at, at, '2026-01', ''
      from (select n, timestamptz '2026-01-01 00:00+08'
        + n * interval '200 days' / ${size}::int as at
        from generate_series(1, ${size}::int) n) l`.execute(work.tx);
    await sql`analyze statements`.execute(work.tx);
    return oneRow(
      work,
      sql<{ from: number; to: number }>`select min(transfer_id) as from, max(transfer_id) as to
        from statements s where ${compared}`,
    );
  });

interface Plan {
  'Node Type': string;
  'Plan Rows': number;
  'Actual Rows': number;
  Plans?: Plan[];
}

const planOf = async (query: RawBuilder<unknown>): Promise<Plan> => {
  const { rows } = await owner.tx(scope, (work) =>
    sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (analyze, timing off, format json)
      ${query}`.execute(work.tx),
  );
  return rows[0]!['QUERY PLAN'][0].Plan;
};

describe.each([2_000, 8_000])('a table of %i statements', (size) => {
  it('with known bounds, the planner’s estimate of the rows of some days is right within 20 %; with plain comparisons it is under a tenth', async () => {
    const { from, to } = await fill(size);
    const lines = sql`select s.id from statements s
      where s.transfer_id between ${sql.lit(from)} and ${sql.lit(to)}`;
    const plan = await planOf(sql`${lines} and ${known}`);
    expect(plan['Actual Rows']).toBe(size / 40);
    expect(plan['Plan Rows']).toBeGreaterThan(0.8 * plan['Actual Rows']);
    expect(plan['Plan Rows']).toBeLessThan(1.2 * plan['Actual Rows']);
    const other = await planOf(sql`${lines} and ${compared}`);
    expect(other['Actual Rows']).toBe(plan['Actual Rows']);
    expect(other['Plan Rows']).toBeLessThan(0.1 * other['Actual Rows']);
  });

  it('a page of the transactions of some days is read from the index in its order, and no more rows are read than the page shows', async () => {
    const { from, to } = await fill(size);
    const page = await planOf(sql`select s.id from statements s
      where s.station_id = 1 and s.transfer_id >= ${sql.lit(from)}
        and (s.transfer_id, s.id) <= (${sql.lit(to)}, 9223372036854775807) and ${known}
      order by s.transfer_id desc limit 20`);
    expect([page['Node Type'], page.Plans![0]!['Node Type']]).toEqual(['Limit', 'Index Scan']);
    expect(page.Plans![0]!['Actual Rows']).toBe(20);
  });
});

it('the operators >=~ and <~ give the same results as >= and <', async () => {
  const { rows } = await owner.tx(scope, (work) =>
    sql<{ differ: number }>`select count(*) filter (where (a >=~ b) <> (a >= b)
        or (a <~ b) <> (a < b))::int as differ
      from unnest(array['-infinity', '2026-03-01', '2026-03-02', 'infinity']::timestamptz[]) a,
        unnest(array['-infinity', '2026-03-01', '2026-03-02', 'infinity']::timestamptz[])
        b`.execute(work.tx),
  );
  expect(rows).toEqual([{ differ: 0 }]);
});
