import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leastLaneParcels } from '@waystation/contract/base/limits.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type {
  coverExpress,
  priceExpress,
  quoteExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { sql } from '#platform/db/db.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { offerSf } from '#testing/sf-offer.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

type Quotes = OutputOf<typeof quoteExpress>;
type Coverage = OutputOf<typeof coverExpress>;

let system: TestSystem;
let office: string;
let clerk: ParcelClient;
let merchant: Merchant;

const base = '/api/arco/expresses';
const ask = <T>(method: string, path: string, body?: object) =>
  system.call<T>(office, method, `/api/arco/${path}`, body);
const control = (method: 'POST' | 'DELETE', path: string, body?: unknown) =>
  system.carrier.control(method, path, body);

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  office = await system.login('admin');
  clerk = await parcelClient(system);
  merchant = await offerSf(system, office);
});
afterEach(() => control('DELETE', 'faults'));
afterAll(() => system.close());

const places = {
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
};
const quote = async (changes: object = {}, token = clerk.token): Promise<Quotes> =>
  (
    await system.call<Quotes>(token, 'POST', `${base}/quote`, {
      ...places,
      weight: 4_300,
      ...changes,
    })
  ).data;
let street = 0;
const cover = async (provider: 'jdl' | 'sf', receive_address = `世纪大道${++street}号`) =>
  (
    await system.call<Coverage>(clerk.token, 'POST', `${base}/coverage`, {
      provider,
      ...places,
      sender_address: '科技园1号',
      receive_address,
    })
  ).data;

describe('the offers of several carriers', () => {
  it('a quote contains the products of all carriers in the scheme, and each can be ordered at exactly the quoted price', async () => {
    const { quotes } = await quote();
    expect(new Set(quotes.map(({ provider }) => provider))).toEqual(new Set(['jdl', 'sf']));
    const priced = quotes.filter(({ selectable }) => selectable === 1);
    expect(new Set(priced.map(({ post_amount }) => post_amount)).size).toBeGreaterThan(1);
    const least = Math.min(...priced.map(({ post_amount }) => post_amount!));
    expect(priced.filter(({ cheapest }) => cheapest === 1)).toMatchObject([{ post_amount: least }]);
    for (const { provider, promise_id, post_amount } of priced) {
      const { data } = await clerk.order({ promise_id, expected_amount: post_amount });
      expect(data).toMatchObject({ provider, promise_id, post_amount });
    }
  });

  it.each([
    [1, 'any offer may be chosen'],
    [0, 'only the cheapest may be chosen'],
  ])(
    'an offer whose carrier has no account is not the cheapest, so that the cheapest one that can be ordered is proposed (allow_select %d: %s)',
    async (allow_select) => {
      const [kept] = await rowsOf(
        system,
        sql<{ id: number; allow_select: number }>`select s.id, s.allow_select from stations s
          join expresses e on e.station_id = s.id limit 1`,
      );
      const { id } = kept!;
      const allow = (value: number) =>
        rowsOf(system, sql`update stations set allow_select = ${value} where id = ${id}`);
      const { provider } = (await quote()).quotes.find(({ cheapest }) => cheapest === 1)!;
      const off = await rowsOf(
        system,
        sql<{ id: number }>`update merchants set status = 0
          where provider = ${provider} and status = 1 returning id`,
      );
      await allow(allow_select);
      const { quotes } = await quote();
      await allow(kept!.allow_select);
      await rowsOf(
        system,
        sql`update merchants set status = 1 where id = any(${off.map((row) => row.id)}::bigint[])`,
      );
      const left = quotes.filter((one) => one.provider !== provider);
      const least = Math.min(...left.map(({ post_amount }) => post_amount!));
      expect(quotes.filter(({ cheapest }) => cheapest === 1)).toMatchObject([
        { post_amount: least, selectable: 1 },
      ]);
      for (const { reason } of quotes.filter((one) => one.provider === provider))
        expect(reason).toEqual({ code: 'no_merchant', params: { provider } });
    },
  );

  it('two products with the same code from different carriers cannot be in one freight scheme, because an order contains only the code', async () => {
    const twin = { provider: 'sf', promise_id: 'ed-m-0001' };
    await ask('POST', 'promises', { ...twin, promise_name: '同码', cutoff_time: '' });
    const [id] = await rowsOf(
      system,
      sql<{ id: number }>`with made as (insert into vouchers (name, provider, promise_id, weight)
          select '同码', 'sf', promise_id, weight from vouchers where promise_id = 'ed-m-0001'
          limit 1 returning id, weight)
        insert into voucher_versions (voucher_id, no, valid_from, weight)
          select id, 1, now(), weight from made returning voucher_id as id`,
    );
    const { data } = await ask<{ items: { id: number }[] }>('GET', 'projects');
    const path = `projects/${data.items[0]!.id}`;
    const scheme = await ask<{ version: number; vouchers: { voucher_id: number }[] }>('GET', path);
    const refused = await ask<{ fields: object }>('PATCH', path, {
      version: scheme.data.version,
      voucher_ids: [...scheme.data.vouchers.map(({ voucher_id }) => voucher_id), id!.id],
    });
    expect(refused.data.fields).toEqual({
      voucher_ids: { code: 'promise_twice', params: { promise_id: 'ed-m-0001' } },
    });
  });
});

describe('the delivery times of several carriers', () => {
  it('the coverage of each carrier shows the arrival times of that carrier’s products', async () => {
    for (const [provider, promise_id] of [
      ['jdl', 'ed-m-0001'],
      ['sf', '2'],
    ] as const)
      expect(await cover(provider)).toMatchObject({
        result: 'reachable',
        reason: null,
        products: expect.arrayContaining([
          { promise_id, delivery_promise_at: expect.stringMatching(/^20/) },
        ]),
      });
  });

  it('if one carrier does not answer a coverage request, its coverage is unknown, its prices are kept, and other carriers still answer', async () => {
    await control('POST', 'faults', {
      kind: 'error_before',
      path: 'EXP_RECE_FILTER_ORDER_BSP',
      times: 10,
    });
    expect(await cover('sf')).toMatchObject({
      result: 'unknown',
      reason: { code: 'carrier_silent', params: { provider: 'sf' } },
      products: [],
    });
    expect(await cover('jdl')).toMatchObject({ result: 'reachable', reason: null });
    const { quotes } = await quote();
    expect(quotes.filter(({ provider }) => provider === 'sf')).toMatchObject([{ selectable: 1 }]);
  });

  it('coverage requests that a slow carrier does not answer leave room for requests to other carriers', async () => {
    await control('POST', 'faults', {
      kind: 'slow_before',
      path: 'EXP_RECE_FILTER_ORDER_BSP',
      times: 4,
      ms: 6_000,
    });
    const slow = Array.from({ length: 4 }, () => cover('sf'));
    await eventually(async () => {
      const { queue } = await system.carrier.control<{ queue: unknown[] }>('GET', 'faults');
      return queue.length === 0;
    });
    // A fifth request is not sent to the slow carrier, and has no reason that blames the carrier.
    expect(await cover('sf')).toMatchObject({ result: 'unknown', reason: null });
    expect(await cover('jdl')).toMatchObject({ result: 'reachable' });
    for (const answer of await Promise.all(slow))
      expect(answer).toMatchObject({ result: 'unknown', reason: { code: 'carrier_silent' } });
  });

  it('the coverage of a carrier whose account is paused is unknown, with a reason that names the carrier', async () => {
    await rowsOf(system, sql`update merchants set paused_at = now() where id = ${merchant.id}`);
    expect(await cover('sf')).toMatchObject({
      result: 'unknown',
      reason: { code: 'carrier_calls_paused', params: { provider: 'sf' } },
    });
    await rowsOf(system, sql`update merchants set paused_at = null where id = ${merchant.id}`);
  });
});

describe('the average time and on-time rate of products on a lane', () => {
  const laneOf = async (promise_id: string, changes: object = {}, token?: string) =>
    (await quote(changes, token)).quotes.find((one) => one.promise_id === promise_id)!.lane;
  const rollUp = () => rowsOf(system, sql`select express_uses_roll_up()`);
  /** Adds parcels of a station in one state that were promised for the day before yesterday. */
  const add = (
    station_id: number,
    count: number,
    {
      state = 300,
      signed = '-50 hours',
      city = '深圳市',
    }: { state?: number; signed?: string | null; city?: string } = {},
  ) =>
    rowsOf(
      system,
      sql`insert into expresses (station_id, user_id, order_id, provider, promise_id,
          sender_city, receive_province, state_code, created_at, ordered_at, signed_at,
          promised_at)
        select ${station_id}::bigint, u.user_id, 'LANE' || ${++lane} || '-' || n, 'jdl', 'ed-m-0001',
          ${city}, '上海市', ${state}::smallint, now() - interval '98 hours',
          now() - interval '98 hours', now() + ${signed}::interval, now() - interval '49 hours'
        from (select user_id from expresses limit 1) u, generate_series(1, ${count}::int) n`,
    );
  let lane = 0;
  let own: number;
  let others: number[];

  beforeAll(async () => {
    await clerk.order();
    const [first] = await rowsOf(
      system,
      sql<{ station_id: number }>`select station_id from expresses limit 1`,
    );
    own = first!.station_id;
    const { data } = await ask<{ items: { id: number }[] }>('GET', 'stations?page_size=50');
    others = data.items.map(({ id }) => id).filter((id) => id !== own);
    for (let no = others.length; no < 4; no++) {
      const made = await ask<{ id: number }>('POST', 'stations', { name: `线路网点${no}` });
      others.push(made.data.id);
    }
  });

  it('a lane shows its average hours and on-time rate if it has at least twenty parcels of the same places and product', async () => {
    await add(own, leastLaneParcels - 1);
    expect(await laneOf('ed-m-0001')).toBeNull();
    await add(own, 1);
    const shown = { of: 'own', average_hours: 48, on_time_rate: 10_000 };
    expect(await laneOf('ed-m-0001')).toEqual(shown);
    await rollUp();
    expect(await laneOf('ed-m-0001')).toEqual(shown);
    expect(await laneOf('2')).toBeNull();
    expect(await laneOf('ed-m-0001', { sender_city: '广州市' })).toBeNull();
    expect(
      await laneOf('ed-m-0001', {
        receive_province: '北京市',
        receive_city: '北京市',
        receive_county: '朝阳区',
      }),
    ).toBeNull();
  });

  it('a lane’s on-time rate counts late, returned and lost parcels as not in time when their promised day has passed', async () => {
    // Twenty parcels are delivered in time, and twenty are not.
    await add(own, 10, { state: 210, signed: null });
    await add(own, 5, { state: 420, signed: '-60 hours' });
    await add(own, 5, { state: 400, signed: null });
    expect(await laneOf('ed-m-0001')).toEqual({
      of: 'own',
      average_hours: 48,
      on_time_rate: 5_000,
    });
    // Cancelled parcels have no promise.
    await add(own, 5, { state: 500, signed: null });
    expect(await laneOf('ed-m-0001')).toMatchObject({ on_time_rate: 5_000 });
    await rollUp();
    const wrong = (await inconsistencies(system)).filter((words) => words.startsWith('lane'));
    expect(wrong).toEqual([]);
  });

  it('other stations’ parcels count in a lane’s figures only if three stations use it and none has more than half of the parcels', async () => {
    const city = '珠海市';
    const network = () => laneOf('ed-m-0001', { sender_city: city });
    await add(others[0]!, 30, { city });
    expect(await network()).toBeNull();
    await add(others[1]!, 30, { city });
    expect(await network()).toBeNull();
    await add(others[2]!, 2, { city });
    // Three stations use the lane. Two of them have nearly all parcels, but none has more than
    // half.
    expect(await network()).toEqual({ of: 'network', average_hours: 48, on_time_rate: 10_000 });
    await add(others[0]!, 10, { city });
    expect(await network()).toBeNull();
    // A station can always see the figures of its own parcels.
    await add(own, leastLaneParcels, { state: 210, signed: null, city });
    expect(await network()).toEqual({ of: 'own', average_hours: null, on_time_rate: 0 });
    // Administrators can read every parcel, so there is no limit for them.
    expect(await laneOf('ed-m-0001', { station_id: own, sender_city: city }, office)).toEqual({
      of: 'network',
      average_hours: 48,
      on_time_rate: 7_800,
    });
  });

  it('a lane’s on-time rate is rounded to a whole per cent, so that it does not reveal how many parcels other stations have', async () => {
    const city = '佛山市';
    for (const id of others.slice(0, 4)) await add(id, 5, { city });
    await add(own, 1, { state: 210, signed: null, city });
    // Twenty of twenty-one parcels are 95.24 %.
    expect(await laneOf('ed-m-0001', { sender_city: city })).toEqual({
      of: 'network',
      average_hours: 48,
      on_time_rate: 9_500,
    });
  });

  it('the roll-up of a lane removes its sums of all days before the last sixty days', async () => {
    const days = async () =>
      (
        await rowsOf(
          system,
          sql<{ days: number }>`select count(distinct day)::integer as days from express_lanes
            where lane = express_lane_key('jdl', 'ed-m-0001', '深圳市', '上海市')`,
        )
      )[0]!.days;
    await rollUp();
    const before = await days();
    await rowsOf(
      system,
      sql`insert into express_lanes select station_id, lane, day - 100, signed, minutes, due,
        on_time, false from express_lanes`,
    );
    expect(await days()).toBe(before * 2);
    await add(own, 1);
    await rollUp();
    expect(await days()).toBe(before);
  });
});

describe('why the rule chose a product', () => {
  it('an ordered parcel shows why a rule chose its product, and shows no reason if a person chose the product', async () => {
    const path = `stations/${system.station('nanshan').id}`;
    const { data } = await ask<{ version: number }>('GET', path);
    const rule = { offer_rule: 'preferred', offer_carriers: { default: 'sf' }, allow_select: 1 };
    expect((await ask('PATCH', path, { version: data.version, ...rule })).status).toBe(200);
    const product = { promise_id: '2' };
    const rules = { by_rule: 1 };
    const submit = async (id: number, action: string, how = {}) => {
      const key = { 'idempotency-key': `chosen-${id}-${action}` };
      const call = `${base}/${id}/${action}`;
      const answer = await system.call({ token: clerk.token, headers: key }, 'POST', call, how);
      expect(answer.status).toBe(200);
      const prices = await ask<OutputOf<typeof priceExpress>>('GET', `expresses/${id}/price`);
      return prices.data.pricings.at(-1)!.choice?.because;
    };
    const draft = async () => (await clerk.order({ draft: 1, ...product })).data.id;
    expect(await submit(await draft(), 'order', rules)).toBe('preferred');
    expect(await submit(await draft(), 'order')).toBeUndefined();
    const refused = async (how: object) => {
      const fault = { kind: 'refuse', path: 'EXP_RECE_CREATE_ORDER', code: 8057, message: '停用' };
      await control('POST', 'faults', fault);
      const { id } = (await clerk.order({ ...product, ...how })).data;
      return (await clerk.until(id, 90)).id;
    };
    expect(await submit(await refused(rules), 'retry')).toBe('preferred');
    expect(await submit(await refused({}), 'retry')).toBeUndefined();
    const edited = await refused(rules);
    const { version } = await clerk.get(edited);
    expect((await clerk.edit(edited, { version, remark: '轻放' })).status).toBe(200);
    expect(await submit(edited, 'retry')).toBeUndefined();
  });
});
