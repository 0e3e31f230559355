import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import { sql } from '#platform/db/db.ts';
import type { TxLimits } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { orderOf, uncounted } from '#platform/db/paging.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { counts } from './counts.ts';
import { list } from './list.ts';
import { pageIndex } from './list-index.ts';

type Filters = ParsedOf<typeof listExpresses>;

const all = systemScope('test');
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

let parcels = 0;

/** Adds parcels of a station, one for each minute, the newest last. Every fifth is signed for. */
const addParcels = (station_id: number, user_id: number, count: number): Promise<unknown> =>
  owner.tx(all, (work) => {
    const from = parcels;
    parcels += count;
    return sql`insert into expresses (station_id, user_id, order_id, state_code, created_at)
      select ${station_id}, ${user_id}, 'order ' || i, case when i % 5 = 0 then 300
        when i % 5 = 1 then 400 else 100 end,
        timestamptz '2026-02-01' + i * interval '1 minute'
          from generate_series(${from + 1}::int, ${from + count}::int) i`.execute(work.tx);
  });

interface Network {
  top: number;
  middle: number;
  leaf: number;
}

const addNetwork = async (): Promise<Network> => {
  const top = await addStation(app.db);
  const middle = await addStation(app.db, { parent_id: top });
  const leaf = await addStation(app.db, { parent_id: middle });
  const user = await addAccount(app.db, 'user', leaf);
  for (let round = 0; round < 3; round++)
    for (const station of [top, middle, leaf]) await addParcels(station, user, 4);
  return { top, middle, leaf };
};

const move = (id: number, parent_id: number | null): Promise<unknown> =>
  app.db.tx(all, (work) =>
    sql`update stations set parent_id = ${parent_id}
    where id = ${id}`.execute(work.tx),
  );

/** Reads the list page by page, and returns the ids of all its parcels. */
const walk = async (account: number, filters: Partial<Filters> = {}): Promise<number[]> => {
  const actor = await actorOfAccount(app.db, account);
  const seen: number[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list(app, actor!, { page: 1, page_size: 7, ...filters, cursor } as Filters);
    seen.push(...page.items.map(({ id }) => id));
    if (page.next_cursor === null) return seen;
    cursor = page.next_cursor;
  }
};

/** The ids of the parcels of these stations, newest first. */
const parcelsOf = async (stations: number[], where = sql<boolean>`true`): Promise<number[]> =>
  (
    await app.db.tx(all, (work) =>
      sql<{ id: number }>`select id from expresses
        where station_id = any(${stations}::bigint[]) and ${where}
        order by created_at desc, id desc`.execute(work.tx),
    )
  ).rows.map(({ id }) => id);

const stateCodesOf = (tab: string): number[] =>
  Object.entries(expressStates).flatMap(([code, state]) =>
    state.tab === tab ? [Number(code)] : [],
  );

describe('a partner’s parcel list', () => {
  it('a partner’s parcel list contains every parcel of its stations exactly once, whether the partner heads the network or a part of it', async () => {
    const { top, middle, leaf } = await addNetwork();
    await addNetwork();
    expect(await walk(await addAccount(app.db, 'partner', top))).toEqual(
      await parcelsOf([top, middle, leaf]),
    );
    expect(await walk(await addAccount(app.db, 'partner', middle))).toEqual(
      await parcelsOf([middle, leaf]),
    );
    expect(await walk(await addAccount(app.db, 'station', leaf))).toEqual(await parcelsOf([leaf]));
  });

  it('if a station moves to another network, all its parcels appear in the new partner’s list and disappear from the former partner’s list', async () => {
    const [one, other] = [await addNetwork(), await addNetwork()];
    const [loser, winner] = [
      await addAccount(app.db, 'partner', one.top),
      await addAccount(app.db, 'partner', other.top),
    ];
    await move(one.leaf, other.middle);
    expect(await walk(loser)).toEqual(await parcelsOf([one.top, one.middle]));
    expect(await walk(winner)).toEqual(
      await parcelsOf([other.top, other.middle, other.leaf, one.leaf]),
    );
  });

  it('a partner’s parcel list by tab, station, order and state contains the same parcels as a plain query of all rows', async () => {
    const { top, middle, leaf } = await addNetwork();
    const account = await addAccount(app.db, 'partner', top);
    const stations = [top, middle, leaf];
    for (const tab of ['exception', 'signed', 'awaiting_pickup'] as const)
      expect(await walk(account, { tab } as Partial<Filters>)).toEqual(
        await parcelsOf(stations, sql<boolean>`state_code = any(${stateCodesOf(tab)}::int[])`),
      );
    expect(await walk(account, { station_id: middle })).toEqual(await parcelsOf([middle]));
    expect(await walk(account, { station_id: (await addNetwork()).top })).toEqual([]);
    expect(await walk(account, { sort: 'created_at' })).toEqual(
      (await parcelsOf(stations)).toReversed(),
    );
    expect(await walk(account, { state_code: 400 })).toEqual(
      await parcelsOf(stations, sql<boolean>`state_code = 400`),
    );
  });

  it('a partner’s parcel list can be read by page number', async () => {
    const { top, middle, leaf } = await addNetwork();
    const actor = await actorOfAccount(app.db, await addAccount(app.db, 'partner', top));
    const { items } = await list(app, actor!, { page: 2, page_size: 7 } as Filters);
    expect(items.map(({ id }) => id)).toEqual((await parcelsOf([top, middle, leaf])).slice(7, 14));
  });
});

it('a clerk’s parcel list shows only the clerk’s own parcels, in every tab', async () => {
  const station = await addStation(app.db);
  const [mine, theirs] = [
    await addAccount(app.db, 'user', station),
    await addAccount(app.db, 'user', station),
  ];
  await addParcels(station, mine, 12);
  await addParcels(station, theirs, 12);
  const own = sql<boolean>`user_id = ${mine}`;
  expect(await walk(mine)).toEqual(await parcelsOf([station], own));
  expect(await walk(mine, { tab: 'exception' } as Partial<Filters>)).toEqual(
    await parcelsOf(
      [station],
      sql<boolean>`${own}
    and state_code = 400`,
    ),
  );
});

it('administrators list the parcels of all stations in each tab of the parcel list', async () => {
  const office = await addAccount(app.db, 'super');
  const everyone = (
    await app.db.tx(all, (work) =>
      sql<{ id: number }>`select id
    from stations`.execute(work.tx),
    )
  ).rows.map(({ id }) => id);
  expect(await walk(office, { tab: 'exception' } as Partial<Filters>)).toEqual(
    await parcelsOf(everyone, sql<boolean>`state_code = any(${stateCodesOf('exception')}::int[])`),
  );
});

it('the filter for unmoved parcels uses the last tracking event; if there is none the order time, and if there is no order the creation time', async () => {
  const { top, middle, leaf } = await addNetwork();
  const stations = [top, middle, leaf];
  const partner = await addAccount(app.db, 'partner', top);
  // Two of three parcels move after their creation: one by a carrier report, one only by its order.
  await owner.tx(all, (work) =>
    sql`update expresses set ordered_at = case
      when id % 3 = 1 then created_at + interval '20 hours' end,
      last_event_at = case when id % 3 = 2 then created_at + interval '40 hours' end
        where station_id = any(${stations}::bigint[])`.execute(work.tx),
  );
  const newest = (await parcelsOf(stations)).length;
  const { rows } = await app.db.tx(all, (work) =>
    sql<{ at: Date }>`select max(created_at) as at
    from expresses`.execute(work.tx),
  );
  const hours = Math.floor((app.clock.now().getTime() - rows[0]!.at.getTime()) / 3_600_000);
  for (const [wanted, least] of [
    [hours - 60, newest - 10],
    [hours - 30, 8],
    [hours - 10, 4],
    [hours + 200, 0],
  ] as const) {
    const since = new Date(app.clock.now().getTime() - wanted * 3_600_000);
    const unmoved = sql<boolean>`state_code in (100, 400)
      and coalesce(last_event_at, ordered_at, created_at) < ${since}`;
    const ids = await parcelsOf(stations, unmoved);
    expect(ids.length, `${wanted} hours`).toBeGreaterThanOrEqual(least);
    expect(await walk(partner, { unmoved_hours: wanted })).toEqual(ids);
    expect(await walk(partner, { unmoved_hours: wanted, tab: 'exception' })).toEqual(
      await parcelsOf(
        stations,
        sql<boolean>`${unmoved}
      and state_code = 400`,
      ),
    );
    expect(await walk(partner, { unmoved_hours: wanted, station_id: leaf })).toEqual(
      await parcelsOf([leaf], unmoved),
    );
    expect(await walk(partner, { unmoved_hours: wanted, insured: 0 })).toEqual(ids);
    const actor = await actorOfAccount(app.db, partner);
    expect((await counts(app, actor!, { unmoved_hours: wanted })).total).toBe(ids.length);
  }
});

it('a parcel search without search words is read from the same index as the parcel list', () => {
  const scope = { kind: 'stations', stations: [1, 2], account: null } as const;
  const order = orderOf(undefined, ['-created_at']);
  expect(pageIndex({ scope }, { q: '，' }, order)?.splits).toEqual(
    pageIndex({ scope }, {}, order)?.splits,
  );
  expect(pageIndex({ scope }, { q: '王' }, order)).toBeNull();
});

it('a page of a parcel export is read from an index, like a page of the parcel list', () => {
  const page = uncounted({ tab: 'signed', page_size: 200 } as const);
  expect(
    pageIndex(
      { scope: { kind: 'stations', stations: [1, 2], account: null } },
      page,
      orderOf(undefined, ['-created_at']),
    ),
  ).not.toBeNull();
});

describe('the index for a tab of the parcel list', () => {
  const newest = orderOf(undefined, ['-created_at']);
  const filters = uncounted({
    tab: 'failed',
    state_code: 500,
    group: 'total',
    page_size: 20,
  } as const);
  const partner = { kind: 'stations', stations: [1, 2], account: null } as const;

  it('a parcel list that is read from an index beginning with the state has no second condition on the state', () => {
    expect(pageIndex({ scope: partner }, filters, newest)?.others).toEqual(
      uncounted({ group: 'total', page_size: 20 }),
    );
    expect(
      pageIndex(
        { scope: partner },
        uncounted({ group: 'in_transit', page_size: 20 } as const),
        newest,
      )?.others,
    ).toEqual(uncounted({ page_size: 20 }));
  });

  it('a parcel list that is read from the index beginning with the account is still filtered by state', () => {
    const clerk = { ...partner, account: 7 };
    const signed = uncounted({ tab: 'signed', page_size: 20 } as const);
    expect(pageIndex({ scope: clerk }, signed, newest)?.others).toEqual(signed);
  });
});

it('for every role and sort order, the query for unmoved parcels is planned for its actual parameter values (a custom plan)', async () => {
  const { top, leaf } = await addNetwork();
  const actors = [
    await addAccount(app.db, 'super'),
    await addAccount(app.db, 'partner', top),
    await addAccount(app.db, 'user', leaf),
  ];
  for (const account of actors) {
    const actor = await actorOfAccount(app.db, account);
    for (const filters of [
      {},
      { tab: 'exception' as const },
      { station_id: leaf },
      { sort: 'created_at' as const },
    ]) {
      const chosen: TxLimits['plan'][] = [];
      const tx: typeof app.db.tx = (caller, work, limits) => {
        chosen.push(limits?.plan);
        return app.db.tx(caller, work, limits);
      };
      await list({ ...app, db: { ...app.db, tx } }, actor!, { unmoved_hours: 72, ...filters });
      expect(chosen).toEqual(['custom']);
    }
  }
});
