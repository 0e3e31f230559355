import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient, creates, failureOf, holdsOf } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let partner: ParcelClient;
/** Each test has its own station without money: a copy of the station Tianhe of the demo. */
let station: number;
let copies = 0;
beforeAll(async () => {
  system = await openTestSystem();
});
beforeEach(async () => {
  const like = system.station('tianhe').id;
  const [made] = await rowsOf(
    system,
    sql<{ id: number }>`insert into stations (name, parent_id, province, city, county,
      address, discount, project_id, sender_name, sender_phone)
    select name || ${String(++copies)}, parent_id, province, city, county, address, discount,
      project_id, sender_name, sender_phone from stations where id = ${like} returning id`,
  );
  station = made!.id;
  partner = await parcelClient(system, 'partner');
});
afterAll(() => system.close());

const topUp = async (amount: number): Promise<void> => {
  const admin = await system.login('admin');
  const { status } = await system.call(
    {
      token: admin,
      headers: { 'idempotency-key': `top-up-${station}-${amount}-${Math.random()}` },
    },
    'POST',
    `/api/arco/stations/${station}/top-ups`,
    { amount },
  );
  expect(status).toBe(200);
};
/**
 * A parcel from Guangzhou to Shanghai at a discount of 8.8 折: 10.56 yuan for the first kilogram and
 * 1.94 yuan for each further kilogram.
 */
const kg = (kilograms: number, more: Record<string, unknown> = {}) =>
  partner.order({ station_id: station, weight: kilograms * 1_000, ...more });
const states = async (parcels: Express[]): Promise<number[]> =>
  (await Promise.all(parcels.map(({ id }) => partner.get(id)))).map(({ state_code }) => state_code);
const eventuallyIn = (parcels: Express[], expected: number[]) =>
  eventually(async () => JSON.stringify(await states(parcels)) === JSON.stringify(expected));
const untilReleased = async (): Promise<void> => {
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from graphile_worker._private_jobs
        where key like 'release_on_hold:%' or key like 'send_order:%'`,
        )
      ).length === 0,
  );
};
const held = async (...kilograms: number[]): Promise<Express[]> => {
  const parcels: Express[] = [];
  for (const one of kilograms) parcels.push((await kg(one)).data);
  expect(parcels.map(({ state_code }) => state_code)).toEqual(kilograms.map(() => 10));
  return parcels;
};

describe('an order above the available balance', () => {
  it('an order whose price is above the available balance waits on hold with the missing amount; no money is held and no carrier is called', async () => {
    await topUp(1_000);
    const { data } = await kg(1);
    expect(data).toMatchObject({
      state_code: 10,
      state_txt: '暂挂',
      post_amount: 1_056,
      delivery_id: null,
      state_reason: { code: 'balance_too_low', params: { missing_amount: 56 } },
    });
    expect(data.state_remark).toContain('0.56');
    expect(await holdsOf(system, data.id)).toEqual([]);
    expect(await creates(system, data.order_id)).toEqual([]);
  });

  it('if the balance covers three of ten concurrent orders, the prices of three orders are held and the other seven wait on hold', async () => {
    await topUp(3_500);
    const ordered = await Promise.all(Array.from({ length: 10 }, () => kg(1)));
    expect(ordered.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const waiting = await Promise.all(
      ordered.filter(({ data }) => data.state_code === 10).map(({ data }) => partner.get(data.id)),
    );
    expect(
      waiting
        .map(({ state_reason }) => state_reason?.params?.['missing_amount'] as number)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 7 }, (_, ahead) => 724 + ahead * 1_056));
    const holds = (await Promise.all(ordered.map(({ data }) => holdsOf(system, data.id)))).flat();
    expect(holds.map(({ amount }) => amount)).toEqual([1_056, 1_056, 1_056]);
    await untilReleased();
  });

  it('an order of a post-paid station is placed immediately although its price is above the available balance', async () => {
    await rowsOf(system, sql`update stations set has_amount = 0 where id = ${station}`);
    const { data } = await kg(1);
    expect(data.state_code).toBe(100);
    expect(
      await rowsOf(
        system,
        sql`select available from stations
      where id = ${station}`,
      ),
    ).toEqual([{ available: -1_056 }]);
  });

  it('an order waits on hold if the balance covers its price only together with the reserve', async () => {
    await topUp(1_500);
    await rowsOf(system, sql`update stations set fixed_freeze = 600 where id = ${station}`);
    expect((await kg(1)).data).toMatchObject({
      state_code: 10,
      state_reason: { params: { missing_amount: 156 } },
    });
  });
});

describe('a top-up of a station with parcels on hold', () => {
  it('a top-up orders the waiting parcels at their stored price, although the station’s discount has changed since', async () => {
    const [parcel] = await held(1);
    await rowsOf(system, sql`update stations set discount = 9900 where id = ${station}`);
    await topUp(1_056);
    const ordered = await partner.until(parcel!.id, 100);
    expect(ordered).toMatchObject({
      post_amount: 1_056,
      state_remark: '',
      state_reason: null,
      order_id: parcel!.order_id,
    });
    expect(await holdsOf(system, parcel!.id)).toEqual([
      { attempt: 1, amount: 1_056, status: 'open' },
    ]);
  });

  it('a top-up releases parcels in the order of the queue and stops at the first parcel that it does not cover, even if it would cover a later one', async () => {
    const parcels = await held(1, 9, 1);
    await topUp(2_200);
    await eventuallyIn(parcels, [100, 10, 10]);
    await untilReleased();
    expect(await states(parcels)).toEqual([100, 10, 10]);
    const [, second] = await Promise.all(parcels.map(({ id }) => partner.get(id)));
    expect(second!.state_reason).toEqual({
      code: 'balance_too_low',
      params: { missing_amount: second!.post_amount - (2_200 - 1_056) },
    });
    await topUp(second!.post_amount);
    await eventuallyIn(parcels, [100, 100, 100]);
  });

  it('the missing amount of a parcel on hold covers all parcels before it in the queue, and a top-up of this amount orders all of them', async () => {
    const parcels = await held(1, 1, 1, 1);
    const asked = async () => Promise.all(parcels.map(({ id }) => partner.get(id)));
    expect((await asked()).map(({ state_reason }) => state_reason)).toEqual([
      { code: 'balance_too_low', params: { missing_amount: 1_056 } },
      { code: 'balance_too_low_queue', params: { missing_amount: 2_112, ahead: 1 } },
      { code: 'balance_too_low_queue', params: { missing_amount: 3_168, ahead: 2 } },
      { code: 'balance_too_low_queue', params: { missing_amount: 4_224, ahead: 3 } },
    ]);
    // Brings the wallet below zero, as a re-weigh of another parcel would.
    const admin = await system.login('admin');
    const adjusted = await system.call(
      { token: admin, headers: { 'idempotency-key': `adjust-${station}` } },
      'POST',
      `/api/arco/stations/${station}/adjustments`,
      { amount: -1_374, description: '补重' },
    );
    expect(adjusted.status).toBe(200);
    const third = (await asked())[2]!;
    const { data: list } = await system.call<{ items: Express[] }>(
      partner.token,
      'GET',
      `/api/arco/expresses?station_id=${station}&tab=on_hold`,
    );
    expect(list.items.find(({ id }) => id === third.id)).toMatchObject({
      state_reason: third.state_reason,
      state_remark: third.state_remark,
    });
    expect(third).toMatchObject({
      state_reason: { params: { missing_amount: 3_168 + 1_374, ahead: 2 } },
    });
    await topUp(3_168 + 1_374);
    await eventuallyIn(parcels, [100, 100, 100, 10]);
    expect((await asked())[3]!.state_reason).toEqual({
      code: 'balance_too_low',
      params: { missing_amount: 1_056 },
    });
  });

  it('a new order that the balance covers is placed, although an earlier parcel that the balance does not cover stays on hold', async () => {
    const parcels = await held(30);
    await topUp(1_100);
    expect((await kg(1)).data.state_code).toBe(100);
    expect(await states(parcels)).toEqual([10]);
  });
});

describe('a queue of parcels on hold', () => {
  it('if the first parcel of a queue on hold is cancelled, the next parcel that the balance covers is ordered', async () => {
    const parcels = await held(30, 1);
    await topUp(1_100);
    await untilReleased();
    expect(await states(parcels)).toEqual([10, 10]);
    await partner.act(parcels[0]!.id, 'cancel', { reason: '不寄了' });
    await eventuallyIn(parcels, [500, 100]);
  });

  it('a queue of parcels on hold continues when the cancel of an ordered parcel releases its hold', async () => {
    await topUp(1_100);
    const { data: first } = await kg(1);
    const parcels = await held(1);
    await partner.act(first.id, 'cancel', { reason: '不寄了' });
    await eventuallyIn(parcels, [100]);
  });

  it('a clerk can order one parcel on hold before the others; if the balance does not cover it, the missing amount is returned', async () => {
    const parcels = await held(30, 1, 20);
    await topUp(1_100);
    const refused = await partner.act(parcels[2]!.id, 'order');
    expect(refused.status).toBe(422);
    expect(failureOf(refused)).toMatchObject({
      code: 'balance_too_low',
      params: { missing_amount: parcels[2]!.post_amount - 1_100 },
    });
    expect((await partner.act(parcels[1]!.id, 'order')).data.state_code).toBe(100);
    expect(await states(parcels)).toEqual([10, 100, 10]);
  });

  it('a queue of parcels on hold continues when the first parcel is edited so that the balance covers its price', async () => {
    const parcels = await held(30, 1);
    await topUp(2_200);
    await untilReleased();
    const edited = await partner.edit(parcels[0]!.id, {
      version: (await partner.get(parcels[0]!.id)).version,
      weight: 1_000,
    });
    expect(edited.data.state_code).toBeLessThanOrEqual(100);
    await eventuallyIn(parcels, [100, 100]);
    const [first] = await rowsOf(
      system,
      sql<{ n: number }>`select count(*) as n
      from ledger_holds where express_id = ${parcels[0]!.id}`,
    );
    expect(first!.n).toBe(1);
  });

  it('re-weighing the first parcel on hold raises its missing amount if it is heavier, and orders it if it is light enough for the balance', async () => {
    const parcels = await held(2, 1);
    const heavier = await partner.act(parcels[0]!.id, 'reweigh', { re_weight: 2_500 });
    expect(heavier.data).toMatchObject({
      state_code: 10,
      state_reason: { params: { missing_amount: heavier.data.post_amount } },
    });
    expect(heavier.data.post_amount).toBeGreaterThan(parcels[0]!.post_amount);
    await topUp(1_400);
    await untilReleased();
    expect(await states(parcels)).toEqual([10, 10]);
    expect(
      (await partner.act(parcels[0]!.id, 'reweigh', { re_weight: 900, reason: '复称' })).status,
    ).toBe(200);
    await eventuallyIn(parcels, [100, 10]);
  });

  it('concurrent requests release all parcels on hold that the balance covers, and never hold more than the balance', async () => {
    const parcels = await held(...Array.from({ length: 8 }, () => 1));
    await Promise.all(Array.from({ length: 4 }, () => topUp(2 * 1_056)));
    await eventuallyIn(
      parcels,
      parcels.map(() => 100),
    );
    expect(
      await rowsOf(
        system,
        sql`select available, "freeze" from stations
      where id = ${station}`,
      ),
    ).toEqual([{ available: 0, freeze: 8 * 1_056 }]);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
