import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';
import { eventually, exampleOrder } from '#testing/test-system.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi({ processes: 2, config: { poolSize: 16 } });
  tokens = await api.loginAll();
});
afterAll(() => api.close());

/** The price of `exampleOrder` at the demo's Shenzhen station, in fen. */
let price: number;
interface Parcel extends Refused {
  id: number;
  state_code: number;
  post_amount: number;
}
const expresses = '/api/arco/expresses';
const order = (token: string, changes: Record<string, unknown> = {}) =>
  api.call<Parcel>(token, 'POST', expresses, exampleOrder({ wait: 0, ...changes }));
beforeAll(async () => {
  price = (await order(tokens.clerk)).data.post_amount;
  expect(price).toBeGreaterThan(1_000);
});

let names = 0;
const make = async (
  daily_limit: number | null,
  token = tokens.clerk,
): Promise<{ api_key: ApiKey; key: string }> => {
  const { data } = await api.call<{ api_key: ApiKey; key: string }>(
    token,
    'POST',
    '/api/arco/keys',
    {
      name: `shop ${++names}`,
      password: 'waystation-demo',
      scopes: ['parcels', 'order', 'cancel'],
      daily_limit,
    },
  );
  return data;
};
const limit = (token: string, id: number, body: Record<string, unknown>) =>
  api.call<ApiKey & Refused>(token, 'POST', `/api/arco/keys/${id}/limit`, {
    password: 'waystation-demo',
    ...body,
  });
const orderedBy = async ({ id }: ApiKey): Promise<number | undefined> =>
  (
    await api.call<{ items: ApiKey[] }>(tokens.super, 'GET', '/api/arco/keys?page_size=200')
  ).data.items.find((one) => one.id === id)?.ordered_today;
const refusal = ({ status, data }: { status: number; data: Refused }) => [
  status,
  data.code,
  data.params,
];

describe('the daily limit of an API key', () => {
  it('an API key without a daily limit can order like its account, and shows the sum of its orders', async () => {
    const { api_key, key } = await make(null);
    expect([api_key.daily_limit, api_key.ordered_today]).toEqual([null, 0]);
    expect((await order(key)).status).toBe(200);
    expect(await orderedBy(api_key)).toBe(price);
  });

  it('an order above an API key’s daily limit is refused with the limit, the day’s sum and the price, and is not stored', async () => {
    const { api_key, key } = await make(2 * price);
    expect([(await order(key)).status, (await order(key)).status]).toEqual([200, 200]);
    const count = () =>
      api
        .rows(sql<{ n: number }>`select count(*)::int as n from expresses`)
        .then(([row]) => row!.n);
    const before = await count();
    const params = { limit_amount: 2 * price, ordered_amount: 2 * price, post_amount: price };
    expect(refusal(await order(key))).toEqual([422, 'key_limit_reached', params]);
    expect([await count(), await orderedBy(api_key)]).toEqual([before, 2 * price]);
    const { key: narrow } = await make(price - 1);
    expect(refusal(await order(narrow))).toEqual([
      422,
      'key_limit_reached',
      { limit_amount: price - 1, ordered_amount: 0, post_amount: price },
    ]);
    expect((await order(tokens.clerk)).status).toBe(200);
  });

  it('if thirty orders with one API key are sent to two processes simultaneously, only as many as the daily limit allows are accepted', async () => {
    const { api_key, key } = await make(7 * price + price - 1);
    const answers = await Promise.all(Array.from({ length: 30 }, () => order(key)));
    const busy = answers.filter(({ status }) => status === 429).length;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ data }) => data.code === 'key_limit_reached')).toHaveLength(23 - busy);
    expect(await orderedBy(api_key)).toBe(7 * price);
  });

  it('an API key with a daily limit of zero can store drafts but cannot order', async () => {
    const { key } = await make(0);
    const draft = await order(key, { draft: 1 });
    expect(draft.status).toBe(200);
    const ordered = await api.call<Parcel>(key, 'POST', `${expresses}/${draft.data.id}/order`);
    expect(refusal(ordered)).toEqual([
      422,
      'key_limit_reached',
      { limit_amount: 0, ordered_amount: 0, post_amount: price },
    ]);
  });

  it('an order repeated with the same Idempotency-Key counts once toward the API key’s daily limit', async () => {
    const { api_key, key } = await make(price);
    const once = { 'idempotency-key': 'shop-order-limit-1' };
    const send = () =>
      api.call<Parcel>({ token: key, headers: once }, 'POST', expresses, exampleOrder({ wait: 0 }));
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.data.id]).toEqual([200, 200, first.data.id]);
    expect(await orderedBy(api_key)).toBe(price);
  });
});

describe('parcels on hold and the daily limit of an API key', () => {
  const hold = async (token: string): Promise<number> => {
    const { id, state_code } = (await order(token)).data;
    expect(state_code).toBe(10);
    return id;
  };
  const release = (token: string, id: number) =>
    api.call<Parcel>(token, 'POST', `${expresses}/${id}/order`);

  it('the price of an on-hold parcel counts toward an API key’s daily limit both when the key orders it and when the key releases it', async () => {
    const { station_id } = (
      await api.call<{ station_id: number }>(tokens.clerk, 'GET', '/api/arco/personal')
    ).data;
    const { api_key, key } = await make(2 * price);
    const { key: narrow } = await make(price - 1);
    // Makes the station post-paid, with this amount of credit left, in fen.
    const leave = (fen: number) =>
      api.rows(sql`update stations set has_amount = 0, credit_limit = ${fen} - available
        where id = ${station_id}`);
    await leave(0);
    const [own, foreign, more] = [
      await hold(key),
      await hold(tokens.clerk),
      await hold(tokens.clerk),
    ];
    expect(await orderedBy(api_key)).toBe(price);
    await leave(3 * price);
    expect(refusal(await release(narrow, foreign))).toEqual([
      422,
      'key_limit_reached',
      { limit_amount: price - 1, ordered_amount: 0, post_amount: price },
    ]);
    const released = await Promise.all([release(key, own), release(key, foreign)]);
    expect(released.map(({ status }) => status)).toEqual([200, 200]);
    expect(await orderedBy(api_key)).toBe(2 * price);
    expect((await release(key, more)).data.code).toBe('key_limit_reached');
  });
});

describe('setting the daily limit of an API key', () => {
  it('an API key’s daily limit is raised, lowered or removed with the password, and applies to its next order in every process', async () => {
    const { api_key, key } = await make(0);
    const wrong = await limit(tokens.clerk, api_key.id, { daily_limit: price, password: 'wrong' });
    expect(wrong.data.fields).toEqual({ password: { code: 'password_wrong' } });
    expect((await order(key)).data.code).toBe('key_limit_reached');
    const raised = await limit(tokens.station, api_key.id, { daily_limit: price });
    expect([raised.status, raised.data.daily_limit]).toEqual([200, price]);
    expect((await order(key)).status).toBe(200);
    expect([(await order(key)).status, (await order(key)).status]).toEqual([422, 422]);
    const free = await limit(tokens.clerk, api_key.id, { daily_limit: null });
    expect([free.data.daily_limit, free.data.ordered_today]).toEqual([null, price]);
    expect((await order(key)).status).toBe(200);
    expect((await limit(tokens.clerk, api_key.id, { daily_limit: 1 })).status).toBe(200);
    expect((await order(key)).data).toMatchObject({
      code: 'key_limit_reached',
      params: { limit_amount: 1, ordered_amount: 2 * price },
    });
  });

  it('each change of an API key’s daily limit is in the audit log of its account with the amounts before and after', async () => {
    const { api_key } = await make(5_000);
    await limit(tokens.station, api_key.id, { daily_limit: 6_000 });
    await limit(tokens.station, api_key.id, { daily_limit: 6_000 });
    expect(
      await api.rows(sql`select action, account_name, changes->'daily_limit' as daily_limit
        from audit_log where subject = 'accounts' and changes->'key_id'->>1 = ${String(api_key.id)}
        order by id`),
    ).toEqual([
      { action: 'create_key', account_name: 'clerk', daily_limit: [null, 5_000] },
      { action: 'limit_key', account_name: 'station', daily_limit: [5_000, 6_000] },
    ]);
  });

  it('the daily limit of an API key that has expired or was revoked cannot be changed', async () => {
    const [expired, revoked] = [await make(null), await make(price)];
    await api.rows(sql`update api_keys set expires_at = ${new Date(api.clock.now().getTime() - 1)}
      where id = ${expired.api_key.id}`);
    await api.call(tokens.clerk, 'POST', `/api/arco/keys/${revoked.api_key.id}/revoke`);
    for (const { api_key } of [expired, revoked]) {
      const { status, data } = await limit(tokens.clerk, api_key.id, { daily_limit: 2 * price });
      expect([status, data.code]).toEqual([409, 'key_ended']);
    }
    expect(
      await api.rows(sql`select 1 as found from audit_log where action = 'limit_key'
        and (changes -> 'key_id' ->> 1)::bigint in (${expired.api_key.id}, ${revoked.api_key.id})`),
    ).toEqual([]);
  });

  it('if an order waits for another order of its API key and the daily limit is lowered meanwhile, the lower limit applies', async () => {
    const { api_key, key } = await make(10 * price);
    expect((await order(key)).status).toBe(200);
    const waiting = await api.app.db.tx(systemScope('an order of the key'), async (work) => {
      await sql`select 1 from api_key_orders where key_id = ${api_key.id} for update`.execute(
        work.tx,
      );
      const sent = order(key);
      await eventually(async () => {
        const [{ waits } = { waits: 0 }] = await api.rows(
          sql<{ waits: number }>`select count(*)::int as waits from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%api_key_orders%'`,
        );
        return waits > 0;
      });
      expect((await limit(tokens.clerk, api_key.id, { daily_limit: price })).status).toBe(200);
      return { sent };
    });
    const { status, data } = await waiting.sent;
    expect([status, data.code]).toEqual([422, 'key_limit_reached']);
    expect(await orderedBy(api_key)).toBe(price);
  });

  it('API keys cannot set a daily limit, and setting it returns 404 for a key of an account that the caller does not manage', async () => {
    const { api_key } = await make(0, tokens.partner);
    expect((await limit(tokens.clerk, api_key.id, { daily_limit: null })).status).toBe(404);
    const { api_key: own, key } = await make(0);
    expect((await limit(key, own.id, { daily_limit: null })).data.code).toBe('key_forbidden');
  });

  it.each([-1, 0.5, 100_000_000_001])(
    'a daily limit of %s fen for an API key is refused with an error for that field',
    async (fen) => {
      const { api_key } = await make(0);
      const { status, data } = await limit(tokens.clerk, api_key.id, { daily_limit: fen });
      expect([status, Object.keys(data.fields ?? {})]).toEqual([422, ['daily_limit']]);
    },
  );
});

describe('the business day of an API key’s daily limit', () => {
  it('a cancelled order still counts toward its API key’s daily limit, and the count restarts at midnight in Shanghai', async () => {
    const start = api.clock.now();
    const { api_key, key } = await make(price);
    const { id } = (await order(key)).data;
    expect(
      (await api.call(key, 'POST', `${expresses}/${id}/cancel`, { reason: '买家退单' })).status,
    ).toBe(200);
    expect((await order(key)).data.code).toBe('key_limit_reached');
    const day = new Date(start.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
    const midnight = Date.parse(`${day}T00:00:00+08:00`) + 86_400_000;
    api.clock.set(new Date(midnight - 1));
    expect((await order(key)).data.code).toBe('key_limit_reached');
    api.clock.set(new Date(midnight));
    // The sessions of the day before have ended.
    tokens = await api.loginAll();
    expect(await orderedBy(api_key)).toBe(0);
    expect((await order(key)).status).toBe(200);
    // A process whose clock is behind counts an order on the day that has already begun.
    api.clock.set(new Date(midnight - 1));
    expect((await order(key)).data.code).toBe('key_limit_reached');
  });
});
