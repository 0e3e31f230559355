import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { at, holdOf, meta, openMoney, openOwner, price, scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  adjustment,
  charge,
  confirmationsOf,
  countStatements,
  hold,
  listStatements,
  monthSummary,
  prove,
  rollUpStatements,
  topUp,
} from './ledger.ts';

type Filters = Parameters<typeof countStatements>[1];

let app: TestApp;
let owner: Db;
let { tx, fill } = {} as ReturnType<typeof openMoney>;
const stations = { top: 0, near: 0, far: 0, other: 0 };
const scopes = {} as Record<'everything' | 'partner' | 'station', Scope>;

const rollUp = async (): Promise<void> => {
  while (await tx(rollUpStatements));
};

const day = (date: string): Date => new Date(`${date}T10:00:00+08:00`);
const moved = (station_id: number, amount: number, date: string): Promise<unknown> =>
  tx((work) =>
    (amount > 0 ? topUp : adjustment)(work, {
      station_id,
      amount,
      description: '',
      ...meta(),
      at: day(date),
    }),
  );

const parcel = async (station_id: number, express_id: number, date: string): Promise<void> => {
  await tx((work) => hold(work, { ...holdOf(station_id, express_id), at: day(date) }));
  const shares = [{ station_id: stations.top, amount: 31 }];
  await tx((work) =>
    charge(work, {
      express_id,
      attempt: 1,
      delivery_id: null,
      price,
      shares,
      ...meta(),
      at: day(date),
    }),
  );
};

const filters: Filters[] = [
  {},
  { type: ['charge'] },
  { type: ['top_up', 'profit'] },
  { period: '2026-02' },
  { period: '2026-01', type: ['hold', 'charge'] },
  { period: '2025-01' },
  { posted_from: '2026-01-31', posted_to: '2026-02-02' },
  { posted_from: '2026-02-02', type: ['charge'] },
  { posted_to: '2026-01-20' },
];
const narrowed = (): Filters[] => [
  ...filters,
  ...filters.slice(0, 7).flatMap((one): Filters[] => [
    { ...one, station_id: stations.near },
    { ...one, station_id: stations.top, with_children: 1 },
  ]),
];

interface Added {
  n: number;
  in: number;
  out: number;
  freeze_amount: number;
}

/**
 * The sums of the posted statements that match the filters, and the sums of the statements before
 * the filtered time, calculated from the statements.
 */
const addUp = async (
  work: Work,
  { station_id, with_children, type, period, posted_from, posted_to }: Filters,
): Promise<Added & { before: number }> => {
  const ids = with_children
    ? Object.values(stations).filter((id) => id !== stations.other)
    : station_id === undefined
      ? Object.values(stations)
      : [station_id];
  // True for a station in scope. If the requested station is not in scope, no station below it is
  // visible either.
  const known = (id: number): boolean =>
    work.scope.kind === 'all' || work.scope.stations.includes(id);
  const visible = station_id === undefined || known(station_id) ? ids.filter(known) : [];
  const time = sql`${period === undefined ? sql`true` : sql`period = ${period}`}
    and posted_at >= ${`${posted_from ?? '2000-01-01'} 00:00+08`}::timestamptz
    and posted_at < ${`${posted_to ?? '2999-01-01'} 00:00+08`}::timestamptz + interval '1 day'`;
  const earlier =
    period === undefined
      ? sql`posted_at < ${`${posted_from ?? '2000-01-01'} 00:00+08`}::timestamptz`
      : sql`period < ${period}`;
  const { rows } = await sql<Added & { before: number }>`
    select count(*) filter (where fits) as n,
      coalesce(sum(amount) filter (where fits and amount > 0), 0)::bigint as "in",
      coalesce(-sum(amount) filter (where fits and amount < 0), 0)::bigint as "out",
        coalesce(sum(freeze_amount) filter (where fits), 0)::bigint as freeze_amount,
      coalesce(sum(amount) filter (where ${earlier}), 0)::bigint as before
    from (select *, ${time}
      and ${type === undefined ? sql`true` : sql`type = any(${type}::text[])`} as fits
      from statements where seq is not null
      and station_id = any(${visible}::bigint[])) s`.execute(work.tx);
  return rows[0]!;
};

/** Compares the sums that the product returns with the sums of the statements, in one snapshot. */
const compare = async (as: Scope, one: Filters): Promise<void> => {
  await app.db.tx(as, async (work) => {
    await sql`set transaction isolation level repeatable read`.execute(work.tx);
    const { total, total_is_capped, sums, strip } = await countStatements(work, one);
    const { n, before, ...lines } = await addUp(work, one);
    const about = `${as.kind} ${JSON.stringify(one)}`;
    expect({ total, total_is_capped, sums }, about).toEqual({
      total: n,
      total_is_capped: 0,
      sums: lines,
    });
    // Opening and closing balances are shown unless a type is filtered. With a filter by days, they
    // depend on the order of posting, which these test statements do not have.
    expect(strip === null, about).toBe(one.type !== undefined);
    if (strip)
      expect({ in: strip.in, out: strip.out }, about).toEqual({ in: lines.in, out: lines.out });
    if (strip && one.posted_from === undefined && one.posted_to === undefined)
      expect({ opening: strip.opening, closing: strip.closing }, about).toEqual({
        opening: before,
        closing: before + lines.in - lines.out,
      });
  });
};

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  ({ tx, fill } = openMoney(app));
  stations.top = await addStation(app.db);
  stations.near = await addStation(app.db, { parent_id: stations.top });
  stations.far = await addStation(app.db, { parent_id: stations.near });
  stations.other = await addStation(app.db);
  scopes.everything = scope;
  scopes.partner = {
    kind: 'stations',
    stations: [stations.top, stations.near, stations.far],
    account: null,
  };
  scopes.station = { kind: 'stations', stations: [stations.near], account: null };
  await addAccount(app.db, 'partner', stations.top);
  for (const [index, station_id] of Object.values(stations).entries()) {
    for (const date of ['2026-01-05', '2026-01-31', '2026-02-02', '2026-02-28'])
      await moved(station_id, 100_000 + index, date);
    await moved(station_id, -7 - index, '2026-02-03');
  }
  for (const [index, date] of ['2026-01-20', '2026-02-01', '2026-02-20'].entries())
    await parcel(stations.near, 7_000_000 + index, date);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

describe('counts, sums and balances of statements', () => {
  it.each(['before any line is added up', 'after all are', 'with lines behind the sums'])(
    'counts, sums and balances of statements (%s) equal the transactions for every filter and scope',
    async (when) => {
      if (when !== 'before any line is added up') await rollUp();
      if (when === 'with lines behind the sums') {
        await moved(stations.near, 11, '2026-02-02');
        await moved(stations.top, -13, '2026-03-01');
        await parcel(stations.far, 7_100_000, '2026-02-28');
      }
      for (const as of Object.values(scopes)) for (const one of narrowed()) await compare(as, one);
    },
  );

  it('the counts, sums and balances of statements agree with the posted transactions at every moment, also while more are being posted', async () => {
    let posting = true;
    let compared = 0;
    const post = async (worker: number): Promise<void> => {
      for (let index = 0; index < 25; index += 1) {
        await moved(
          [stations.near, stations.top, stations.other][(worker + index) % 3]!,
          index % 4 === 3 ? -1 - worker : 5 + index,
          '2026-02-10',
        );
        if (index % 5 === 0)
          await parcel(stations.near, 8_000_000 + worker * 100 + index, '2026-02-11');
      }
    };
    const read = async (): Promise<void> => {
      const some = narrowed();
      while (posting) {
        for (const as of Object.values(scopes)) await compare(as, some[compared % some.length]!);
        compared += 1;
      }
    };
    const add = async (): Promise<void> => {
      while (posting) await tx(rollUpStatements);
    };
    const run = Promise.all([post(0), post(1), post(2)]).finally(() => (posting = false));
    await Promise.all([run, read(), read(), add(), add()]);
    expect(compared).toBeGreaterThan(3);
    await rollUp();
    for (const as of Object.values(scopes)) for (const one of narrowed()) await compare(as, one);
    expect(
      await tx(
        async (work) =>
          (
            await sql`select 1
      from statement_sums_proof()`.execute(work.tx)
          ).rows,
      ),
    ).toEqual([]);
  });

  it('a station’s month shows the same figures before and after its transactions are added to the stored sums', async () => {
    const month = () =>
      tx((work) =>
        monthSummary(work.within(scope), { station_id: stations.near, period: '2026-02' }, at),
      );
    const all = () => tx((work) => confirmationsOf(work.within(scope), '2026-02', at));
    await parcel(stations.near, 9_000_000, '2026-02-15');
    const [one, each] = [await month(), await all()];
    await rollUp();
    expect(await month()).toEqual(one);
    expect(await all()).toEqual(each);
    expect(each.items.find(({ station_id }) => station_id === stations.near)).toMatchObject({
      opening: one.opening,
      closing: one.closing,
      lines: one.lines,
    });
  });

  it('the list of a month’s statements, read page by page, contains all transactions of the month in ascending and in descending order', async () => {
    for (const sort of ['posted_at', '-posted_at'] as const) {
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await tx((work) =>
          listStatements(work.within(scope), {
            period: '2026-01',
            page_size: 5,
            sort,
            ...(cursor && { cursor }),
          }),
        );
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      const { rows } = await tx((work) =>
        sql<{ id: number }>`select id from statements
        where period = '2026-01' order by transfer_id, id`.execute(work.tx),
      );
      const ids = rows.map(({ id }) => id);
      expect(found).toEqual(sort === 'posted_at' ? ids : ids.toReversed());
    }
    expect(
      (await tx((work) => listStatements(work.within(scope), { period: '2025-01' }))).items,
    ).toEqual([]);
  });
});

describe('the ledger check of the statement sums', () => {
  it.each([
    ['statement_months', 'period'],
    ['statement_days', 'day'],
  ])(
    'the ledger check finds an altered sum in %s, of a station and of all, and blocks no station',
    async (table, key) => {
      await fill(stations.near, 500);
      await rollUp();
      const invariants = async (full: boolean) =>
        (await prove(app, { full, at })).breaks.map(({ invariant }) => invariant);
      for (const station_id of [stations.near, 0])
        for (const column of ['n', 'in', 'freeze_amount']) {
          const change = (by: number) =>
            owner.tx(systemScope('test'), (work) =>
              sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + ${by}
              where ctid = (select ctid from ${sql.table(table)}
                where station_id = ${station_id} and type = 'top_up' order by ${sql.ref(key)}
                limit 1)`.execute(work.tx),
            );
          expect(await invariants(false)).toEqual([]);
          await change(1);
          expect(new Set(await invariants(false)), `${station_id} ${column}`).toEqual(
            new Set(['I13']),
          );
          expect(new Set(await invariants(true)), `${station_id} ${column}`).toEqual(
            new Set(['I13']),
          );
          await change(-1);
        }
      expect(await invariants(true)).toEqual([]);
      await fill(stations.near, 500);
    },
  );

  it('the full ledger check finds that a count in the statement sums was moved from one transaction type to another', async () => {
    await rollUp();
    const move = (by: number) =>
      owner.tx(systemScope('test'), async (work) => {
        for (const [type, sign] of [
          ['top_up', 1],
          ['charge', -1],
        ] as const)
          await sql`update statement_months set n = n + ${sign * by}
            where station_id = ${stations.near} and period = '2026-02'
            and type = ${type}`.execute(work.tx);
      });
    await move(1);
    expect(
      (await prove(app, { full: true, at })).breaks.map(
        ({ invariant, subject }) => `${invariant} ${subject}`,
      ),
    ).toContain(`I13 station ${stations.near}, top_up of 2026-02`);
    await move(-1);
    expect((await prove(app, { full: true, at })).ok).toBe(true);
  });
});

describe('the rights to the statement sums', () => {
  it('the application can read the statement sums only of the stations that the user may see, and cannot delete them', async () => {
    await rollUp();
    const seen = await app.db.tx(
      scopes.station,
      async (work) =>
        (
          await sql<{ id: number }>`select distinct station_id as id
        from statement_months`.execute(work.tx)
        ).rows,
    );
    expect(seen).toEqual([{ id: stations.near }]);
    for (const table of ['statement_months', 'statement_days', 'statement_rolled'])
      await expect(
        tx((work) =>
          sql`delete
        from ${sql.table(table)}`.execute(work.tx),
        ),
      ).rejects.toMatchObject({ code: '42501' });
  });
});
