import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { calls } from '@waystation/contract/parcels/express-calls.schema.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import { systemScope } from '#platform/db/scope.ts';
import { listSource, selectRows, walkPages } from '#platform/http/list-walk.ts';
import type { WalkedRow } from '#platform/http/list-walk.ts';
import { openOwner } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { list } from './list.ts';
import { searchBounds, windowByIds } from './search-keys.ts';
import type { FoundWindow } from './search-keys.ts';
import { walk } from './walk.ts';

type Filters = ParsedOf<typeof listExpresses>;

const system = systemScope('test');
const source = listSource(calls.listExpresses, list, null, walk);
const bounds = { ...searchBounds };
/** The number of parcels of the station in the middle: more than two pages of a walk. */
const ofMiddle = 2_300;

let app: TestApp;
let top: number;
let middle: number;
let accounts: Record<'super' | 'partner' | 'station' | 'user', number>;
beforeAll(async () => {
  app = await createTestApp();
  top = await addStation(app.db);
  middle = await addStation(app.db, { parent_id: top });
  const elsewhere = await addStation(app.db);
  accounts = {
    super: await addAccount(app.db, 'super', null),
    partner: await addAccount(app.db, 'partner', top),
    station: await addAccount(app.db, 'station', middle),
    user: await addAccount(app.db, 'user', middle),
  };
  await addParcels(middle, accounts.user, ofMiddle);
  await addParcels(middle, accounts.station, 5);
  await addParcels(top, accounts.partner, 5);
  await addParcels(elsewhere, accounts.super, 5);
});
afterAll(async () => {
  Object.assign(searchBounds, bounds);
  await app.close();
});

let parcels = 0;

/**
 * Adds parcels with names and phones. Several have the same creation time, and their amounts are
 * not in the order of the times.
 */
const addParcels = (station_id: number, user_id: number, count: number): Promise<unknown> => {
  const from = parcels;
  parcels += count;
  return app.db.tx(system, (work) =>
    sql`insert into expresses (station_id, user_id, order_id, delivery_id, sender_name,
      sender_phone, receive_name, receive_phone, state_code, post_amount, weight,
        created_at, printed_at, print_count)
      select ${station_id}, ${user_id}, 'WS-WALK-' || i, 'JDW' || i, '寄件人', '13900000001',
        case when i % 2 = 0 then '王小明' else '李小红' end, '13800000002',
        case when i % 5 = 0 then 300 when i % 5 = 1 then 0 else 100
          end, (i * 37) % 101, (i * 53) % 97,
          timestamptz '2026-02-01' + (i / 3) * interval '1 minute',
        case when i % 7 = 0 then timestamptz '2026-02-02' end, 0
          from generate_series(${from + 1}::int, ${from + count}::int) i`.execute(work.tx),
  );
};

const actorOf = async (role: keyof typeof accounts): Promise<Actor> =>
  (await actorOfAccount(app.db, accounts[role]))!;

const pagesOfList = async (actor: Actor, filters: Partial<Filters> = {}): Promise<object[]> => {
  const items: object[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list(
      app,
      actor,
      uncounted({ page_size: 200, ...filters, cursor }) as Filters,
    );
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
  }
};

const idsOf = (rows: readonly object[]): number[] => rows.map((row) => (row as { id: number }).id);

const walked = async (
  actor: Actor,
  filters: Partial<Filters>,
  fields: string[],
): Promise<WalkedRow[]> => {
  const rows: WalkedRow[] = [];
  const selection = await selectRows(app, actor, source, { filters, most: 10_000 });
  for await (const page of walkPages(app, actor, source, {
    filters,
    selection,
    fields: new Set(fields),
  }))
    rows.push(...page);
  return rows;
};

describe('exporting the parcel list', () => {
  it.each([
    ['super', {}],
    ['partner', {}],
    ['station', {}],
    ['user', { tab: 'draft' }],
    ['partner', { sort: 'post_amount' }],
    ['partner', { sort: '-weight' }],
    ['station', { sort: 'created_at', state_code: 100 }],
    ['super', { q: '李小红' }],
    ['partner', { q: 'JDW23' }],
  ] as [keyof typeof accounts, Partial<Filters>][])(
    'the export of %s with %o holds the rows of the list’s pages, in their order',
    async (role, filters) => {
      const actor = await actorOf(role);
      expect(idsOf(await walked(actor, filters, ['id']))).toEqual(
        idsOf(await pagesOfList(actor, filters)),
      );
    },
  );

  it('an export of a parcel search that has several search ranges continues through all of them and returns each parcel once', async () => {
    Object.assign(searchBounds, { walked: 100, found: 20 });
    const actor = await actorOf('station');
    const found = idsOf(await walked(actor, { q: '李小红' }, ['id']));
    expect([found.length, new Set(found).size]).toEqual([1_153, 1_153]);
    Object.assign(searchBounds, bounds);
  });

  it.each(['super', 'partner', 'station', 'user'] as const)(
    'an export of the parcel list shows %s every field as the list does, phones masked and costs hidden alike',
    async (role) => {
      const actor = await actorOf(role);
      const { items } = await list(app, actor, { state_code: 300 } as Filters);
      const listed = items as unknown as Record<string, unknown>[];
      const names = Object.keys(listed[0]!).filter((name) => name !== 'version');
      const read = (fields: string[]) =>
        walk.rows(app, actor, { ids: idsOf(items), fields: new Set(fields) }) as Promise<
          Record<string, unknown>[]
        >;
      const whole = await read(names);
      for (const name of names) {
        const alone = await read([name]);
        const values = listed.map((item) => item[name]);
        expect([name, alone.map((row) => row[name]), whole.map((row) => row[name])]).toEqual([
          name,
          values,
          values,
        ]);
      }
    },
  );

  it('an export of the parcel list reads only the columns of the requested fields', async () => {
    const [row] = await walked(await actorOf('user'), { q: 'JDW10' }, [
      'delivery_id',
      'station_name',
    ]);
    expect(Object.keys(row!).toSorted()).toEqual([
      'delivery_id',
      'id',
      'phones_shown',
      'station_id',
      'station_name',
    ]);
  });

  it('selecting rows for an export reads at most one parcel more than the export limit', async () => {
    const actor = await actorOf('station');
    expect(await selectRows(app, actor, source, { filters: {}, most: ofMiddle })).toMatchObject({
      total: ofMiddle,
      total_is_capped: 1,
    });
    expect(await selectRows(app, actor, source, { filters: {}, most: ofMiddle + 5 })).toMatchObject(
      {
        total: ofMiddle + 5,
        total_is_capped: 0,
      },
    );
  });
});

describe('exporting the parcel list while parcels change', () => {
  it('an export reads every parcel exactly once even if the sorted value changes, and loads the user’s rights again before each page', async () => {
    const actor = await actorOf('user');
    const selection = await selectRows(app, actor, source, {
      filters: { sort: 'post_amount' },
      most: 10_000,
    });
    let loads = 0;
    const reader = async (): Promise<Actor> => {
      loads++;
      return actor;
    };
    const pages: number[][] = [];
    for await (const page of walkPages(app, reader, source, {
      filters: { sort: 'post_amount' },
      selection,
      fields: new Set(['id']),
    })) {
      pages.push(idsOf(page));
      await app.db.tx(system, (work) =>
        sql`update expresses set post_amount = 200 - post_amount
        where user_id = ${accounts.user}`.execute(work.tx),
      );
    }
    expect({
      sizes: pages.map((page) => page.length),
      loads,
      distinct: new Set(pages.flat()).size,
    }).toEqual({
      sizes: [1_000, 1_000, 300],
      loads: 3,
      distinct: ofMiddle,
    });
  });

  it('an export leaves out parcels that have left the reader’s scope by the time they are read', async () => {
    const [actor, narrower] = [await actorOf('partner'), await actorOf('station')];
    const selection = await selectRows(app, actor, source, {
      filters: { state_code: 300 },
      most: 10_000,
    });
    const rows: WalkedRow[] = [];
    for await (const page of walkPages(app, narrower, source, {
      filters: { state_code: 300 },
      selection,
      fields: new Set(['station_id']),
    }))
      rows.push(...page);
    expect(new Set(rows.map(({ station_id }) => station_id))).toEqual(new Set([middle]));
    expect(rows.length).toBeLessThan(selection.total);
  });

  it('a parcel search finds the parcels before and after a gap in the parcel ids that a restore of the database left', async () => {
    const owner = openOwner(app);
    await owner.tx(system, (work) => sql`select raise_generation('restore')`.execute(work.tx));
    await owner.close();
    await addParcels(middle, accounts.user, 10);
    Object.assign(searchBounds, { walked: 100 });
    const found: number[] = [];
    let windows = 0;
    for (let before: number | null = null; ; windows++) {
      const at: number | null = before;
      const { ids, searched_to }: FoundWindow = await app.db.tx(system, (work) =>
        windowByIds(work, sql<boolean>`true`, { before: at, most: 1_000 }),
      );
      found.push(...ids);
      if (searched_to === null) break;
      before = searched_to;
    }
    Object.assign(searchBounds, bounds);
    expect([found.length, windows]).toEqual([parcels, Math.floor((parcels - 1) / 100)]);
    expect(found[9]! - found[10]!).toBeGreaterThanOrEqual(100_000);
  });
});
