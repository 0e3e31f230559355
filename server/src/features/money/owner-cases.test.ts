import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import type { balanceBoard } from '@waystation/contract/shell/workplace.ts';
import { createApi } from '#api.ts';
import { adjustment, charge, chargeDifference, hold, prove, topUp } from '#domain/ledger/ledger.ts';
import { recordSetup } from '#domain/second-person/second-person.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { dearer, holdOf, meta, next, scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let http: FastifyInstance;
let [station, parent] = [0, 0];

interface Person {
  id: number;
  token: string;
}
const login = async (role: string, station_id: number | null = null): Promise<Person> => {
  const id = await addAccount(app.db, role, station_id);
  const token = await app.db.tx(scope, (work) =>
    openSession(work, {
      account_id: id,
      address: '',
      user_agent: '',
      now: app.clock.now(),
      limits: app.config.session,
    }),
  );
  return { id, token };
};

interface Answer {
  status: number;
  data: Statement &
    Pick<Station, 'claim_amount' | 'credit_limit' | 'version'> & {
      code?: string;
      params?: Record<string, unknown>;
    };
}
const call = async (
  who: Person,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  payload?: object,
): Promise<Answer> => {
  const answer = await http.inject({
    method,
    url: `/api/arco${url}`,
    headers: { authorization: `Bearer ${who.token}`, 'idempotency-key': `owner-case-${next()}` },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, data: answer.json<{ data: Answer['data'] }>().data };
};
const post = (who: Person, url: string, payload: object): Promise<Answer> =>
  call(who, 'POST', url, payload);
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(scope, (work) => text.execute(work.tx))).rows;
const money = async (id = station): Promise<number> =>
  (
    await query(sql<{ money: number }>`select money
  from stations where id = ${id}`)
  )[0]!.money;
const limitTo = (amount: number): Promise<unknown[]> =>
  query(sql`insert into settings (name, value)
    values ('given_alone_limit', to_jsonb(${amount}::int)) on conflict (name) do update
    set value = excluded.value`);

const shares = (amount: number) => [{ station_id: parent, amount }];
/**
 * Charges a parcel 1,970 fen, of which the parent station gets 94, and returns the charging
 * transaction.
 */
const charged = async (): Promise<{ id: number; line: number }> => {
  const user_id = await addAccount(app.db, 'user', station);
  const [{ id }] = (await query(
    sql<{
      id: number;
    }>`insert into expresses (station_id, user_id, order_id, state_code, picked_up_at)
      values (${station}, ${user_id}, ${`O${next()}`}, 200, now()) returning id`,
  )) as [{ id: number }];
  await app.db.tx(scope, async (work) => {
    await hold(work, holdOf(station, id));
    await charge(work, {
      express_id: id,
      attempt: 1,
      delivery_id: null,
      price: dearer,
      shares: shares(94),
      ...meta(),
    });
  });
  const [{ id: line }] = (await query(sql<{ id: number }>`select id from statements
    where express_id = ${id} and type = 'charge'`)) as [{ id: number }];
  return { id, line };
};

beforeAll(async () => {
  app = await createTestApp();
  http = await createApi(app, { checkOutput: true });
});
beforeEach(async () => {
  await query(sql`update accounts set status = 0 where role in ('super', 'admin')`);
  await limitTo(50_000);
  parent = await addStation(app.db);
  station = await addStation(app.db, { has_amount: 0, parent_id: parent });
});
afterAll(async () => {
  expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
  await http.close();
  await app.close();
});

describe('reversals of charged parcels', () => {
  it('reversals count toward the limit of what one user may move alone; above the limit a second person must approve', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    await limitTo(3_939);
    const [one, two] = [await charged(), await charged()];
    const reverse = (line: number, who = admin) =>
      post(who, `/statements/${line}/reverse`, { reason: '错单' });
    expect(await reverse(one.line)).toMatchObject({ data: { status: 'posted', amount: 1_970 } });
    const asked = await reverse(two.line);
    expect(asked).toMatchObject({
      status: 200,
      data: { type: 'reversal', status: 'pending', amount: 1_970 },
    });
    expect([await money(), await money(parent)]).toEqual([-1_970, 94]);
    expect(await reverse(two.line, second)).toMatchObject({
      status: 409,
      data: { code: 'parcel_reversal_pending' },
    });
    expect(await post(admin, `/statements/${asked.data.id}/approve`, {})).toMatchObject({
      data: { code: 'second_person_required' },
    });
    expect(await post(second, `/statements/${asked.data.id}/approve`, {})).toMatchObject({
      data: { status: 'posted', amount: 1_970, balance: 0 },
    });
    expect([await money(), await money(parent)]).toEqual([0, 0]);
    expect(
      await query(sql`select status from statements where express_id = ${two.id}
      and type in ('charge', 'profit')`),
    ).toEqual([{ status: 'reversed' }, { status: 'reversed' }]);
    expect(await reverse(two.line, second)).toMatchObject({
      status: 409,
      data: { code: 'parcel_reversed' },
    });
    // A movement decided by a second person counts toward no user's limit, so 3,939 − 1,970 fen of
    // the limit remain.
    expect(
      await post(admin, `/stations/${station}/adjustments`, { amount: 1_970, description: '补偿' }),
    ).toMatchObject({ data: { status: 'pending' } });
    expect(
      await post(admin, `/stations/${station}/adjustments`, { amount: 1_969, description: '补偿' }),
    ).toMatchObject({ data: { status: 'posted' } });
  });

  it('a pending reversal cannot be approved after a further charge of the parcel, because its amount would be different', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    await limitTo(0);
    const { id, line } = await charged();
    const asked = await post(admin, `/statements/${line}/reverse`, { reason: '错单' });
    const dearest = { ...dearer, pre_amount: 2_500, discount_amount: 360, post_amount: 2_140 };
    await app.db.tx(scope, (work) =>
      chargeDifference(work, {
        express_id: id,
        type: 'reweigh',
        price_before: dearer,
        price_after: dearest,
        shares_before: shares(94),
        shares_after: shares(94),
        ...meta(),
      }),
    );
    expect(await post(second, `/statements/${asked.data.id}/approve`, {})).toMatchObject({
      status: 409,
      data: { code: 'parcel_reversal_changed', params: { reversed_amount: 2_140 } },
    });
    expect(
      await post(second, `/statements/${asked.data.id}/decline`, { reason: '金额已变' }),
    ).toMatchObject({ data: { status: 'declined' } });
    expect(await post(admin, `/statements/${line}/reverse`, { reason: '错单' })).toMatchObject({
      data: { status: 'pending', amount: 2_140 },
    });
  });
});

describe('accounts that one user set up', () => {
  const setUp = (account_id: number, by: number, at: Date) =>
    app.db.tx(scope, (work) => recordSetup(work, { account_id, by, what: ['password'], at }));

  it('accounts that one user set up within 30 days share that user’s limits, and other accounts have their own limits', async () => {
    const manager = await login('super');
    const [one, two, apart, old] = [
      await login('admin'),
      await login('admin'),
      await login('admin'),
      await login('admin'),
    ];
    const now = app.clock.now();
    for (const { id } of [one, two]) await setUp(id, manager.id, now);
    await setUp(old.id, manager.id, new Date(now.getTime() - 30 * 86_400_000));
    const adjust = async (who: Person, amount: number) =>
      (await post(who, `/stations/${station}/adjustments`, { amount, description: '补偿' })).data
        .status;
    expect([
      await adjust(one, 30_000),
      await adjust(two, 20_001),
      await adjust(manager, 20_001),
      await adjust(two, 20_000),
      await adjust(one, 1),
    ]).toEqual(['posted', 'pending', 'pending', 'posted', 'pending']);
    expect([await adjust(apart, 50_000), await adjust(old, 50_000)]).toEqual(['posted', 'posted']);
  });

  it('accounts set up by the same user share one daily limit for top-ups, even if the top-ups are simultaneous', async () => {
    const manager = await login('super');
    const people = [await login('admin'), await login('admin'), await login('admin')];
    for (const { id } of people) await setUp(id, manager.id, app.clock.now());
    const answers = await Promise.all(
      [...people, ...people].map((who) =>
        post(who, `/stations/${station}/top-ups`, { amount: 5_000_000 }),
      ),
    );
    expect(answers.map(({ data }) => data.status).toSorted()).toEqual([
      'pending',
      'pending',
      'posted',
      'posted',
      'posted',
      'posted',
    ]);
  });
});

describe('the balance of a disabled station', () => {
  it('the balance of a disabled station is paid out at an administrator’s request after a second person approves; an enabled station requests its own payout', async () => {
    const [admin, second, manager] = [
      await login('admin'),
      await login('admin'),
      await login('station', station),
    ];
    await post(admin, `/stations/${station}/top-ups`, { amount: 10_000 });
    const ask = (who: Person, amount: number) =>
      post(who, `/stations/${station}/closing-withdrawals`, {
        amount,
        description: '网点关闭退款',
      });
    expect(await ask(admin, 10_000)).toMatchObject({
      status: 409,
      data: { code: 'withdrawal_by_station' },
    });
    expect((await ask(manager, 1)).status).toBe(403);
    await query(sql`update stations set status = 0 where id = ${station}`);
    expect(await ask(admin, 10_001)).toMatchObject({
      status: 422,
      data: { code: 'available_too_low', params: { missing_amount: 1 } },
    });
    const asked = await ask(admin, 10_000);
    expect(asked).toMatchObject({
      status: 200,
      data: { type: 'withdrawal', status: 'pending', amount: -10_000 },
    });
    expect(await post(admin, `/statements/${asked.data.id}/approve`, {})).toMatchObject({
      data: { code: 'second_person_required' },
    });
    expect(await post(second, `/statements/${asked.data.id}/approve`, {})).toMatchObject({
      data: { status: 'posted', balance: 0 },
    });
    expect(await post(admin, `/stations/999999/closing-withdrawals`, { amount: 1 })).toMatchObject({
      status: 404,
    });
  });
});

describe('a top-up that was spent in part', () => {
  it('reversing a partly spent top-up returns the unspent part, and the rest stays a claim on the station until it is collected', async () => {
    const [admin, second] = [await login('admin'), await login('admin')];
    const { data: topUp } = await post(admin, `/stations/${station}/top-ups`, { amount: 10_000 });
    await charged();
    const claim = async () => (await call(admin, 'GET', `/stations/${station}`)).data.claim_amount;
    const reverse = (who: Person, part?: 1) =>
      post(who, `/statements/${topUp.id}/reverse`, { reason: '充错网点', ...(part && { part }) });
    expect(await reverse(second)).toMatchObject({
      status: 422,
      data: { code: 'top_up_spent', params: { missing_amount: 1_970 } },
    });
    expect(await reverse(second, 1)).toMatchObject({
      data: { type: 'reversal', status: 'posted', amount: -8_030, balance: 0 },
    });
    expect(await claim()).toBe(1_970);
    expect(await reverse(second, 1)).toMatchObject({ status: 422, data: { code: 'top_up_spent' } });
    await post(admin, `/stations/${station}/top-ups`, { amount: 1_000 });
    // If the same user reverses it, a request with this amount is made.
    const asked = await reverse(admin, 1);
    expect(asked).toMatchObject({ data: { status: 'pending', amount: -1_000 } });
    await post(admin, `/stations/${station}/top-ups`, { amount: 2_000 });
    expect(await post(second, `/statements/${asked.data.id}/approve`, {})).toMatchObject({
      data: { status: 'posted', amount: -1_000, balance: 2_000 },
    });
    expect(await claim()).toBe(970);
    expect(await reverse(second)).toMatchObject({ data: { amount: -970, balance: 1_030 } });
    expect(await claim()).toBe(0);
    expect(await reverse(second, 1)).toMatchObject({
      status: 409,
      data: { code: 'top_up_reversed' },
    });
  });
});

describe('the credit limit of a post-paid station', () => {
  it('only administrators set a station’s credit limit, and orders may take the balance below zero by at most that limit', async () => {
    const [admin, partner] = [await login('admin'), await login('partner', parent)];
    const { data } = await call(admin, 'GET', `/stations/${station}`);
    expect(data.credit_limit).toBeNull();
    const set = (who: Person, credit_limit: number | null, version: number) =>
      call(who, 'PATCH', `/stations/${station}`, { credit_limit, version });
    expect((await set(partner, 1, data.version)).status).toBe(422);
    expect((await set(admin, -1, data.version)).status).toBe(422);
    expect(await set(admin, 3_769, data.version)).toMatchObject({ data: { credit_limit: 3_769 } });
    const order = async () => {
      const express_id = (
        await query(sql<{ id: number }>`select nextval('expresses_id_seq') as id`)
      )[0]!.id;
      return app.db.tx(scope, (work) => hold(work, holdOf(station, express_id)));
    };
    const { ok: first } = await order();
    const held = (
      await query(sql<{ amount: number }>`select "freeze" as amount from stations
      where id = ${station}`)
    )[0]!.amount;
    const lacking = 2 * held - 3_769;
    expect([first, lacking > 0 ? await order() : null]).toEqual([
      true,
      lacking > 0 ? { ok: false, missing_amount: lacking } : null,
    ]);
    await call(admin, 'PATCH', `/stations/${station}`, {
      credit_limit: 2 * held,
      version: (await call(admin, 'GET', `/stations/${station}`)).data.version,
    });
    expect([(await order()).ok, await order()]).toEqual([
      true,
      { ok: false, missing_amount: held },
    ]);
    await call(admin, 'PATCH', `/stations/${station}`, {
      credit_limit: null,
      version: (await call(admin, 'GET', `/stations/${station}`)).data.version,
    });
    expect((await order()).ok).toBe(true);
  });
});

describe('the debt of a post-paid station', () => {
  type Owing = OutputOf<typeof balanceBoard>['owing'];
  const daysAgo = (days: number): Date => new Date(app.clock.now().getTime() - days * 86_400_000);
  const owing = async (who: Person): Promise<Owing['items'][number] | undefined> => {
    const { owing: found } = (await call(who, 'GET', '/workplace/balances')).data as unknown as {
      owing: Owing;
    };
    return found.items.find(({ station_id }) => station_id === station);
  };
  const pay = (amount: number): Promise<number> =>
    app.db.tx(scope, (work) =>
      topUp(work, { station_id: station, amount, description: '', ...meta() }),
    );

  it('the debt of a post-paid station is as old as its oldest cost that payments do not cover, and the linked list shows it', async () => {
    const admin = await login('admin');
    for (const days of [9, 5, 1]) {
      const express_id = 2_000_000 + next();
      const posted = () => ({ ...meta(), at: daysAgo(days) });
      await app.db.tx(scope, async (work) => {
        await hold(work, { ...holdOf(station, express_id), ...posted() });
        await charge(work, {
          express_id,
          attempt: 1,
          delivery_id: null,
          price: dearer,
          shares: shares(94),
          ...posted(),
        });
      });
    }
    await query(sql`update stations set credit_limit = 9000 where id = ${station}`);
    // Each row has the debt before a payment, its age in days, and the payment. A payment leaves
    // one fen of a day's charge, or covers it completely.
    for (const [owed, days_outstanding, payment] of [
      [5_910, 9, 1_969],
      [3_941, 9, 1],
      [3_940, 5, 1_970],
      [1_970, 1, 1_969],
      [1, 1, 1],
    ] as const) {
      expect(await owing(admin)).toMatchObject({ owed, credit_limit: 9_000, days_outstanding });
      await pay(payment);
    }
    expect(await owing(admin)).toBeUndefined();
    await app.db.tx(scope, (work) =>
      adjustment(work, { station_id: station, amount: -5, description: '', ...meta() }),
    );
    expect(await owing(admin)).toMatchObject({ owed: 5, days_outstanding: 1 });
    const listed = await call(admin, 'GET', '/stations?owing=1');
    expect(
      (listed.data as unknown as { items: { id: number }[] }).items.map(({ id }) => id),
    ).toContain(station);
  });

  it('the debt of a post-paid station without parcels has no age', async () => {
    const admin = await login('admin');
    await app.db.tx(scope, (work) =>
      adjustment(work, { station_id: station, amount: -5, description: '', ...meta() }),
    );
    expect(await owing(admin)).toMatchObject({
      owed: 5,
      credit_limit: null,
      days_outstanding: null,
    });
  });
});
