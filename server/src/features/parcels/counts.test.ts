import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { rollUpCounts } from './roll-up.ts';

interface Counts {
  total: number;
  total_is_capped: 0 | 1;
  sums: { post_amount: number; weight: number; package_count: number } | null;
  tabs: Record<string, number> | null;
}

const many = 10_040;
let api: TestApi;
let tokens: Tokens;
let station_id: number;
const counted = async (who: keyof Tokens, query = ''): Promise<Counts> =>
  (await api.call<Counts>(tokens[who], 'GET', `/api/arco/expresses/counts${query}`)).data;

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  const [row] = await api.rows(sql<{ station_id: number }>`
    insert into expresses (station_id, user_id, order_id, state_code, goods, post_amount,
      weight, cal_weight, package_count, created_at)
    select a.station_id, a.id, 'C' || n, case when n <= ${many - 10} then 300 else 100
      end, case when n <= 5 then '文件' else '服装' end, n, 1000,
      case when n <= 3 then 1500 end, 2, '2026-03-01'
    from accounts a, generate_series(1, ${many}) n where a.username = 'clerk'
      returning station_id`);
  station_id = row!.station_id;
});
afterAll(() => api.close());

const whole = {
  total: many,
  total_is_capped: 0,
  sums: {
    post_amount: (many * (many + 1)) / 2,
    weight: many * 1_000 + 1_500,
    package_count: 2 * many,
  },
};

describe('the counts of the parcel list', () => {
  it.each(['', '?station_id=S', '?exact=1'])(
    'the counts of the parcel list are exact beyond 10,000 parcels if the counting tables support every filter (%s)',
    async (query) => {
      const counts = await counted('super', query.replace('S', String(station_id)));
      expect(counts).toMatchObject({
        ...whole,
        tabs: { all: many, signed: many - 10, awaiting_pickup: 10, draft: 0 },
      });
    },
  );

  it('the counts of a tab of the parcel list contain the total and sums of that tab, and the number of parcels in every tab', async () => {
    const counts = await counted('clerk', '?tab=awaiting_pickup');
    expect(counts).toMatchObject({
      total: 10,
      sums: { weight: 10_000, package_count: 20 },
      tabs: { all: many, signed: many - 10 },
    });
    expect(await counted('clerk', '?group=total')).toMatchObject({
      total: 0,
      sums: { post_amount: 0 },
    });
  });

  it('the counts of the parcel list are zero for a station that the user may not see', async () => {
    const [{ id } = { id: 0 }] = await api.rows(sql<{ id: number }>`select id from stations
      where id <> ${station_id} and id not in (
      with recursive up as (select id, parent_id from stations where id = ${station_id}
        union all select s.id, s.parent_id from stations s join up on s.id = up.parent_id)
      select id from up) limit 1`);
    expect(await counted('clerk', `?station_id=${id}`)).toMatchObject({
      total: 0,
      sums: { post_amount: 0 },
    });
  });

  it('if the parcel list has filters besides the tab, its counts stop at 10,000 and omit sums and tabs unless exact counts are requested', async () => {
    const days = 'created_from=2026-02-28';
    const more = `?goods=%E6%9C%8D%E8%A3%85&${days}`;
    expect(await counted('super', more)).toEqual({
      total: 10_000,
      total_is_capped: 1,
      sums: null,
      tabs: null,
    });
    expect(await counted('super', `${more}&exact=1`)).toMatchObject({
      total: many - 5,
      total_is_capped: 0,
      tabs: { all: many - 5, signed: many - 15 },
    });
    expect(await counted('super', `${more}&tab=awaiting_pickup`)).toMatchObject({
      total: 10,
      total_is_capped: 0,
      sums: { package_count: 20 },
      tabs: null,
    });
    expect(await counted('super', `?goods=%E6%96%87%E4%BB%B6&${days}`)).toMatchObject({
      total: 5,
      sums: { post_amount: 15, weight: 6_500 },
      tabs: { all: 5 },
    });
  });

  it('the parcel list is returned without a total, and does not wait until its parcels are counted', async () => {
    const { data } = await api.call<{ total: null; items: unknown[]; next_cursor: string }>(
      tokens.super,
      'GET',
      '/api/arco/expresses?page_size=2',
    );
    expect(data).toMatchObject({ total: null, total_is_capped: 0, items: [{}, {}] });
  });
});

describe('the tables that store the counts of parcels', () => {
  const stepped = () => counted('super');

  it('the parcel list’s counts and sums follow a parcel’s changes of amount, weight and packages, before and after a roll-up', async () => {
    await api.rows(sql`update expresses set post_amount = post_amount + 7, cal_weight = 2000,
      package_count = 5 where order_id = ${`C${many}`}`);
    const expected = {
      total: many,
      sums: {
        post_amount: whole.sums.post_amount + 7,
        weight: whole.sums.weight + 1_000,
        package_count: whole.sums.package_count + 3,
      },
    };
    expect(await stepped()).toMatchObject(expected);
    await rollUpCounts(api.app);
    expect(await stepped()).toMatchObject(expected);
    await api.rows(sql`update expresses set post_amount = post_amount - 7, cal_weight = null,
      package_count = 2 where order_id = ${`C${many}`}`);
    expect(await stepped()).toMatchObject(whole);
    await rollUpCounts(api.app);
    expect(await stepped()).toMatchObject(whole);
  });

  it('the database refuses to delete rows of express_counts or express_days that are marked as fresh', async () => {
    for (const table of ['express_counts', 'express_days'])
      await expect(
        api.rows(sql`delete from ${sql.table(table)}
        where fresh`),
      ).rejects.toMatchObject({ code: '42501' });
    expect(await stepped()).toMatchObject(whole);
  });

  it('the parcel list’s counts and sums are exact at every moment while parcels change and two roll-ups run at once', async () => {
    // Each change keeps the sums, because one statement takes from one parcel what it gives to
    // another.
    const change = async (): Promise<void> => {
      for (let n = 1; n <= 40; n++)
        await api.rows(sql`update expresses set state_code = case state_code when 100 then 300
          else 100 end,
          post_amount = post_amount + case order_id when ${`C${n}`} then 3 else -3 end
            where order_id in (${`C${n}`}, ${`C${many - n}`})`);
    };
    let changing = true;
    const rollUp = async (): Promise<void> => {
      while (changing) await rollUpCounts(api.app);
    };
    const seen: Counts[] = [];
    const read = async (): Promise<void> => {
      while (changing) seen.push(await stepped());
    };
    await Promise.all([change().finally(() => (changing = false)), rollUp(), rollUp(), read()]);
    expect(seen.length).toBeGreaterThan(2);
    expect(
      seen.filter(
        ({ total, sums }) =>
          JSON.stringify({ total, total_is_capped: 0, sums }) !== JSON.stringify(whole),
      ),
    ).toEqual([]);
    await rollUpCounts(api.app);
    expect(await api.rows(sql`select 1 from express_counts where fresh`)).toEqual([]);
  });
});
