import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { searchBounds } from './search-keys.ts';

let api: TestApi;
let tokens: Tokens;
/**
 * The number of parcel rows and search keys that the lists have read since the last call of `read`.
 */
let reads = 0;
const bounds = { ...searchBounds };

const readsOf = async (work: Work): Promise<number> => {
  const { n } = await oneRow(
    work,
    sql<{
      n: number;
    }>`select (select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0)
      from pg_index where indrelid in ('expresses'::regclass, 'express_keys'::regclass))
      + pg_stat_get_xact_tuples_returned('expresses'::regclass) + pg_stat_get_xact_tuples_returned('express_keys'::regclass) as n`,
  );
  return Number(n);
};

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  const { db } = api.app;
  const open = db.tx;
  db.tx = (scope, run, limits) =>
    open(
      scope,
      async (work) => {
        const before = await readsOf(work);
        const result = await run(work);
        reads += (await readsOf(work)) - before;
        return result;
      },
      limits,
    );
  await fill(2_000);
});
afterAll(() => api.close());
beforeEach(() => {
  Object.assign(searchBounds, { walked: 400, found: 250 });
  return () => Object.assign(searchBounds, bounds);
});

let filled = 0;
/**
 * Adds parcels to the clerk's station, and as many to a station of another partner. All senders are
 * a company in Shenzhen, and every 1,000th recipient is 欧阳娜娜.
 */
const fill = async (count: number): Promise<void> => {
  const owner = new pg.Client(api.database.owner);
  await owner.connect();
  // The parcels are inserted without triggers, and their search keys by the next statement.
  await owner.query("set session_replication_role = replica; set waystation.scope = 'all'");
  await owner.query(
    `with clerk as (select id as user_id, station_id from accounts where username = 'clerk'),
      other as (select min(s.id) as station_id from stations s, clerk where s.id <> clerk.station_id and s.parent_id is null)
      insert into expresses (station_id, user_id, order_id, delivery_id, sender_name, sender_phone, receive_name, receive_phone, state_code, created_at)
        select case when n % 2 = 0 then clerk.station_id else other.station_id end, user_id, 'WS260302' || lpad((900000 + n)::text, 8, '0'),
          'JDVE' || lpad((n * 7919 % 1000003)::text, 11, '0'), '深圳示例公司', '13900000000',
          case when n % 1000 = 0 then '欧阳娜娜' when n % 6 = 4 then '单' when n % 4 < 2 then '王小' || chr(20000 + n::int) else '李大' || chr(20000 + n::int) end, '138' || lpad((n * 104729 % 99999989)::text, 8, '0'), 100, now() + n * interval '1 second'
        from clerk, other, generate_series($1::bigint, $2::bigint) n order by n`,
    [filled + 1, filled + count],
  );
  await owner.query(`insert into express_keys (station_id, user_id, express_id, kind, key)
    select e.station_id, e.user_id, e.id, k.kind, k.key from expresses e, express_key_list(e) k on conflict do nothing`);
  await owner.query('vacuum analyze expresses, express_keys');
  await owner.end();
  filled += count;
};

interface Found {
  items: Express[];
  next_cursor: string | null;
  searched_to: number | null;
}
const search = async (token: string, query: string): Promise<Found> =>
  (await api.call<Found>(token, 'GET', `/api/arco/expresses?${query}`)).data;
const read = async (
  token: string,
  q: string,
  size = 200,
): Promise<{ reads: number; found: number }> => {
  reads = 0;
  const { items } = await search(token, `page_size=${size}&q=${encodeURIComponent(q)}`);
  return { reads, found: items.length };
};

describe('a parcel search that finds more parcels than one response may contain', () => {
  it('the counts of a parcel search show where the search stopped, and continuing from there finds each older parcel once', async () => {
    const wanted = (
      await api.rows(
        sql<{
          id: number;
        }>`select e.id from expresses e join accounts a on a.station_id = e.station_id
          and a.username = 'clerk' where sender_name = '深圳示例公司' order by id desc`,
      )
    ).map(({ id }) => id);
    for (const q of ['公司', 'WS26']) {
      const found: number[] = [];
      let before: number | null = null;
      do {
        const query = `q=${encodeURIComponent(q)}${before === null ? '' : `&searched_before=${before}`}`;
        const { total, total_is_capped } = (
          await api.call<{ total: number; total_is_capped: number }>(
            tokens.station,
            'GET',
            `/api/arco/expresses/counts?${query}`,
          )
        ).data;
        const page = await search(tokens.station, `${query}&page_size=200`);
        expect([total <= 250, total_is_capped]).toEqual([true, page.searched_to === null ? 0 : 1]);
        for (let at = 1; (at - 1) * 200 < total; at++)
          found.push(
            ...(await search(tokens.station, `${query}&page_size=200&page=${at}`)).items.map(
              ({ id }) => id,
            ),
          );
        before = page.searched_to;
      } while (before !== null);
      expect(found).toEqual(wanted);
    }
  });

  it('the cursors of a parcel search lead through every found parcel once, the newest first', async () => {
    const found: number[] = [];
    let cursor: string | null = '';
    do {
      const page: Found = await search(
        tokens.super,
        `q=${encodeURIComponent('示例')}&page_size=190${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found.length).toBe(filled);
    expect(found).toEqual([...new Set(found)].toSorted((a, b) => b - a));
  });

  it('a parcel search with small pages continues from one search range into the next and returns each parcel once', async () => {
    for (const q of ['示例', '深圳 公司', 'WS26']) {
      const found: number[] = [];
      let cursor: string | null = '';
      let pages = 0;
      do {
        const page: Found = await search(
          tokens.station,
          `q=${encodeURIComponent(q)}&page_size=20${cursor && `&cursor=${cursor}`}`,
        );
        // All pages are full except the last page of a search range.
        expect(
          page.items.length === 20 || page.searched_to !== null || page.next_cursor === null,
        ).toBe(true);
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
        pages++;
      } while (cursor !== null && pages < 40);
      expect(found.length).toBeGreaterThan(500);
      expect(found).toEqual([...new Set(found)].toSorted((a, b) => b - a));
    }
  });

  it('if a parcel search reaches its limit of rows to read, it returns the place where it stopped', async () => {
    const page = await search(tokens.super, `q=${encodeURIComponent('王小 李大')}`);
    expect([page.items, page.searched_to]).toEqual([[], expect.any(Number)]);
  });
});

describe('the exact count of a parcel search', () => {
  it('the exact count of a parcel search includes all found parcels, not only those of one page', async () => {
    const counted = await api.call<{ total: number; total_is_capped: number; sums: object }>(
      tokens.super,
      'GET',
      `/api/arco/expresses/counts?q=${encodeURIComponent('示例')}&exact=1`,
    );
    expect(counted.data).toMatchObject({
      total: filled,
      total_is_capped: 0,
      sums: { package_count: filled },
    });
  });
});

describe('a parcel search for a single character', () => {
  it('a parcel search for a single character finds only names that consist of exactly this character', async () => {
    await api.rows(sql`update expresses set receive_name = '娜'
      where id = (select min(id) from expresses)`);
    expect(
      (await search(tokens.super, `q=${encodeURIComponent('娜')}`)).items.map(
        ({ receive_name }) => receive_name,
      ),
    ).toEqual(['娜']);
  });
});

describe('the number of rows that a parcel search reads', () => {
  const waybill = (n: number): string => `JDVE${String((n * 7919) % 1_000_003).padStart(11, '0')}`;
  const cases = {
    'a whole waybill': waybill(250),
    'the beginning of a waybill': waybill(250).slice(0, 13),
    'the end of a waybill': waybill(250).slice(-8),
    'the end of a phone': String((250 * 104_729) % 99_999_989).slice(-8),
    'a frequent pair of characters': '公司',
    'two frequent pairs of characters': '深圳公',
    'two frequent pairs that few have together': '公司 王小',
    'a single character': '单',
    'a beginning that all parcels have': 'WS26',
    'a name that few have, and a word that all have': '欧阳 公司',
  };
  it('for every role, a parcel search reads about the same number of rows if the database has four times as many parcels', async () => {
    const readAll = async () => {
      const all: Record<string, number> = {};
      for (const role of ['super', 'partner', 'station', 'clerk'] as const)
        for (const [name, q] of Object.entries(cases))
          all[`${role}: ${name}`] = (await read(tokens[role], q)).reads;
      return all;
    };
    const few = await readAll();
    await fill(6_000);
    const many = await readAll();
    const grown = Object.entries(many).filter(([name, n]) => n > few[name]! * 1.2 + 20);
    expect(grown).toEqual([]);
    // A search reads at most 400 keys, one look-up for each, 500 keys of each pair to find the
    // rarest, and the 250 found parcels.
    expect([...Object.entries(few), ...Object.entries(many)].filter(([, n]) => n > 2_100)).toEqual(
      [],
    );
  });

  it('one page of a parcel search for a frequent text reads at most 500 rows, not the whole search range', async () => {
    const all: Record<string, number> = {};
    for (const role of ['super', 'partner', 'station', 'clerk'] as const)
      for (const q of ['公司', '深圳 公司', 'WS260302'])
        all[`${role}: ${q}`] = (await read(tokens[role], q, 5)).reads;
    expect(Object.entries(all).filter(([, n]) => n > 500)).toEqual([]);
  });
});
