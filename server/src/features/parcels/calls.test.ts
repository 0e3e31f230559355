import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { mostCoverageQuestions } from '@waystation/contract/base/limits.ts';
import type { MerchantCall } from '@waystation/contract/network/merchant.ts';
import type { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import { sql } from '#platform/db/db.ts';
import {
  creates,
  failNextOrder,
  failureOf,
  carrierRequests,
  parcelClient,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

const base = '/api/arco/expresses';
let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

it('administrators see the carrier calls of a parcel, newest first and with masked phones, and other roles see none', async () => {
  const ordered = async () =>
    clerk.until((await clerk.order({ receive_phone: '13911112222' })).data.id, 100);
  const [parcel, other] = [await ordered(), await ordered()];
  const read = (token: string, id: number) =>
    system.call<{ items: MerchantCall[] }>(token, 'GET', `/api/arco/expresses/${id}/calls`);
  const { data } = await read(await system.login('admin'), parcel.id);
  expect(data.items.length).toBeGreaterThan(0);
  expect(data.items.map(({ operation }) => operation)).toContain('create');
  expect(
    data.items.every(
      ({ express_id, order_id }) => express_id === parcel.id && order_id === parcel.order_id,
    ),
  ).toBe(true);
  expect(data.items.map(({ id }) => id)).toEqual(
    data.items.map(({ id }) => id).toSorted((a, b) => b - a),
  );
  expect(JSON.stringify(data)).not.toMatch(/13911112222|app_secret/);
  expect(
    (await read(await system.login('super'), other.id)).data.items.some(
      ({ express_id }) => express_id === parcel.id,
    ),
  ).toBe(false);
  for (const token of [clerk.token, await system.login('station'), await system.login('partner')])
    expect((await read(token, parcel.id)).status).toBe(403);
});

/** Adds a second enabled account with the same carrier, and returns its customer code. */
const secondAccount = async (): Promise<string> => {
  await rowsOf(
    system,
    sql`insert into merchants (name, provider, customer_code, base_url, app_key, app_secret,
      access_token, warehouse_code)
    select 'second', provider, '010K000002', base_url, app_key, app_secret, access_token,
      warehouse_code from merchants where is_default = 1`,
  );
  return '010K000002';
};

it('only administrators can choose the carrier account of a quote, order or draft, and a parcel ordered again keeps its account', async () => {
  const spare = await secondAccount();
  const own = (await clerk.order()).data;
  const { station_id } = own;
  const other = await parcelClient(system, 'super');
  const order = exampleOrder({ station_id: station_id, customer_code: spare });
  expect(failureOf(await clerk.order({ customer_code: spare }))).toMatchObject({
    fields: { customer_code: { code: 'field_not_yours' } },
  });
  expect((await other.get(own.id)).customer_code).not.toBe(spare);
  await failNextOrder(system, { kind: 'refuse', message: '暂不接单' });
  const { data } = await other.order(order);
  expect(await other.until(data.id, 90)).toMatchObject({ customer_code: spare });
  // The parcel keeps the chosen account when another user orders it again.
  await (await parcelClient(system, 'station')).act(data.id, 'retry');
  const sent = await eventually(async () => {
    const found = await creates(system, data.order_id);
    return found.length > 1 ? found : null;
  });
  expect(
    sent.map(({ body }) => (JSON.parse(body) as [{ customerCode: string }])[0].customerCode),
  ).toEqual([spare, spare]);
  expect(await other.get(data.id)).toMatchObject({ customer_code: spare });
  expect(failureOf(await other.order({ ...order, customer_code: 'nobody' }))).toMatchObject({
    fields: { customer_code: { code: 'merchant_unknown' } },
  });
  const draft = await other.order({ ...order, draft: 1 });
  const { data: plain } = await other.edit(draft.data.id, {
    version: draft.data.version,
    customer_code: '',
  });
  expect([draft.data.customer_code, plain.customer_code]).toEqual([spare, '']);
  const { data: quoted } = await system.call<{ quotes: { customer_code: string }[] }>(
    other.token,
    'POST',
    `${base}/quote`,
    order,
  );
  expect(quoted.quotes[0]!.customer_code).toBe(spare);
  const { data: offered } = await system.call<{ accounts?: object[] }>(
    other.token,
    'GET',
    `${base}/options?station_id=${station_id}`,
  );
  expect(offered.accounts).toHaveLength(2);
  expect(
    (await system.call<{ accounts?: object[] }>(clerk.token, 'GET', `${base}/options`)).data
      .accounts,
  ).toBeUndefined();
});

it('administrators see the carrier account chosen for a failed parcel, and can clear this choice so that the station’s account is used', async () => {
  const { station_id, customer_code: usual } = await (
    await parcelClient(system, 'super')
  ).get((await clerk.order()).data.id);
  const office = await parcelClient(system, 'super');
  await failNextOrder(system, { kind: 'refuse', message: '暂不接单' });
  const { data } = await office.order(exampleOrder({ station_id, customer_code: '010K000002' }));
  const failed = await office.until(data.id, 90);
  expect(failed).toMatchObject({ customer_code: '010K000002', chosen_code: '010K000002' });
  expect(await (await parcelClient(system, 'station')).get(data.id)).not.toHaveProperty(
    'chosen_code',
  );
  const { data: plain } = await office.edit(data.id, {
    version: failed.version,
    customer_code: '',
  });
  expect(plain).toMatchObject({ state_code: 90, customer_code: usual, chosen_code: '' });
  await office.act(data.id, 'retry');
  expect(await office.until(data.id, 100)).toMatchObject({ customer_code: usual, chosen_code: '' });
});

it('the error about a draft’s disabled carrier account shows the account’s code only to administrators', async () => {
  const { station_id } = (await clerk.order()).data;
  const office = await parcelClient(system, 'super');
  const { data: draft } = await office.order({ station_id, customer_code: '010K000002', draft: 1 });
  const setStatus = (status: 0 | 1) =>
    rowsOf(
      system,
      sql`update merchants
    set status = ${status} where customer_code = '010K000002'`,
    );
  await setStatus(0);
  const answer = await (await parcelClient(system, 'station')).act(draft.id, 'order');
  expect([answer.status, failureOf(answer).code]).toEqual([422, 'chosen_account_unavailable']);
  expect(JSON.stringify(answer)).not.toContain('010K000002');
  expect(failureOf(await office.act(draft.id, 'order'))).toMatchObject({
    fields: {
      customer_code: { code: 'merchant_unknown', params: { customer_code: '010K000002' } },
    },
  });
  const { data: freed } = await office.edit(draft.id, {
    version: draft.version,
    customer_code: '',
  });
  expect((await (await parcelClient(system, 'station')).act(freed.id, 'order')).status).toBe(200);
  await setStatus(1);
});

it('only administrators may choose a carrier account in an edit or a quote of an ordered parcel, even the same account', async () => {
  const office = await parcelClient(system, 'super');
  const { station_id } = (await clerk.order()).data;
  const station = await parcelClient(system, 'station');
  const parcel = await office.until(
    (await office.order(exampleOrder({ station_id, customer_code: '010K000001' }))).data.id,
    100,
  );
  const notYours = { fields: { customer_code: { code: 'field_not_yours' } } };
  for (const customer_code of ['010K000001', '010K000002', '']) {
    expect(
      failureOf(await station.edit(parcel.id, { version: parcel.version, customer_code })),
      customer_code,
    ).toMatchObject(notYours);
    const { weight, sender_province, sender_city, receive_province, receive_city } = parcel;
    const question = {
      express_id: parcel.id,
      customer_code,
      weight,
      sender_province,
      sender_city,
      receive_province,
      receive_city,
    };
    expect(
      failureOf(await system.call(station.token, 'POST', `${base}/quote`, question)),
      customer_code,
    ).toMatchObject(notYours);
  }
  expect(
    failureOf(await office.edit(parcel.id, { version: parcel.version, customer_code: '' })),
  ).toMatchObject({ code: 'state_forbids' });
});

describe('coverage requests before ordering', () => {
  const places = {
    provider: 'jdl',
    sender_province: '广东省',
    sender_city: '深圳市',
    sender_county: '南山区',
    sender_address: '科技园1号',
    receive_province: '上海市',
    receive_city: '上海市',
    receive_county: '浦东新区',
  };
  const cover = async (receive_address: string, counter = clerk) =>
    (
      await system.call<object>(counter.token, 'POST', `${base}/coverage`, {
        ...places,
        receive_address,
      })
    ).data;

  it('simultaneous coverage requests for the same two places call the carrier once, for service, stations and arrival times', async () => {
    const answers = await Promise.all([cover('世纪大道100号'), cover('世纪大道100号')]);
    expect(answers[0]).toEqual({
      result: 'reachable',
      text: '',
      reason: null,
      start_station_name: expect.stringMatching(/./),
      end_station_name: expect.stringMatching(/./),
      products: expect.arrayContaining([
        { promise_id: 'ed-m-0001', delivery_promise_at: expect.stringMatching(/^20/) },
      ]),
      pickup_windows: expect.arrayContaining([
        {
          starts_at: expect.stringMatching(/^20/),
          ends_at: expect.stringMatching(/^20/),
          history: null,
        },
      ]),
    });
    expect(answers[1]).toEqual(answers[0]);
    expect((await carrierRequests(system, 'precheck')).length).toBe(1);
  });

  it('a stored coverage answer is no longer used when one of its pickup windows has passed', async () => {
    const ask = (fresh: 0 | 1) =>
      system.call<object>(clerk.token, 'POST', `${base}/coverage`, {
        ...places,
        receive_address: '世纪大道200号',
        fresh,
      });
    await ask(0);
    const before = (await carrierRequests(system, 'precheck')).length;
    await ask(0);
    expect((await carrierRequests(system, 'precheck')).length).toBe(before);
    await ask(1);
    expect((await carrierRequests(system, 'precheck')).length).toBe(before + 1);
  });

  it('a coverage answer shows how often the carrier kept each pickup window at this station, and this figure is cached for two minutes', async () => {
    const ask = async (): Promise<{
      starts_at: string;
      ends_at: string;
      history: object | null;
    }> => {
      const { data } = await system.call<OutputOf<typeof coverExpress>>(
        clerk.token,
        'POST',
        `${base}/coverage`,
        { ...places, receive_address: '世纪大道250号' },
      );
      return data.pickup_windows!.at(-1)!;
    };
    const { starts_at, ends_at, history } = await ask();
    expect(history).toBeNull();
    // The parcels are from ten days ago, so that their pickup windows have passed completely.
    const moved = sql`interval '10 days'`;
    for (const [station, minutes] of [
      ['nanshan', -5],
      ['tianhe', 90],
    ] as const)
      await rowsOf(
        system,
        sql`insert into expresses (station_id, user_id, order_id, provider, state_code, created_at,
          ordered_at, pickup_from, pickup_until, picked_up_at)
          select ${system.station(station).id}::bigint, (select id from accounts
              where username = 'clerk'), 'H' || ${station}::text || n, 'jdl', 200,
            ${starts_at}::timestamptz - ${moved}, ${starts_at}::timestamptz - ${moved},
            ${starts_at}::timestamptz - ${moved}, ${ends_at}::timestamptz - ${moved},
            ${ends_at}::timestamptz - ${moved} + ${minutes}::int * interval '1 minute'
          from generate_series(1, 12) n`,
      );
    expect((await ask()).history).toBeNull();
    const later = vi
      .spyOn(system.app.clock, 'now')
      .mockImplementation(() => new Date(Date.now() + 121_000));
    try {
      for (const window of [await ask(), await ask()])
        expect(window.history).toEqual({ kept: 12, missed: 0 });
    } finally {
      later.mockRestore();
    }
  });

  it('if the carrier does not serve a place, the coverage is “out of area” or “suspended” and contains the carrier’s text', async () => {
    expect(await cover('超区路1号')).toMatchObject({
      result: 'out_of_area',
      text: expect.stringContaining('超区'),
      products: [],
    });
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/precheck',
      message: '该地区暂停收寄',
    });
    expect(await cover('世纪大道300号')).toMatchObject({
      result: 'suspended',
      text: '该地区暂停收寄',
    });
  });

  it('if the carrier refuses coverage for a reason other than the address, its text is shown and the answer is not cached', async () => {
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/precheck',
      message: '商家合同已到期',
    });
    expect(await cover('世纪大道350号')).toMatchObject({
      result: 'refused',
      text: '商家合同已到期',
      products: [],
    });
    expect(await cover('世纪大道350号')).toMatchObject({ result: 'reachable' });
  });

  it('coverage is “unknown” if the carrier does not answer, and the next request asks the carrier again', async () => {
    await system.carrier.control('POST', 'faults', {
      kind: 'error_before',
      path: '/ecap/v1/orders/precheck',
    });
    expect(await cover('世纪大道400号')).toMatchObject({ result: 'unknown' });
    expect(await cover('世纪大道400号')).toMatchObject({ result: 'reachable' });
  });

  it('coverage is unknown, and is not requested from another account, if the chosen carrier account is unavailable', async () => {
    const office = await parcelClient(system, 'super');
    const asked = (await carrierRequests(system, 'precheck')).length;
    const question = {
      ...places,
      station_id: (await clerk.order()).data.station_id,
      receive_address: '世纪大道500号',
      customer_code: 'nobody',
    };
    expect(
      (await system.call<object>(office.token, 'POST', `${base}/coverage`, question)).data,
    ).toMatchObject({ result: 'unknown' });
    expect((await carrierRequests(system, 'precheck')).length).toBe(asked);
  });

  it('a user’s coverage requests are limited per ten minutes: above the limit new places are unknown, for this user only', async () => {
    const station = await parcelClient(system, 'station');
    expect(await cover('世纪大道600号', station)).toMatchObject({ result: 'reachable' });
    const asked = async (): Promise<number> => (await carrierRequests(system, 'precheck')).length;
    const before = await asked();
    for (let no = 1; no < mostCoverageQuestions; no++)
      await cover(`世纪大道${600 + no}号`, station);
    expect(await asked()).toBe(before + mostCoverageQuestions - 1);
    expect(await cover('世纪大道1000号', station)).toMatchObject({ result: 'unknown' });
    expect(await asked()).toBe(before + mostCoverageQuestions - 1);
    expect(await cover('世纪大道600号', station)).toMatchObject({ result: 'reachable' });
    expect(await cover('世纪大道1000号')).toMatchObject({ result: 'reachable' });
  });
});
