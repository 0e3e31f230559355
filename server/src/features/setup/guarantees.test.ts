import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Guarantee, TierPlan } from '@waystation/contract/money/guarantee.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let admin: string;
beforeAll(async () => {
  system = await openTestSystem();
  admin = await system.login('admin');
  await system.topUp('nanshan', 1_000_000);
  await rowsOf(system, sql`update guarantees set status = 0, money = money + 500000000000`);
});
afterAll(() => system.close());

interface Failed {
  code: string;
  fields?: Record<string, { code: string; params?: object }>;
}
const base = '/api/arco/guarantees';
const tier = <T = Guarantee>(money: number, price: number, status = 1): Promise<Answer<T>> =>
  system.call<T>(admin, 'POST', base, { money, price, status });
const ladder = async () =>
  (await system.call<{ items: Guarantee[] }>(admin, 'GET', `${base}?status=1`)).data.items.map(
    ({ from_money, money, price }) => [from_money, money, price],
  );

describe('the insurance tiers', () => {
  it('each insurance tier begins one fen above the tier below, without a gap', async () => {
    await tier(100_000, 200);
    await tier(50_000, 100);
    await tier(200_000, 200);
    expect(await ladder()).toEqual([
      [1, 50_000, 100],
      [50_001, 100_000, 200],
      [100_001, 200_000, 200],
    ]);
  });

  it('insurance tiers have unique upper values', async () => {
    expect((await tier<Failed>(50_000, 150)).data.fields).toEqual({ money: { code: 'taken' } });
    expect((await tier<Failed>(0, 0)).data.fields).toMatchObject({ money: { code: 'too_small' } });
  });

  it('an insurance tier must not cost less than a tier with a lower value, and a refusal names the conflicting tier', async () => {
    expect((await tier<Failed>(150_000, 150)).data.fields).toEqual({
      price: {
        code: 'tier_cheaper_than_below',
        params: { neighbour_amount: 100_000, price_amount: 200 },
      },
    });
    expect((await tier<Failed>(30_000, 150)).data.fields).toEqual({
      price: {
        code: 'tier_dearer_than_above',
        params: { neighbour_amount: 50_000, price_amount: 100 },
      },
    });
    const [{ id, version }] = (
      await system.call<{ items: [Guarantee] }>(admin, 'GET', `${base}?status=1`)
    ).data.items;
    const edited = await system.call<Failed>(admin, 'PATCH', `${base}/${id}`, {
      version,
      money: 150_000,
    });
    expect(edited.data.fields).toEqual({
      price: {
        code: 'tier_cheaper_than_below',
        params: { neighbour_amount: 100_000, price_amount: 200 },
      },
    });
  });

  it('a disabled insurance tier is stored without a check, and is checked when it is enabled', async () => {
    const { data, status } = await tier(30_000, 900, 0);
    expect([status, data.from_money]).toEqual([200, null]);
    expect(
      (await system.call<Failed>(admin, 'POST', `${base}/${data.id}/status`, { status: 1 })).data
        .fields,
    ).toMatchObject({
      price: { code: 'tier_dearer_than_above' },
    });
    expect((await ladder()).length).toBe(3);
  });

  it('the insurance fee of a value is that of its tier, and a lower value is raised to the carrier account’s minimum', async () => {
    await rowsOf(system, sql`update merchants set guarantee = 60000`);
    const fee = async (value: number) =>
      (await system.call<{ items: object[] }>(admin, 'GET', `${base}/fee?value_amount=${value}`))
        .data.items;
    expect(await fee(1)).toMatchObject([
      {
        least_amount: 60_000,
        insured_amount: 60_000,
        tier_amount: 100_000,
        price: 200,
        reason: null,
      },
    ]);
    expect(await fee(100_001)).toMatchObject([
      { insured_amount: 100_001, tier_amount: 200_000, price: 200 },
    ]);
    expect(await fee(200_001)).toMatchObject([
      {
        tier_amount: null,
        price: null,
        reason: { code: 'above_top_tier', params: { value_amount: 200_001, top_amount: 200_000 } },
      },
    ]);
    const [, second] = (await system.call<{ items: Guarantee[] }>(admin, 'GET', `${base}?status=1`))
      .data.items;
    expect((await system.call(admin, 'GET', `${base}/${second!.id}/usage`)).data).toMatchObject({
      items: [{ what: 'merchants', count: 1 }],
    });
  });

  it('changed insurance tiers apply to later orders and leave earlier ones unchanged', async () => {
    const clerk = await system.login('clerk');
    const order = async (key: string) =>
      (
        await system.call<{ id: number; guarantee_amount: number }>(
          { token: clerk, headers: { 'idempotency-key': `insured-${key}` } },
          'POST',
          '/api/arco/expresses',
          exampleOrder({ guarantee_value_amount: 60_000 }),
        )
      ).data;
    const before = await order('before');
    expect(before.guarantee_amount).toBe(200);
    const [, second] = (await system.call<{ items: Guarantee[] }>(admin, 'GET', `${base}?status=1`))
      .data.items;
    await system.call(admin, 'PATCH', `${base}/${second!.id}`, {
      version: second!.version,
      price: 150,
    });
    expect((await order('after')).guarantee_amount).toBe(150);
    expect(
      (
        await system.call<{ guarantee_amount: number }>(
          clerk,
          'GET',
          `/api/arco/expresses/${before.id}`,
        )
      ).data.guarantee_amount,
    ).toBe(200);
  });
});

describe('planned insurance tiers', () => {
  const day = (days: number): string =>
    new Date(Date.now() + days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
  const plan = <T = TierPlan>(tiers: object[], valid_from = day(3)) =>
    system.call<T>(admin, 'POST', `${base}/plan`, { valid_from, tiers });
  const feeOn = async (at: string) =>
    (
      await system.call<{ items: { price: number }[] }>(
        admin,
        'GET',
        `${base}/fee?value_amount=60000&day=${at}`,
      )
    ).data.items.map(({ price }) => price);
  const planned = [
    { money: 500_000, price: 900 },
    { money: 70_000, price: 80 },
  ];

  it('a plan of insurance tiers replaces all tiers, is checked as a whole, begins tomorrow or later, and only one plan can exist', async () => {
    expect((await plan<Failed>([])).data.fields).toMatchObject({ tiers: { code: 'required' } });
    expect((await plan<Failed>(planned, day(0))).data.fields).toEqual({
      valid_from: { code: 'tier_plan_past' },
    });
    expect((await plan<Failed>([...planned, { money: 600_000, price: 800 }])).data.fields).toEqual({
      'tiers.2.price': {
        code: 'tier_cheaper_than_below',
        params: { neighbour_amount: 500_000, price_amount: 900 },
      },
    });
    expect((await plan<Failed>([...planned, { money: 70_000, price: 80 }])).data.fields).toEqual({
      'tiers.2.money': { code: 'taken' },
    });
    const { data: now } = await system.call<TierPlan>(admin, 'GET', `${base}/plan`);
    expect((await plan<Failed>(now.tiers)).data.code).toBe('tier_plan_unchanged');
    expect(
      (await plan<Failed>(Array.from({ length: 101 }, (_, at) => ({ money: at + 1, price: 1 }))))
        .data.fields,
    ).toMatchObject({
      tiers: { code: 'too_long' },
    });
    const { status, data } = await plan(planned);
    expect({ status, tiers: data.tiers, plan: data.plan }).toMatchObject({
      status: 200,
      tiers: now.tiers,
      plan: { tiers: planned.toReversed(), created_by: 'admin' },
    });
    expect((await plan<Failed>(planned)).data.code).toBe('tier_plan_waits');
    expect([await feeOn(day(0)), await feeOn(day(2)), await feeOn(day(3))]).toEqual([
      [150],
      [150],
      [80],
    ]);
  });

  it('a plan of insurance tiers can be withdrawn once before the day it begins, and the withdrawal is in the audit log', async () => {
    const { data } = await system.call<TierPlan>(admin, 'GET', `${base}/plan`);
    const withdraw = () =>
      system.call<TierPlan & Failed>(admin, 'POST', `${base}/plan/withdraw`, { id: data.plan!.id });
    expect((await withdraw()).data.plan).toBeNull();
    expect(await withdraw()).toMatchObject({ status: 409, data: { code: 'tier_plan_over' } });
    expect(await feeOn(day(3))).toEqual([150]);
    const since = businessDay(new Date());
    const { data: log } = await system.call<{ items: { action: string }[] }>(
      admin,
      'GET',
      `/api/arco/audit?subject=guarantees&page_size=2&at_from=${since}`,
    );
    expect(log.items.map(({ action }) => action)).toEqual(['withdraw_plan', 'plan_tiers']);
  });

  it('planned insurance tiers apply to quotes and orders from their planned time on, and replace the listed tiers at the next change', async () => {
    const { data } = await plan(planned);
    await rowsOf(
      system,
      sql`update guarantee_plans
      set valid_from = now() - interval '1 second' where id = ${data.plan!.id}`,
    );
    const clerk = await system.login('clerk');
    const options = await system.call<{ guarantees: object[] }>(
      clerk,
      'GET',
      '/api/arco/expresses/options',
    );
    expect(options.data.guarantees).toEqual(planned.toReversed());
    const ordered = await system.call<{ guarantee_amount: number }>(
      { token: clerk, headers: { 'idempotency-key': 'insured-by-a-plan' } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ guarantee_value_amount: 60_000 }),
    );
    expect(ordered.data.guarantee_amount).toBe(80);
    expect(await feeOn(day(0))).toEqual([80]);
    expect((await tier(600_000, 950)).status).toBe(200);
    expect(await ladder()).toEqual([
      [1, 70_000, 80],
      [70_001, 500_000, 900],
      [500_001, 600_000, 950],
    ]);
    expect((await system.call<TierPlan>(admin, 'GET', `${base}/plan`)).data.plan).toBeNull();
  });
});
