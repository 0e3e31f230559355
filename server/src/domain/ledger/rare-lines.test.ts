import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { countStatements, listStatements, statementIds } from './ledger.ts';

type Filters = Parameters<typeof listStatements>[1];

let app: TestApp;
const stations = { top: 0, near: 0, far: 0, other: 0 };
const scopes = {} as Record<'everything' | 'partner' | 'station', Scope>;

beforeAll(async () => {
  app = await createTestApp();
  const owner = openOwner(app);
  stations.top = await addStation(app.db);
  stations.near = await addStation(app.db, { parent_id: stations.top });
  stations.far = await addStation(app.db, { parent_id: stations.near });
  stations.other = await addStation(app.db);
  scopes.everything = systemScope('test');
  scopes.partner = {
    kind: 'stations',
    stations: [stations.top, stations.near, stations.far],
    account: null,
  };
  scopes.station = { kind: 'stations', stations: [stations.near], account: null };
  await owner.tx(systemScope('fill'), async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    // One statement every two hours. Every third statement waited for its station's lock, so its
    // time is up to nine minutes before the time of the previous statement. Some amounts are large,
    // and a few statements are requests.
    await sql`insert into statements (station_id, transfer_id, seq, type, status, amount,
      freeze_amount, profit, description, created_at, updated_at, posted_at, period, hash)
      select (${Object.values(stations)}::bigint[])[1 + n * 7 % 4], n, n, case
        when n % 9 = 0 then 'top_up' else 'charge' end::statement_type, 'posted',
        case when n % 9 = 0 then 50000 when n % 13 = 0 then -10000 else -n
          end, 0, 0, '', at, at, at, '2026-01', ''
      from (select n, timestamptz '2026-01-01 00:00+08' + n * interval '2 hours' - case
        when n % 3 = 0 then interval '2 hours 9 minutes' else interval '0' end as at
        from generate_series(1, 700) n) l`.execute(work.tx);
    await sql`insert into statements (station_id, type, status, amount, freeze_amount, profit,
      description, created_at, updated_at, hash)
      select (${Object.values(stations)}::bigint[])[1 + n % 4], 'top_up', case
        when n % 2 = 0 then 'pending' else 'declined'
        end::statement_status, 20000, 0, 0, '', at, at, ''
      from (select n, timestamptz '2026-01-02 12:00+08' + n * interval '1 day' as at
        from generate_series(1, 20) n) l`.execute(work.tx);
  });
  await owner.close();
});
afterAll(() => app.close());

const days = { posted_from: '2026-01-09', posted_to: '2026-01-20' };
const filters: Filters[] = [
  {},
  days,
  { posted_from: '2026-02-10' },
  { posted_to: '2026-01-05' },
  { posted_from: '2026-01-12', posted_to: '2026-01-12' },
  { posted_from: '2030-01-01' },
  { posted_to: '2020-01-01' },
  { ...days, amount_from: 10_000 },
  { ...days, amount_from: 10_001, amount_to: 20_000 },
  { ...days, amount_from: 200, amount_to: 300 },
  { amount_from: 50_000 },
  { ...days, type: ['top_up'] },
  { ...days, type: ['charge', 'top_up'], amount_from: 10_000 },
  { type: ['top_up'], amount_from: 30_000 },
];
const narrowed = (): Filters[] =>
  filters.flatMap((one) => [
    one,
    { ...one, station_id: stations.near },
    { ...one, station_id: stations.near, with_children: 1 as const },
  ]);

/** The ids of the statements that a plain query of the whole table finds, the newest first. */
const plainly = async (
  as: Scope,
  { station_id, with_children, type, amount_from, amount_to, posted_from, posted_to }: Filters,
): Promise<number[]> => {
  const below = with_children ? [stations.near, stations.far] : [station_id ?? 0];
  const wanted = station_id === undefined ? Object.values(stations) : below;
  const { rows } = await app.db.tx(as, (work) =>
    sql<{
      id: number;
    }>`select id from statements where station_id = any(${wanted}::bigint[])
      and (${type ?? null}::text[] is null or type::text = any(${type ?? null}::text[]))
      and abs(amount) between ${amount_from ?? 0} and ${amount_to ?? 1_000_000}
        and coalesce(posted_at,
        created_at) >= ${`${posted_from ?? '2000-01-01'} 00:00+08`}::timestamptz
      and coalesce(posted_at,
        created_at) < ${`${posted_to ?? '2999-01-01'} 00:00+08`}::timestamptz + interval '1 day'
        order by transfer_id desc nulls first, id desc`.execute(work.tx),
  );
  return rows.map(({ id }) => id);
};

const pages = async (as: Scope, one: Filters): Promise<number[]> => {
  const found: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await app.db.tx(as, (work) =>
      listStatements(work, { ...one, page_size: 90, ...(cursor && { cursor }) }),
    );
    found.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return found;
};

describe.each(['everything', 'partner', 'station'] as const)(
  'the filtered list of statements for the scope “%s”',
  (who) => {
    it('a filtered list of statements, read page by page, has exactly the matching transactions in ascending and in descending order', async () => {
      const as = scopes[who];
      for (const one of narrowed()) {
        const ids = await plainly(as, one);
        const about = JSON.stringify(one);
        expect(await pages(as, one), about).toEqual(ids);
        expect(await pages(as, { ...one, sort: 'posted_at' }), about).toEqual(ids.toReversed());
        expect(await app.db.tx(as, (work) => statementIds(work, one)), about).toEqual(ids);
      }
    });

    it('a filtered list of statements shows the exact number of matching transactions, and its fourth page shows the right ones', async () => {
      const as = scopes[who];
      for (const one of narrowed().filter(({ amount_from }) => amount_from !== undefined)) {
        const { total } = await app.db.tx(as, (work) => countStatements(work, one));
        expect(total, JSON.stringify(one)).toBe((await plainly(as, one)).length);
      }
      const ids = await plainly(as, days);
      const far = await app.db.tx(as, (work) =>
        listStatements(work, { ...days, page: 4, page_size: 10 }),
      );
      expect(far.items.map(({ id }) => id)).toEqual(ids.slice(30, 40));
    });
  },
);
