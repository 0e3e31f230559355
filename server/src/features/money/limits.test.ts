import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { createApi } from '#api.ts';
import { charge, hold, prove } from '#domain/ledger/ledger.ts';
import { recordSetup } from '#domain/second-person/second-person.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { dearer, holdOf, next, meta, scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const hour = 3_600_000;
const day = 24 * hour;

let app: TestApp;
let http: FastifyInstance;
/** The station of the present test; each test has a new one, so that no daily limit is shared. */
let station: number;

interface Person {
  id: number;
  token: string;
}

const login = async (role: string, station_id: number | null = null): Promise<Person> => {
  const id = await addAccount(app.db, role, station_id);
  return { id, token: await renewed(id) };
};
const renewed = (account_id: number): Promise<string> =>
  app.db.tx(scope, (work) =>
    openSession(work, {
      account_id,
      address: '',
      user_agent: '',
      now: app.clock.now(),
      limits: app.config.session,
    }),
  );

interface Answer {
  status: number;
  data: Statement & { code?: string; params?: Record<string, unknown> };
}

const call = async (
  who: Person,
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
): Promise<{ status: number; data: never }> => {
  const answer = await http.inject({
    method,
    url: `/api/arco${url}`,
    headers: { authorization: `Bearer ${who.token}`, 'idempotency-key': `limit-key-${next()}` },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, data: answer.json<{ data: never }>().data };
};
const post = (who: Person, url: string, payload: object): Promise<Answer> =>
  call(who, 'POST', url, payload);

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(scope, (work) => text.execute(work.tx))).rows;
const money = async (): Promise<number> =>
  (
    await query(sql<{ money: number }>`select money
  from stations where id = ${station}`)
  )[0]!.money;
const alerts = async (code: string): Promise<{ id: number; params: Record<string, unknown> }[]> =>
  query(sql<{ id: number; params: Record<string, unknown> }>`select id, params from alerts
    where code = ${code} and closed_at is null order by id`);
/**
 * Disables all super and admin accounts, so that only the accounts that a test creates later may
 * decide.
 */
const emptyOffice = (): Promise<unknown[]> =>
  query(sql`update accounts set status = 0
  where role in ('super', 'admin')`);

interface Parcel {
  insured?: number;
  least?: number;
  picked_up?: boolean;
}
/** Adds a parcel that is charged 1,970 fen. */
const charged = async ({
  insured = 0,
  least = 0,
  picked_up = true,
}: Parcel = {}): Promise<number> => {
  const user_id = await addAccount(app.db, 'user', station);
  const [{ id }] = (await query(sql<{ id: number }>`
    insert into expresses (station_id, user_id, order_id, state_code, picked_up_at,
      guarantee_value_amount, charged_at,
      pre_amount, discount_amount, guarantee_amount, post_amount, terms)
    values (${station}, ${user_id}, ${`L${next()}`}, 200,
      ${picked_up ? app.clock.now() : null}, ${insured}, ${app.clock.now()},
      2300, 330, 100, 1970, ${JSON.stringify({ guarantee: least })}::jsonb)
    returning id`)) as [{ id: number }];
  await app.db.tx(scope, async (work) => {
    await hold(work, holdOf(station, id));
    await charge(work, {
      express_id: id,
      attempt: 1,
      delivery_id: null,
      price: dearer,
      shares: [],
      ...meta(),
    });
  });
  return id;
};
const lineOf = async (express_id: number, type: string): Promise<number> =>
  (
    await query(sql<{ id: number }>`select id from statements where express_id = ${express_id}
    and type = ${type}`)
  )[0]!.id;

beforeAll(async () => {
  app = await createTestApp();
  http = await createApi(app, { checkOutput: true });
});
beforeEach(async () => {
  await emptyOffice();
  station = await addStation(app.db, { has_amount: 0 });
});
afterAll(async () => {
  expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
  await http.close();
  await app.close();
});

describe('payouts of a parcel', () => {
  it('the payouts of a parcel cannot exceed the higher of its declared insured value and the carrier account’s minimum', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    const id = await charged({ insured: 40_000, least: 60_000 });
    expect(
      await post(admin, `/expresses/${id}/payouts`, { amount: 45_000, description: '丢失' }),
    ).toMatchObject({ data: { status: 'posted' } });
    expect(
      await post(admin, `/expresses/${id}/payouts`, { amount: 15_001, description: '丢失' }),
    ).toMatchObject({
      status: 422,
      data: { code: 'payout_too_large', params: { limit_amount: 60_000, left_amount: 15_000 } },
    });
    const requested = await post(admin, `/expresses/${id}/payouts`, {
      amount: 15_000,
      description: '丢失',
    });
    expect(requested).toMatchObject({
      status: 200,
      data: { status: 'pending', type: 'payout', express_id: id },
    });
    expect(
      (await post(second, `/expresses/${id}/payouts`, { amount: 1, description: '丢失' })).data
        .params,
    ).toMatchObject({ left_amount: 0 });
    expect(await post(second, `/statements/${requested.data.id}/approve`, {})).toMatchObject({
      status: 200,
      data: { status: 'posted', amount: 15_000 },
    });
  });

  it('the payouts of a parcel without insurance are limited to three times its price, even after its charge was reversed', async () => {
    const admin = await login('admin');
    const id = await charged();
    await post(admin, `/statements/${await lineOf(id, 'charge')}/reverse`, {
      reason: '丢失退运费',
    });
    expect(
      await post(admin, `/expresses/${id}/payouts`, { amount: 5_911, description: '丢失' }),
    ).toMatchObject({
      data: { code: 'payout_too_large', params: { limit_amount: 5_910, left_amount: 5_910 } },
    });
    expect(
      await post(admin, `/expresses/${id}/payouts`, { amount: 5_910, description: '丢失' }),
    ).toMatchObject({ data: { status: 'posted' } });
  });

  it('a parcel has no payout before pickup', async () => {
    const id = await charged({ insured: 40_000, picked_up: false });
    expect(
      await post(await login('admin'), `/expresses/${id}/payouts`, {
        amount: 1,
        description: '丢失',
      }),
    ).toMatchObject({
      status: 422,
      data: { code: 'payout_not_picked_up' },
    });
  });

  it('the remaining refundable and payable amounts of a parcel are shown only to administrators', async () => {
    const [admin, manager] = [await login('admin'), await login('station', station)];
    const id = await charged({ insured: 70_000 });
    await post(admin, `/expresses/${id}/refunds`, { amount: 70, description: '破损' });
    await post(admin, `/expresses/${id}/payouts`, { amount: 60_000, description: '丢失' });
    const { data } = await call(admin, 'GET', `/expresses/${id}/statements`);
    expect((data as { left: unknown }).left).toEqual({
      refundable_amount: 1_900,
      payout_limit_amount: 70_000,
      payout_left_amount: 10_000,
      alone_left_amount: 49_930,
    });
    expect(
      ((await call(manager, 'GET', `/expresses/${id}/statements`)).data as { left: unknown }).left,
    ).toBeNull();
  });

  it('pending payouts and refunds have no effect on re-weighs and reversals of the parcel', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    await query(sql`insert into settings (name, value) values ('given_alone_limit', '499')`);
    const id = await charged();
    const requested = await post(admin, `/expresses/${id}/refunds`, {
      amount: 500,
      description: '破损',
    });
    await query(sql`update settings set value = '50000' where name = 'given_alone_limit'`);
    expect(requested).toMatchObject({ data: { status: 'pending' } });
    expect(
      await post(admin, `/statements/${await lineOf(id, 'charge')}/reverse`, { reason: '错单' }),
    ).toMatchObject({ data: { amount: 1_970 } });
    expect(await post(second, `/statements/${requested.data.id}/approve`, {})).toMatchObject({
      status: 409,
      data: { code: 'parcel_reversed' },
    });
    expect(
      await post(second, `/statements/${requested.data.id}/decline`, { reason: '已冲正' }),
    ).toMatchObject({ data: { status: 'declined' } });
  });
});

describe('the limit of what one user may move alone', () => {
  it('adjustments, refunds and payouts of one user for a station on one day count together toward the limit without approval', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    const id = await charged({ insured: 100_000 });
    for (const [url, amount] of [
      [`/stations/${station}/adjustments`, -20_000],
      [`/expresses/${id}/refunds`, 1_000],
      [`/expresses/${id}/payouts`, 28_999],
    ] as const)
      expect(await post(admin, url, { amount, description: '补偿' }), url).toMatchObject({
        data: { status: 'posted' },
      });
    expect(
      await post(admin, `/stations/${station}/adjustments`, { amount: 2, description: '补偿' }),
    ).toMatchObject({ data: { status: 'pending' } });
    expect(
      await post(admin, `/stations/${station}/adjustments`, { amount: 1, description: '补偿' }),
    ).toMatchObject({ data: { status: 'posted' } });
    expect(
      await post(second, `/stations/${station}/adjustments`, {
        amount: 50_000,
        description: '补偿',
      }),
    ).toMatchObject({ data: { status: 'posted' } });
    app.clock.set(new Date('2026-03-03T00:00:00+08:00'));
    expect(
      await post({ ...admin, token: await renewed(admin.id) }, `/stations/${station}/adjustments`, {
        amount: 50_000,
        description: '补偿',
      }),
    ).toMatchObject({
      data: { status: 'posted' },
    });
    app.clock.set(new Date('2026-03-02T10:00:00+08:00'));
  });

  it('the limit of what one user may move alone also holds for simultaneous movements', async () => {
    const admin = await login('admin');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        post(admin, `/stations/${station}/adjustments`, { amount: 49_999, description: '并发' }),
      ),
    );
    expect(answers.filter(({ data }) => data.status === 'posted')).toHaveLength(1);
    expect(answers.filter(({ data }) => data.status === 'pending')).toHaveLength(24);
    expect(await money()).toBe(49_999);
  });
});

describe('the limits of top-ups', () => {
  it('a top-up above the limit per top-up, or above the rest of the user’s daily limit, waits for a second person', async () => {
    const [admin, second] = [await login('admin'), await login('super')];
    const other = await addStation(app.db);
    const over = await post(admin, `/stations/${station}/top-ups`, { amount: 5_000_001 });
    expect(over).toMatchObject({ data: { status: 'pending', type: 'top_up' } });
    for (const id of [station, other, station, other])
      expect(await post(admin, `/stations/${id}/top-ups`, { amount: 5_000_000 })).toMatchObject({
        data: { status: 'posted' },
      });
    expect(await post(admin, `/stations/${other}/top-ups`, { amount: 1 })).toMatchObject({
      data: { status: 'pending' },
    });
    expect(await post(admin, `/statements/${over.data.id}/approve`, {})).toMatchObject({
      data: { code: 'second_person_required' },
    });
    expect(await post(second, `/statements/${over.data.id}/approve`, {})).toMatchObject({
      data: { status: 'posted', amount: 5_000_001, balance: 15_000_001 },
    });
  });

  it('an unspent top-up is reversed by a second person, directly or by approving the request of the top-up’s creator', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    const topUp = async (): Promise<number> =>
      (await post(admin, `/stations/${station}/top-ups`, { amount: 10_000 })).data.id;
    const [first, later, spent] = [await topUp(), await topUp(), await topUp()];
    expect(
      await post(second, `/statements/${first}/reverse`, { reason: '充错网点' }),
    ).toMatchObject({
      data: { type: 'reversal', status: 'posted', amount: -10_000, balance: 20_000 },
    });
    expect(await post(second, `/statements/${first}/reverse`, { reason: '再来' })).toMatchObject({
      status: 409,
      data: { code: 'top_up_reversed' },
    });
    const requested = await post(admin, `/statements/${later}/reverse`, { reason: '充错网点' });
    expect(requested).toMatchObject({
      data: { type: 'reversal', status: 'pending', amount: -10_000 },
    });
    expect(await post(second, `/statements/${later}/reverse`, { reason: '抢先' })).toMatchObject({
      data: { code: 'top_up_reversal_pending' },
    });
    expect(await post(second, `/statements/${requested.data.id}/approve`, {})).toMatchObject({
      data: { status: 'posted', balance: 10_000 },
    });
    expect(
      await query(sql`select status from statements
      where id = any(${[first, later]}::bigint[])`),
    ).toEqual([{ status: 'reversed' }, { status: 'reversed' }]);
    await post(admin, `/stations/${station}/adjustments`, { amount: -1, description: '已用' });
    expect(
      await post(second, `/statements/${spent}/reverse`, { reason: '充错网点' }),
    ).toMatchObject({
      status: 422,
      data: { code: 'top_up_spent', params: { missing_amount: 1 } },
    });
    expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
  });
});

describe('the second person who approves a request', () => {
  const set = (by: Person, account: Person, at = app.clock.now()): Promise<void> =>
    app.db.tx(scope, (work) =>
      recordSetup(work, { account_id: account.id, by: by.id, what: ['password'], at }),
    );
  const asks = async (who: Person): Promise<number> =>
    (await post(who, `/stations/${station}/adjustments`, { amount: 50_001, description: '大额' }))
      .data.id;
  const approves = (who: Person, id: number): Promise<Answer> =>
    post(who, `/statements/${id}/approve`, {});

  it('a user who changed the requesting account in any way within 30 days before the request cannot be its second person', async () => {
    const [boss, other] = [await login('super'), await login('admin')];
    const { data: made } = (await call(boss, 'POST', '/users', {
      username: `zhan${next()}`,
      nickname: '站长',
      role: 'station',
      station_id: station,
    })) as {
      data: { account: { id: number; version: number } };
    };
    const changes: [string, object][] = [
      [`/users/${made.account.id}/password`, {}],
      [`/users/${made.account.id}/status`, { status: 0 }],
      [`/users/${made.account.id}/status`, { status: 1 }],
    ];
    for (const [url, payload] of changes)
      expect((await call(boss, 'POST', url, payload)).status, url).toBe(200);
    expect(
      await query(sql`select what from account_setups
      where account_id = ${made.account.id} order by id`),
    ).toEqual(
      ['password', 'role', 'station', 'status', 'password', 'status', 'status'].map((what) => ({
        what,
      })),
    );
    await post(boss, `/stations/${station}/top-ups`, { amount: 10_000 });
    await query(sql`update accounts set must_change = 0 where id = ${made.account.id}`);
    const manager = { id: made.account.id, token: await renewed(made.account.id) };
    const { data: requested } = await post(manager, `/stations/${station}/withdrawals`, {
      amount: 5_000,
    });
    expect(await approves(boss, requested.id)).toMatchObject({
      status: 403,
      data: { code: 'second_person_tied', params: { days: 30 } },
    });
    expect(await approves(other, requested.id)).toMatchObject({ data: { status: 'posted' } });
  });

  it('a request cannot be approved from an account that the requester set up, directly or through other accounts', async () => {
    const [boss, puppet, free] = [await login('super'), await login('admin'), await login('admin')];
    const [partner, manager] = [await login('partner', station), await login('station', station)];
    await set(boss, puppet);
    await set(boss, partner);
    await set(partner, manager);
    await post(free, `/stations/${station}/top-ups`, { amount: 10_000 });
    const { data: withdrawal } = await post(manager, `/stations/${station}/withdrawals`, {
      amount: 1_000,
    });
    for (const who of [boss, puppet])
      expect(await approves(who, withdrawal.id)).toMatchObject({
        data: { code: 'second_person_tied' },
      });
    const requested = await asks(boss);
    expect(await approves(puppet, requested)).toMatchObject({
      data: { code: 'second_person_tied' },
    });
    for (const id of [withdrawal.id, requested])
      expect(await approves(free, id)).toMatchObject({ data: { status: 'posted' } });
  });

  it('a second person cannot approve if they changed the requesting account less than 30 days ago; exactly 30 days ago is allowed', async () => {
    const [boss, admin, other] = [await login('super'), await login('admin'), await login('admin')];
    await login('admin');
    await set(boss, admin, new Date(app.clock.now().getTime() - 30 * day));
    expect(await approves(boss, await asks(admin))).toMatchObject({ data: { status: 'posted' } });
    await set(boss, admin, new Date(app.clock.now().getTime() - 30 * day + 1));
    expect(await approves(boss, await asks(admin))).toMatchObject({
      data: { code: 'second_person_tied' },
    });
    const late = await asks(other);
    await set(boss, other);
    expect(await approves(boss, late)).toMatchObject({ data: { code: 'second_person_tied' } });
  });

  it('a requester may approve alone 24 hours after all administrators were notified that no second person exists', async () => {
    const boss = await login('super');
    const id = await asks(boss);
    expect((await alerts('request_without_approver')).at(-1)!.params).toMatchObject({
      request_amount: 50_001,
      time: '2026-03-03 10:00',
    });
    expect(await approves(boss, id)).toMatchObject({
      status: 409,
      data: { code: 'second_person_wait', params: { time: '2026-03-03 10:00' } },
    });
    app.clock.advance(day - 1);
    boss.token = await renewed(boss.id);
    expect(await approves(boss, id)).toMatchObject({ data: { code: 'second_person_wait' } });
    app.clock.advance(1);
    expect(await approves(boss, id)).toMatchObject({ data: { status: 'posted' } });
    expect(
      await query(sql`select 1 as n from audit_log where action = 'approve_alone'
      and subject_id = ${id}`),
    ).toHaveLength(1);
    const alert = (await alerts('request_executed_alone')).at(-1)!;
    const admin = await login('admin');
    expect(await post(boss, `/alerts/${alert.id}/close`, {})).toMatchObject({
      status: 403,
      data: { code: 'alert_own' },
    });
    const puppet = await login('admin');
    await set(boss, puppet);
    expect(await post(puppet, `/alerts/${alert.id}/close`, {})).toMatchObject({
      status: 403,
      data: { code: 'alert_tied', params: { days: 30 } },
    });
    expect((await post(admin, `/alerts/${alert.id}/close`, {})).status).toBe(200);
    // If an approver leaves later, the 24 hours start again.
    const requested = await asks(boss);
    await query(sql`update accounts set status = 0 where id = ${admin.id}`);
    app.clock.advance(2 * day);
    boss.token = await renewed(boss.id);
    expect(await approves(boss, requested)).toMatchObject({ data: { code: 'second_person_wait' } });
    app.clock.advance(day);
    boss.token = await renewed(boss.id);
    expect(await approves(boss, requested)).toMatchObject({ data: { status: 'posted' } });
    app.clock.set(new Date('2026-03-02T10:00:00+08:00'));
  });
});
