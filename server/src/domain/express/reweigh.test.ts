import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import {
  alertsOf,
  parcelClient,
  failureOf,
  holdsOf,
  statementsOf,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 14_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

const ordered = async (changes: Record<string, unknown> = {}): Promise<Express> =>
  (await clerk.order(changes)).data;
const reweigh = (id: number, re_weight: number, reason?: string) =>
  clerk.act(id, 'reweigh', { re_weight, ...(reason && { reason }) });

describe('re-weighing a parcel before pickup', () => {
  it('re-weighing a parcel before pickup raises the hold to the new price and stores the explanation of the price', async () => {
    const parcel = await ordered();
    const { data } = await reweigh(parcel.id, 5_200);
    expect(data).toMatchObject({
      re_weight: 5_200,
      cal_weight: 6_000,
      post_amount: 1_955,
      state_code: 100,
      weight_reason: { code: 're_weight' },
    });
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: 1_955, status: 'open' },
    ]);
    expect(await statementsOf(system, parcel.id)).toMatchObject([
      { type: 'hold', freeze_amount: 1_768 },
      { type: 'hold', freeze_amount: 187, amount: 0 },
    ]);
    const { data: price } = await system.call<{
      pricings: { no: number; source: string; price: { post_amount: number } }[];
    }>(clerk.token, 'GET', `/api/arco/expresses/${parcel.id}/price`);
    expect(
      price.pricings.map(({ no, source, price: { post_amount } }) => [no, source, post_amount]),
    ).toEqual([
      [0, 'order', 1_768],
      [1, 'station', 1_955],
    ]);
  });

  it('re-weighing a parcel to a lower weight lowers its hold', async () => {
    const parcel = await ordered();
    await reweigh(parcel.id, 3_500);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: 1_581, status: 'open' },
    ]);
  });

  it('re-weighing a parcel posts nothing if the billed weight stays the same', async () => {
    const parcel = await ordered();
    const { data } = await reweigh(parcel.id, 4_900);
    expect(data).toMatchObject({ re_weight: 4_900, post_amount: 1_768 });
    expect(await statementsOf(system, parcel.id)).toHaveLength(1);
    await reweigh(parcel.id, 4_900);
    expect(
      await rowsOf(
        system,
        sql<{ no: number }>`select no from express_facts
      where express_id = ${parcel.id} order by no`,
      ),
    ).toEqual([{ no: 0 }, { no: 1 }]);
  });

  it('re-weighing a parcel requires a reason if the weight changes by more than 30 %, up or down', async () => {
    const parcel = await ordered({ weight: 1_000 });
    for (const re_weight of [1_301, 699]) {
      const refused = await reweigh(parcel.id, re_weight);
      expect(refused.status).toBe(422);
      expect(failureOf(refused)).toMatchObject({
        code: 'reweigh_reason_required',
        params: { before_weight: 1_000, after_weight: re_weight },
      });
    }
    expect((await reweigh(parcel.id, 1_300)).status).toBe(200);
    expect((await reweigh(parcel.id, 2_000, '客户加了一件')).status).toBe(200);
  });

  it('re-weighing a parcel is refused with the missing amount if the balance does not cover the higher price, and changes nothing', async () => {
    const parcel = await ordered({ weight: 1_000 });
    const [hold] = await holdsOf(system, parcel.id);
    const refused = await reweigh(parcel.id, 40_000, '加货');
    expect(refused.status).toBe(422);
    expect(failureOf(refused)).toMatchObject({
      code: 'balance_too_low',
      params: { missing_amount: expect.any(Number) },
    });
    const after = await clerk.get(parcel.id);
    expect(after).toMatchObject({
      re_weight: null,
      post_amount: parcel.post_amount,
      cal_weight: parcel.cal_weight,
    });
    expect(await holdsOf(system, parcel.id)).toEqual([hold]);
  });

  it('re-weighing a parcel above the weight limit of its template returns an error at the weight field and raises no alert', async () => {
    const parcel = await ordered({ weight: 1_000 });
    const refused = await reweigh(parcel.id, 50_001, '加货');
    expect(refused.status).toBe(422);
    expect(failureOf(refused)).toMatchObject({
      code: 'invalid_input',
      fields: { re_weight: { code: 'over_weight' } },
    });
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });

  it('re-weighing a draft or a refused parcel changes its price only when the parcel is ordered', async () => {
    const refused = await ordered({ remark: '拒单', weight: 2_000 });
    expect((await reweigh(refused.id, 2_600)).data).toMatchObject({
      state_code: 90,
      re_weight: 2_600,
      post_amount: refused.post_amount,
    });
    await clerk.edit(refused.id, { version: (await clerk.get(refused.id)).version, remark: '' });
    const { data } = await clerk.act(refused.id, 'retry');
    expect(data).toMatchObject({ state_code: 100, cal_weight: 3_000, post_amount: 1_394 });
  });

  it('re-weighing a parcel is refused after the carrier has picked it up', async () => {
    const parcel = await ordered({ weight: 1_000 });
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'picked_up' });
    const moving = await clerk.until(parcel.id, 200);
    expect(failureOf(await reweigh(parcel.id, 1_100))).toMatchObject({
      code: 'state_forbids',
      params: { state: moving.state_txt },
    });
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
