import { mostPendingTopUps } from '@waystation/contract/base/limits.ts';
import { topUpReference } from '@waystation/contract/money/statement.ts';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Journal, Statement } from '@waystation/contract/money/statement.ts';
import { createApi } from '#api.ts';
import { charge, hold, prove, topUp } from '#domain/ledger/ledger.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { dearer, holdOf, next, meta, scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let http: FastifyInstance;
const tokens: Record<string, string> = {};
const stations = { top: 0, near: 0, other: 0 };

const login = async (name: string, role: string, station_id: number | null): Promise<void> => {
  const account_id = await addAccount(app.db, role, station_id);
  await app.db.tx(scope, (work) =>
    sql`update accounts set nickname = ${name}
    where id = ${account_id}`.execute(work.tx),
  );
  tokens[name] = await app.db.tx(scope, (work) =>
    openSession(work, {
      account_id,
      address: '',
      user_agent: '',
      now: app.clock.now(),
      limits: app.config.session,
    }),
  );
};

interface Answer {
  status: number;
  data: Statement & {
    code?: string;
    params?: Record<string, unknown>;
    fields?: Record<string, unknown>;
  };
}

let keys = 0;
const post = async (
  who: string,
  url: string,
  payload: object,
  key = `movement-key-${++keys}`,
): Promise<Answer> => {
  const answer = await http.inject({
    method: 'POST',
    url: `/api/arco${url}`,
    headers: { authorization: `Bearer ${tokens[who]}`, 'idempotency-key': key },
    payload,
  });
  return { status: answer.statusCode, data: answer.json<{ data: Answer['data'] }>().data };
};

/** Adds a parcel that is charged 1,970 fen, of which the parent station gets 94. */
const charged = async (): Promise<number> => {
  const user_id = await addAccount(app.db, 'user', stations.near);
  return app.db.tx(scope, async (work) => {
    const { rows } = await sql<{
      id: number;
    }>`insert into expresses (station_id, user_id, order_id, state_code, picked_up_at)
      values (${stations.near}, ${user_id}, ${`T${next()}`}, 200, ${app.clock.now()})
      returning id`.execute(work.tx);
    const express_id = rows[0]!.id;
    await hold(work, holdOf(stations.near, express_id));
    await charge(work, {
      express_id,
      attempt: 1,
      delivery_id: null,
      price: dearer,
      shares: [{ station_id: stations.top, amount: 94 }],
      ...meta(),
    });
    return express_id;
  });
};

const money = async (station_id: number): Promise<number> =>
  (
    await app.db.tx(scope, (work) =>
      sql<{ money: number }>`select money from stations
    where id = ${station_id}`.execute(work.tx),
    )
  ).rows[0]!.money;
const audited = async (action: string): Promise<number> =>
  (
    await app.db.tx(scope, (work) =>
      sql<{ n: number }>`select count(*) as n from audit_log
    where action = ${action}`.execute(work.tx),
    )
  ).rows[0]!.n;

beforeAll(async () => {
  app = await createTestApp();
  http = await createApi(app, { checkOutput: true });
  stations.top = await addStation(app.db);
  stations.near = await addStation(app.db, { parent_id: stations.top });
  stations.other = await addStation(app.db);
  await login('admin', 'admin', null);
  await login('second', 'admin', null);
  await login('partner', 'partner', stations.top);
  await login('station', 'station', stations.near);
  await login('clerk', 'user', stations.near);
  await app.db.tx(scope, (work) =>
    topUp(work, { station_id: stations.near, amount: 100_000, description: '', ...meta() }),
  );
});
afterAll(async () => {
  await http.close();
  await app.close();
});

describe('a withdrawal', () => {
  it('a withdrawal that a station requests for itself moves no money until an administrator approves it', async () => {
    const before = await money(stations.near);
    const requested = await post('station', `/stations/${stations.near}/withdrawals`, {
      amount: 5_000,
      description: '提现',
    });
    expect(requested).toMatchObject({
      status: 200,
      data: { type: 'withdrawal', status: 'pending', seq: null },
    });
    expect(await money(stations.near)).toBe(before);
    const approved = await post('admin', `/statements/${requested.data.id}/approve`, {});
    expect(approved).toMatchObject({
      status: 200,
      data: { id: requested.data.id, status: 'posted', amount: -5_000, balance: before - 5_000 },
    });
    expect(approved.data).toMatchObject({
      account_nickname: 'station',
      decided_nickname: 'admin',
      decision_reason: '',
    });
    expect(
      await post('second', `/statements/${requested.data.id}/decline`, { reason: '晚了' }),
    ).toMatchObject({
      status: 409,
      data: { code: 'statement_not_pending' },
    });
    expect(await audited('approve')).toBe(1);
  });

  it('a withdrawal cannot be requested by a parent, an administrator or a clerk', async () => {
    expect(
      await post('partner', `/stations/${stations.near}/withdrawals`, { amount: 1 }),
    ).toMatchObject({ status: 404 });
    expect(
      await post('station', `/stations/${stations.other}/withdrawals`, { amount: 1 }),
    ).toMatchObject({ status: 404 });
    for (const who of ['admin', 'clerk'])
      expect(
        (await post(who, `/stations/${stations.near}/withdrawals`, { amount: 1 })).status,
      ).toBe(403);
  });

  it('if a withdrawal exceeds the available balance, its request and its approval return the missing amount', async () => {
    const available = await money(stations.near);
    expect(
      await post('station', `/stations/${stations.near}/withdrawals`, { amount: available + 7 }),
    ).toMatchObject({
      status: 422,
      data: { code: 'available_too_low', params: { missing_amount: 7 } },
    });
    const { data } = await post('station', `/stations/${stations.near}/withdrawals`, {
      amount: available,
    });
    await post('admin', `/stations/${stations.near}/adjustments`, {
      amount: -300,
      description: '少收',
    });
    expect(await post('admin', `/statements/${data.id}/approve`, {})).toMatchObject({
      data: { code: 'available_too_low', params: { missing_amount: 300 } },
    });
    expect(
      await post('admin', `/statements/${data.id}/decline`, { reason: '余额不足' }),
    ).toMatchObject({
      status: 200,
      data: {
        status: 'declined',
        account_nickname: 'station',
        decided_nickname: 'admin',
        decision_reason: '余额不足',
      },
    });
    // The station can read who made the request and why it was declined. Accounts of administrators
    // are outside its scope.
    const headers = { authorization: `Bearer ${tokens['station']}` };
    const read = await http.inject({ url: '/api/arco/statements?status=declined', headers });
    expect(read.json()).toMatchObject({
      data: {
        items: [
          {
            id: data.id,
            account_nickname: 'station',
            decided_nickname: null,
            decision_reason: '余额不足',
          },
        ],
      },
    });
  });
});

describe('a money request that four people decide at once', () => {
  const request = {
    withdrawal: () =>
      post('station', `/stations/${stations.near}/withdrawals`, {
        amount: 700,
        description: '提现',
      }),
    'top-up of the station': () =>
      post('station', `/stations/${stations.near}/top-ups`, { amount: 700, description: '转账' }),
    'top-up of the station above the limit of one person': () =>
      post('station', `/stations/${stations.near}/top-ups`, {
        amount: 5_000_001,
        description: '转账',
      }),
    'top-up above the limit': () =>
      post('third', `/stations/${stations.near}/top-ups`, {
        amount: 5_000_001,
        description: '转账',
      }),
    adjustment: () =>
      post('third', `/stations/${stations.near}/adjustments`, {
        amount: -60_000,
        description: '多付',
      }),
  };
  const people = ['fourth', 'fifth', 'sixth', 'seventh'];
  beforeAll(async () => {
    for (const name of ['third', ...people]) await login(name, 'admin', null);
  });

  it.each(Object.keys(request) as (keyof typeof request)[])(
    'a %s decided by four people at once is posted once, and the other three are refused',
    async (kind) => {
      const before = await money(stations.near);
      const { data } = await request[kind]();
      expect(data.status).toBe('pending');
      const answers = await Promise.all(
        [...people, ...people].map((who) => post(who, `/statements/${data.id}/approve`, {})),
      );
      const outcomes = answers.map(({ data: { code, status } }) => code ?? status);
      // Both of two approvals succeed. The first response is read after its commit, perhaps after
      // the second approval was posted.
      const done = outcomes.filter((outcome) => outcome === 'posted' || outcome === 'pending');
      expect(done).toHaveLength(
        kind === 'top-up of the station above the limit of one person' ? 2 : 1,
      );
      expect(done).toContain('posted');
      // The same user cannot give the second approval.
      expect(
        outcomes.filter(
          (outcome) =>
            !['posted', 'pending', 'statement_not_pending', 'second_person_required'].includes(
              outcome,
            ),
        ),
      ).toEqual([]);
      expect(await money(stations.near)).toBe(before + data.amount);
    },
  );
});

describe('a top-up that a station requests', () => {
  const ask = (amount: number) =>
    post('station', `/stations/${stations.near}/top-ups`, { amount, description: '转账尾号 1234' });
  const read = async (who: string, query: string) =>
    (
      await http.inject({
        url: `/api/arco/statements?${query}`,
        headers: { authorization: `Bearer ${tokens[who]}` },
      })
    ).json<{
      data: { items: { id: number }[] };
    }>().data.items;

  it('a top-up that a station requests posts nothing until one user of the office approves it, and is found by its reference', async () => {
    const before = await money(stations.near);
    const { status, data } = await ask(20_000);
    expect([status, data.status, data.type, data.seq]).toEqual([200, 'pending', 'top_up', null]);
    expect(await money(stations.near)).toBe(before);
    expect((await read('admin', `q=${topUpReference(data.id)}`)).map(({ id }) => id)).toEqual([
      data.id,
    ]);
    expect(await post('admin', `/statements/${data.id}/approve`, {})).toMatchObject({
      status: 200,
      data: { status: 'posted', balance: before + 20_000 },
    });
  });

  it('a user can request a top-up only for the user’s own station', async () => {
    expect(
      (await post('station', `/stations/${stations.other}/top-ups`, { amount: 1 })).status,
    ).toBe(404);
    expect(
      (await post('partner', `/stations/${stations.near}/top-ups`, { amount: 1 })).status,
    ).toBe(404);
    expect((await post('clerk', `/stations/${stations.near}/top-ups`, { amount: 1 })).status).toBe(
      403,
    );
  });

  it('a requested top-up above the limit of one user needs the approval of two administrators', async () => {
    const firstApprovals = await audited('approve_first');
    const before = await money(stations.near);
    const { data } = await ask(5_000_001);
    expect(await post('admin', `/statements/${data.id}/approve`, {})).toMatchObject({
      status: 200,
      data: { status: 'pending', first_approved: 1 },
    });
    expect(await post('admin', `/statements/${data.id}/approve`, {})).toMatchObject({
      status: 403,
      data: { code: 'second_person_required' },
    });
    expect(await money(stations.near)).toBe(before);
    expect(await post('second', `/statements/${data.id}/approve`, {})).toMatchObject({
      status: 200,
      data: { status: 'posted', first_approved: 0 },
    });
    expect(await money(stations.near)).toBe(before + 5_000_001);
    expect(await audited('approve_first')).toBe(firstApprovals + 1);
  });

  it('a top-up that a station requests counts toward its approver’s daily limit', async () => {
    for (const amount of [5_000_000, 5_000_000, 5_000_000]) {
      const { data } = await ask(amount);
      expect(await post('second', `/statements/${data.id}/approve`, {})).toMatchObject({
        data: { status: 'posted' },
      });
    }
    const { data } = await ask(5_000_000);
    expect(await post('second', `/statements/${data.id}/approve`, {})).toMatchObject({
      data: { status: 'posted' },
    });
    const beyond = await ask(1);
    expect(await post('second', `/statements/${beyond.data.id}/approve`, {})).toMatchObject({
      data: { status: 'pending', first_approved: 1 },
    });
    expect(
      await post('second', `/stations/${stations.other}/top-ups`, { amount: 1 }),
    ).toMatchObject({ data: { status: 'pending' } });
  });

  it('a pending money request can be withdrawn only by the account that made it', async () => {
    const { data } = await ask(300);
    for (const who of ['admin', 'partner'])
      expect((await post(who, `/statements/${data.id}/retract`, {})).status).toBe(404);
    expect(await post('station', `/statements/${data.id}/retract`, {})).toMatchObject({
      status: 200,
      data: {
        status: 'declined',
        account_nickname: 'station',
        decided_nickname: 'station',
        decision_reason: '',
      },
    });
    for (const [who, what] of [
      ['station', 'retract'],
      ['admin', 'approve'],
    ] as const)
      expect(await post(who, `/statements/${data.id}/${what}`, {})).toMatchObject({
        status: 409,
        data: { code: 'statement_not_pending' },
      });
  });

  it('a station cannot request another top-up while ten of its top-up requests are pending', async () => {
    const waiting = (await read('station', 'status=pending&type=top_up')).length;
    for (let n = waiting; n < mostPendingTopUps; n += 1) expect((await ask(1)).status).toBe(200);
    expect(await ask(1)).toMatchObject({
      status: 409,
      data: { code: 'too_many_top_up_requests', params: { limit: mostPendingTopUps } },
    });
  });
});

describe('an adjustment', () => {
  it('an adjustment within the limit for one person is posted immediately, and is refused without a reason or an amount', async () => {
    const before = await money(stations.near);
    expect(
      await post('admin', `/stations/${stations.near}/adjustments`, {
        amount: -1_200,
        description: '多付运费',
      }),
    ).toMatchObject({
      status: 200,
      data: {
        type: 'adjustment',
        status: 'posted',
        amount: -1_200,
        description: '多付运费',
        balance: before - 1_200,
      },
    });
    expect(
      await post('admin', `/stations/${stations.near}/adjustments`, {
        amount: 100,
        description: '',
      }),
    ).toMatchObject({
      data: { fields: { description: {} } },
    });
    expect(
      await post('admin', `/stations/${stations.near}/adjustments`, {
        amount: 0,
        description: '零元',
      }),
    ).toMatchObject({
      data: { fields: { amount: {} } },
    });
  });

  it('an adjustment above the limit of one user waits for approval by another user than its requester', async () => {
    const before = await money(stations.near);
    const { data } = await post('admin', `/stations/${stations.near}/adjustments`, {
      amount: 50_001,
      description: '年终返利',
    });
    expect(data).toMatchObject({ status: 'pending' });
    expect(await money(stations.near)).toBe(before);
    expect(await post('admin', `/statements/${data.id}/approve`, {})).toMatchObject({
      status: 403,
      data: { code: 'second_person_required' },
    });
    expect(await post('second', `/statements/${data.id}/approve`, {})).toMatchObject({
      status: 200,
      data: { status: 'posted', balance: before + 50_001 },
    });
  });

  it('an adjustment is posted once however often its request is repeated', async () => {
    const before = await money(stations.near);
    for (const _ of [1, 2, 3])
      await post(
        'admin',
        `/stations/${stations.near}/adjustments`,
        { amount: 10, description: '补差' },
        'one-key-for-all',
      );
    expect(await money(stations.near)).toBe(before + 10);
    expect(
      await post(
        'admin',
        `/stations/${stations.near}/adjustments`,
        { amount: 11, description: '补差' },
        'one-key-for-all',
      ),
    ).toMatchObject({
      status: 422,
    });
  });
});

describe('refunds and reversals of a parcel', () => {
  it('the refunds of a parcel cannot exceed its charge, and insurance payouts do not count as refunds', async () => {
    const id = await charged();
    const before = await money(stations.near);
    expect(
      await post('admin', `/expresses/${id}/refunds`, { amount: 1_971, description: '破损' }),
    ).toMatchObject({
      data: { code: 'refund_too_large', params: { left_amount: 1_970 } },
    });
    expect(
      await post('admin', `/expresses/${id}/refunds`, { amount: 500, description: '破损' }),
    ).toMatchObject({ data: { type: 'refund', amount: 500 } });
    expect(
      await post('admin', `/expresses/${id}/payouts`, { amount: 3_000, description: '丢失理赔' }),
    ).toMatchObject({
      data: { type: 'payout', amount: 3_000 },
    });
    expect(await money(stations.near)).toBe(before + 3_500);
    expect(
      (await post('station', `/expresses/${id}/refunds`, { amount: 1, description: '自己退' }))
        .status,
    ).toBe(403);
  });

  it('a parcel that was never ordered cannot be refunded', async () => {
    const user_id = await addAccount(app.db, 'user', stations.near);
    const [{ id }] = await app.db.tx(
      scope,
      async (work) =>
        (
          await sql<{
            id: number;
          }>`insert into expresses (station_id, user_id, order_id, state_code)
            values (${stations.near}, ${user_id}, ${`T${next()}`}, 0) returning id`.execute(work.tx)
        ).rows as [{ id: number }],
    );
    const before = await money(stations.near);
    expect(
      await post('admin', `/expresses/${id}/payouts`, { amount: 3_000, description: '丢失理赔' }),
    ).toMatchObject({
      status: 422,
      data: { code: 'payout_not_picked_up' },
    });
    expect(
      await post('admin', `/expresses/${id}/refunds`, { amount: 1, description: '破损' }),
    ).toMatchObject({ data: { code: 'parcel_not_charged' } });
    expect(await money(stations.near)).toBe(before);
  });

  it('reversing a charge also reverses its profit shares, and a profit share alone cannot be reversed', async () => {
    const [near, top] = [await money(stations.near), await money(stations.top)];
    const id = await charged();
    const { rows } = await app.db.tx(scope, (work) =>
      sql<{ id: number; type: string }>`select id, type from statements
        where express_id = ${id} and type in ('charge', 'profit')`.execute(work.tx),
    );
    const line = (type: string): number => rows.find((row) => row.type === type)!.id;
    expect(await post('admin', `/statements/${line('charge')}/reverse`, {})).toMatchObject({
      status: 422,
      data: { fields: { reason: {} } },
    });
    expect(
      await post('admin', `/statements/${line('profit')}/reverse`, { reason: '错单' }),
    ).toMatchObject({ data: { code: 'not_reversible' } });
    expect(
      await post('admin', `/statements/${line('charge')}/reverse`, { reason: '错单' }),
    ).toMatchObject({
      status: 200,
      data: { type: 'reversal', amount: 1_970 },
    });
    expect([await money(stations.near), await money(stations.top)]).toEqual([near, top]);
    expect(
      await post('admin', `/statements/${line('charge')}/reverse`, { reason: '错单' }),
    ).toMatchObject({ data: { code: 'parcel_reversed' } });
  });
});

describe('the totals above the list of statements', () => {
  interface Strip {
    opening: number;
    in: number;
    out: number;
    closing: number;
    frozen: number;
  }
  const strip = async (who: string, query = ''): Promise<Strip | null> =>
    (
      await http.inject({
        method: 'GET',
        url: `/api/arco/statements/counts${query}`,
        headers: { authorization: `Bearer ${tokens[who]}` },
      })
    ).json<{
      data: { strip: Strip | null };
    }>().data.strip;

  it('above the list of statements, opening plus inflows minus outflows equals closing, for each user, station and range of days', async () => {
    for (const [who, query] of [
      ['admin', ''],
      ['partner', ''],
      ['station', ''],
      ['admin', `?station_id=${stations.near}&posted_from=2026-03-02&posted_to=2026-03-02`],
      ['admin', '?period=2026-03'],
    ] as const) {
      const { opening, in: gained, out, closing } = (await strip(who, query))!;
      expect(opening + gained - out, `${who} ${query}`).toBe(closing);
    }
    expect(await strip('station')).toMatchObject({
      opening: 0,
      closing: await money(stations.near),
      frozen: 0,
    });
    expect(
      await strip('admin', `?station_id=${stations.near}&posted_from=2026-03-03`),
    ).toMatchObject({ opening: await money(stations.near), in: 0, out: 0 });
    expect(await strip('admin', '?type=charge')).toBeNull();
  });
});

describe('the journal of a transaction', () => {
  const journal = async (who: string, id: number) =>
    (
      await http.inject({
        method: 'GET',
        url: `/api/arco/statements/${id}/journal`,
        headers: { authorization: `Bearer ${tokens[who]}` },
      })
    ).json<{
      data: Journal & { code?: string };
    }>().data;

  it('administrators see all ledger entries of a transaction; a station sees its own entries and the sum of the others', async () => {
    const express_id = await charged();
    const [{ id }] = (
      await app.db.tx(scope, (work) =>
        sql<{ id: number }>`select id from statements
        where express_id = ${express_id} and type = 'charge'`.execute(work.tx),
      )
    ).rows as [{ id: number }];
    const whole = (await journal('admin', id)).transfer!;
    expect(whole.entries.map(({ account, amount }) => [account, amount])).toEqual([
      ['wallet', -170],
      ['holds', -1_800],
      ['wallet', 94],
      ['revenue', 1_876],
    ]);
    expect(whole).toMatchObject({ hash_holds: 1, chain: { holds: 1 } });
    expect(
      (await journal('station', id)).transfer!.entries.map(({ account, amount }) => [
        account,
        amount,
      ]),
    ).toEqual([
      ['wallet', -170],
      ['holds', -1_800],
      ['others', 1_970],
    ]);
    const owner = new pg.Client(app.owner);
    await owner.connect();
    await owner.query('set session_replication_role = replica');
    await owner.query(
      'update ledger_entries set amount = amount + 1 where transfer_id = $1 and no = 1',
      [whole.id],
    );
    expect((await journal('admin', id)).transfer).toMatchObject({ hash_holds: 0 });
    await owner.query(
      'update ledger_entries set amount = amount - 1 where transfer_id = $1 and no = 1',
      [whole.id],
    );
    await owner.end();
  });
});

describe('the final check of this file', () => {
  it('the ledger check passes after all tests of this file', async () => {
    expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
  });
});
