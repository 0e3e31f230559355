import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { addDays } from '#platform/clock.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import { sql } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { list } from './list.ts';

let api: TestApi;
let tokens: Tokens;
let light: Express;
let heavy: Express;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  const draft = async (fields: object): Promise<Express> =>
    (
      await api.call<Express>(
        tokens.clerk,
        'POST',
        '/api/arco/expresses',
        exampleOrder({ draft: 1, ...fields }),
      )
    ).data;
  light = await draft({ goods: '文件', guarantee_value_amount: 0, thr_order_id: 'light' });
  heavy = await draft({ goods: '箱子', guarantee_value_amount: 50_000, thr_order_id: 'heavy' });
  const [{ voucher_id, project_id, merchant_id }] = (await api.rows(
    sql`select (select min(id) from vouchers) as voucher_id,
      (select min(id) from projects) as project_id,
      (select min(id) from merchants) as merchant_id`,
  )) as [{ voucher_id: number; project_id: number; merchant_id: number }];
  // Sets the columns of a priced, weighed and cancelled parcel as the worker does: declared 4.3 kg,
  // weighed 5.2 kg.
  await api.rows(sql`update expresses set voucher_id = ${voucher_id},
    project_id = ${project_id}, merchant_id = ${merchant_id}, post_amount = 1970,
    jd_weight = weight + 900, cancel_uid = user_id,
      pre_sort_result = '{"start_station_name": "南山", "end_station_name": "浦东", "end_road_area": "A1"}'
      where id = ${heavy.id}`);
  heavy = (await api.call<Express>(tokens.clerk, 'GET', `/api/arco/expresses/${heavy.id}`)).data;
});
afterAll(() => api.close());

/** A range from the day before the test parcels were created to the day after. */
const days = (): string => {
  const around = (count: number): string => addDays(light.created_at.slice(0, 10), count);
  return `created_from=${around(-1)}&created_to=${around(1)}`;
};
const found = async (query: string, token = tokens.super): Promise<number[]> => {
  const { status, data } = await api.call<{ items: Express[] }>(
    token,
    'GET',
    `/api/arco/expresses?${query}&${days()}`,
  );
  expect(status).toBe(200);
  return data.items.map(({ id }) => id).toSorted((a, b) => a - b);
};

describe('the parcel list (requirements §10.15)', () => {
  it('the parcel list can be filtered by user, scheme, template, goods and insurance', async () => {
    const both = [light.id, heavy.id];
    expect(await found(`user_id=${light.user_id}`)).toEqual(both);
    expect(await found(`user_id=${light.user_id + 1_000}`)).toEqual([]);
    expect(await found(`project_id=${heavy.project_id}`)).toEqual([heavy.id]);
    expect(await found(`voucher_id=${heavy.voucher_id}`)).toEqual([heavy.id]);
    expect(await found(`goods=${encodeURIComponent('箱子')}`)).toEqual([heavy.id]);
    expect(await found('insured=1')).toEqual([heavy.id]);
    expect(await found('insured=0')).toEqual([light.id]);
  });

  it.each([
    'sort=-post_amount',
    'sort=state_code',
    'goods=x',
    'voucher_id=1',
    'insured=1',
    'printed=1',
    'weight_difference=100',
    'post_amount_from=1',
  ])(
    'a list sorted or filtered by a column without an index (%s) needs a range of 31 days of creation, and so do its counts',
    async (query) => {
      const ask = async (range: string, path = '') => {
        const { status, data } = await api.call<{ fields?: object }>(
          tokens.super,
          'GET',
          `/api/arco/expresses${path}?${query}${range}`,
        );
        return status === 200 ? 200 : data.fields;
      };
      const refused = { created_from: { code: 'days_required', params: { days: 31 } } };
      expect(await ask('')).toEqual(refused);
      expect(await ask('&created_from=2026-01-30')).toEqual(refused);
      expect(await ask('&created_from=2026-01-31')).toBe(200);
      expect(await ask('&created_to=2026-01-31')).toEqual(refused);
      expect(await ask('&created_from=2025-01-01&created_to=2025-01-31')).toBe(200);
      expect(await ask('&created_from=2025-01-01&created_to=2025-02-01')).toEqual(refused);
      expect(await ask('&q=JDVE1')).toBe(200);
      if (!query.startsWith('sort')) expect(await ask('', '/counts')).toEqual(refused);
    },
  );

  it('the parcel list needs no range of days for need_retry=1 or an unsorted search, but needs one for need_retry=0 or a sorted search', async () => {
    const ask = async (query: string) =>
      (await api.call<{ fields?: object }>(tokens.super, 'GET', `/api/arco/expresses?${query}`))
        .data.fields;
    const refused = { created_from: { code: 'days_required', params: { days: 31 } } };
    for (const sort of ['', '&sort=-post_amount']) {
      expect(await ask(`need_retry=1${sort}`)).toBeUndefined();
      expect(await ask(`need_retry=0${sort}`)).toEqual(refused);
      expect(await ask(`need_retry=0&created_from=2026-01-31${sort}`)).toBeUndefined();
    }
    expect(await ask(`q=${encodeURIComponent('，')}`)).toBeUndefined();
    expect(await ask(`q=${encodeURIComponent('，')}&sort=-post_amount`)).toEqual(refused);
  });

  it('listing parcels by the state they entered requires a range of at most 31 days', async () => {
    const ask = async (range: string) =>
      (
        await api.call<{ fields?: object }>(
          tokens.super,
          'GET',
          `/api/arco/expresses?arrived=signed_for${range}`,
        )
      ).data.fields;
    const refused = { arrived_from: { code: 'days_required', params: { days: 31 } } };
    expect(await ask('')).toEqual(refused);
    expect(await ask('&created_from=2026-02-20')).toEqual(refused);
    expect(await ask('&arrived_from=2025-01-01&arrived_to=2025-02-01')).toEqual(refused);
    expect(await ask('&arrived_from=2025-01-01&arrived_to=2025-01-31')).toBeUndefined();
    expect(await ask('&arrived_from=2026-01-31')).toBeUndefined();
  });

  it('an export of parcels that was started with a valid range of days continues after midnight', async () => {
    const actor = (await actorOfAccount(api.app.db, 1))!;
    const filters = { sort: 'post_amount', created_from: '2026-01-30', page_size: 20 };
    await expect(list(api.app, actor, filters)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(list(api.app, actor, uncounted(filters))).resolves.toMatchObject({
      next_cursor: null,
    });
  });

  it('the list of parcels that are still to be printed needs no range of days', async () => {
    for (const tab of ['tab=awaiting_pickup', 'state_code=100'])
      expect(
        (await api.call(tokens.super, 'GET', `/api/arco/expresses?${tab}&printed=0`)).status,
      ).toBe(200);
  });

  it('the amount and weight-difference filters of the parcel list include the given limit values', async () => {
    expect(await found('post_amount_from=1970&post_amount_to=1970')).toEqual([heavy.id]);
    expect(await found('post_amount_from=1971')).toEqual([]);
    expect(await found('post_amount_to=1969')).toEqual([]);
    expect(await found('weight_difference=900')).toEqual([heavy.id]);
    expect(await found('weight_difference=901')).toEqual([]);
  });

  it('only administrators can filter the parcel list by carrier account', async () => {
    const [{ id }] = (await api.rows(sql`select merchant_id as id from expresses
      where id = ${heavy.id}`)) as [{ id: number }];
    expect(await found(`merchant_id=${id}`)).toEqual([heavy.id]);
    for (const token of [tokens.partner, tokens.station, tokens.clerk]) {
      const { status, data } = await api.call<{ fields: object }>(
        token,
        'GET',
        `/api/arco/expresses?merchant_id=${id}`,
      );
      expect({ status, fields: data.fields }).toEqual({
        status: 422,
        fields: { merchant_id: { code: 'field_not_yours' } },
      });
    }
  });

  it('the parcel list returns the names of users, scheme and template in addition to their ids', async () => {
    const names = [
      'cancel_nickname',
      'print_nickname',
      'project_name',
      'voucher_name',
      'pre_sort_result',
    ];
    const { items } = (
      await api.call<{ items: Express[] }>(
        tokens.clerk,
        'GET',
        `/api/arco/expresses?q=${heavy.order_id}&voucher_id=${heavy.voucher_id}&fields=${names.join(',')}`,
      )
    ).data;
    const [stored] = await api.rows(sql`select a.nickname as cancel_nickname,
      p.name as project_name, v.name as voucher_name
      from expresses e join accounts a on a.id = e.cancel_uid
        join projects p on p.id = e.project_id join vouchers v on v.id = e.voucher_id
        where e.id = ${heavy.id}`);
    expect(items[0]).toMatchObject({
      ...(stored as object),
      print_nickname: null,
      pre_sort_result: { end_station_name: '浦东' },
    });
    expect(heavy).toMatchObject(stored as object);
  });
});
