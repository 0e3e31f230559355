import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { systemScope } from './scope.ts';
import { amongFirst, firstIds, stationSplit } from './newest.ts';
import type { Split } from './newest.ts';
import { orderOf } from './paging.ts';

let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  // There are twenty stations: the first has every second parcel, and the last five have two old
  // parcels each. Many parcels have the same time.
  await owner.tx(systemScope('test'), async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    await sql`insert into stations (id, name) overriding system value select i, 'n' || i
      from generate_series(1, 20) i`.execute(work.tx);
    await sql`insert into accounts (id, username, role, station_id,
      password_hash) overriding system value values (1, 'u', 'station', 1, '')`.execute(work.tx);
  });
  await addParcels(1, 2_000);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const addParcels = (from: number, to: number): Promise<void> =>
  owner.tx(systemScope('test'), async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    await sql`insert into expresses (id, station_id, user_id, order_id, state_code,
      created_at) overriding system value
      select i, case when i <= 10 then 16 + i % 5 when i % 2 = 0 then 1 else 2 + i / 2 % 14
        end, 1, 'o' || i, case when i % 50 = 0 then 400 else 300 end,
        timestamptz '2026-01-01' + (i / 3) * interval '1 minute'
          from generate_series(${from}::int, ${to}::int) i`.execute(work.tx);
    await sql`analyze expresses`.execute(work.tx);
  });

const source = {
  table: 'expresses',
  alias: 'e',
  by: { column: 'created_at', type: 'timestamptz' },
} as const;
const scopeOf = (stations: number[]): Scope => ({ kind: 'stations', stations, account: null });
const states = (...values: number[]): Split => ({ column: 'state_code', type: 'smallint', values });

const idsOf = async (work: Work, query: ReturnType<typeof firstIds>): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id
    from (${query}) x`.execute(work.tx)
  ).rows.map(({ id }) => id);

/** Returns the expected ids by one plain query over all rows of the scope. */
const plainly = async (
  work: Work,
  splits: readonly Split[],
  direction: 'asc' | 'desc',
  count: number,
): Promise<number[]> => {
  const wanted = splits.map(
    ({ column, values }) => sql`${sql.ref(column)} = any(${values}::bigint[])`,
  );
  const { rows } = await sql<{ id: number }>`select id from expresses
    where ${sql.join(
      [sql`true`, ...wanted],
      sql`
    and `,
    )}
    order by created_at ${sql.raw(direction)}, id ${sql.raw(direction)}
      limit ${count}`.execute(work.tx);
  return rows.map(({ id }) => id);
};

describe('the first rows of several stations', () => {
  it.each([
    {
      name: 'all stations',
      splits: (s: Split) => [s],
      stations: Array.from({ length: 20 }, (_, i) => i + 1),
      count: 21,
    },
    {
      name: 'fewer stations than rows',
      splits: (s: Split) => [s],
      stations: [1, 2, 17],
      count: 21,
    },
    {
      name: 'more stations than rows',
      splits: (s: Split) => [s],
      stations: [1, 2, 3, 4, 5, 6, 7, 17, 18],
      count: 4,
    },
    {
      name: 'stations that have almost nothing',
      splits: (s: Split) => [s],
      stations: [16, 17, 18, 19, 20],
      count: 21,
    },
    { name: 'one station', splits: (s: Split) => [s], stations: [3], count: 21 },
    { name: 'no station', splits: (s: Split) => [s], stations: [], count: 21 },
    {
      name: 'two states',
      splits: (s: Split) => [s, states(300, 400)],
      stations: [1, 2, 3, 4, 19],
      count: 7,
    },
    {
      name: 'a rare state',
      splits: (s: Split) => [s, states(400)],
      stations: [1, 2, 3, 4, 19],
      count: 7,
    },
    {
      name: 'a deep page',
      splits: (s: Split) => [s],
      stations: Array.from({ length: 20 }, (_, i) => i + 1),
      count: 600,
    },
    {
      name: 'a deep page of one large station and small ones',
      splits: (s: Split) => [s],
      stations: [1, 2, 16, 17, 18, 19, 20],
      count: 900,
    },
    {
      name: 'a deep page of several states',
      splits: (s: Split) => [s, states(300, 400)],
      stations: [1, 2, 3, 4, 19],
      count: 850,
    },
    {
      name: 'a page beyond the end',
      splits: (s: Split) => [s],
      stations: [16, 17, 18, 19, 20],
      count: 1_500,
    },
    {
      name: 'a state without rows',
      splits: (s: Split) => [s, states(500, 90)],
      stations: [1, 2],
      count: 7,
    },
  ])(
    'the first rows of several stations ($name) are the same as those of a plain query, sorted ascending or descending',
    async ({ splits, stations, count }) => {
      const scope = scopeOf(stations);
      const by = splits(stationSplit({ scope })!);
      await app.db.tx(scope, async (work) => {
        for (const direction of ['asc', 'desc'] as const) {
          const order = orderOf(direction === 'desc' ? '-created_at' : 'created_at', [
            'created_at',
          ]);
          expect(
            await idsOf(work, firstIds(source, { splits: by, conditions: [] }, order, count)),
          ).toEqual(await plainly(work, by, direction, count));
        }
      });
    },
  );

  it('all pages of several stations’ rows, read one after another with a cursor, contain every row once and in the right order', async () => {
    const scope = scopeOf([2, 3, 4, 17]);
    const order = orderOf('-created_at', ['created_at']);
    const all = await app.db.tx(scope, (work) =>
      plainly(work, [stationSplit(work)!], 'desc', 5_000),
    );
    const seen: number[] = [];
    for (let last = Number.MAX_SAFE_INTEGER; ; last = seen.at(-1)!) {
      // The condition on ids is correct because this test's rows were created in the order of their
      // ids.
      const page = await app.db.tx(scope, (work) =>
        idsOf(
          work,
          firstIds(
            source,
            { splits: [stationSplit(work)!], conditions: [sql<boolean>`e.id < ${last}`] },
            order,
            50,
          ),
        ),
      );
      seen.push(...page);
      if (page.length < 50) break;
    }
    expect(seen).toEqual(all);
  });

  it('an optimised query for the first rows of several stations returns the same rows as a plain sorted query', async () => {
    const scope = scopeOf([2, 3]);
    const order = orderOf('-created_at', ['created_at']);
    await app.db.tx(scope, async (work) => {
      const { rows } = await sql<{
        id: number;
      }>`select e.id from expresses e
        where ${amongFirst(source, { splits: [stationSplit(work)!], conditions: [] }, order, 5)}
        order by 1 desc`.execute(work.tx);
      expect(rows.map(({ id }) => id)).toEqual(
        await plainly(work, [stationSplit(work)!], 'desc', 5),
      );
    });
  });

  it('a query for the first rows of several stations returns no rows of a station outside the transaction’s scope', async () => {
    const order = orderOf('-created_at', ['created_at']);
    const wide = stationSplit({ scope: scopeOf([1, 2]) })!;
    await app.db.tx(scopeOf([2]), async (work) => {
      const found = await idsOf(
        work,
        firstIds(source, { splits: [wide], conditions: [] }, order, 5),
      );
      expect(found).toEqual(await plainly(work, [], 'desc', 5));
    });
  });

  it('reading the first page of several stations reads no more rows when the table grows', async () => {
    const order = orderOf('-created_at', ['created_at']);
    const readBy = async (stations: number[], more: Split[] = []): Promise<number> => {
      const scope = scopeOf(stations);
      return app.db.tx(scope, (work) =>
        rowsRead(
          work,
          firstIds(source, { splits: [stationSplit(work)!, ...more], conditions: [] }, order, 21),
        ),
      );
    };
    const all = Array.from({ length: 20 }, (_, i) => i + 1);
    const read = async (): Promise<number[]> => [
      await readBy(all),
      await readBy([2, 3, 4]),
      await readBy([16, 17, 18, 19, 20]),
      await readBy(all, [states(400)]),
    ];
    const before = await read();
    await addParcels(2_001, 8_000);
    const after = await read();
    expect(Math.max(...before)).toBeLessThan(20 + 20 * 21);
    after.forEach((rows, index) => expect(rows).toBeLessThanOrEqual(before[index]! + 20));
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const rowsIn = (node: PlanNode): number =>
  (node.Plans ?? []).reduce(
    (sum, child) => sum + rowsIn(child),
    node['Relation Name'] === 'expresses'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0,
  );

/**
 * Returns the number of rows that the scans of the query read, including rows that a condition
 * removed.
 */
const rowsRead = async (work: Work, query: ReturnType<typeof firstIds>): Promise<number> => {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (analyze,
    timing off, format json) ${query}`.execute(work.tx);
  return Math.round(rowsIn(rows[0]!['QUERY PLAN'][0].Plan));
};
