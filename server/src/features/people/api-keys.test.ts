import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { sql } from '#platform/db/db.ts';
import { from, openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
  tokens = await api.loginAll();
});
afterAll(() => api.close());

interface Made {
  api_key: ApiKey;
  key: string;
}

let names = 0;
const make = async (
  token: string,
  input: Record<string, unknown> = {},
): Promise<Made & Refused & { status: number }> => {
  const { status, data } = await api.call<Made & Refused>(token, 'POST', '/api/arco/keys', {
    name: `shop ${++names}`,
    password: 'waystation-demo',
    scopes: ['parcels', 'order'],
    ...input,
  });
  return { ...data, status };
};
const list = '/api/arco/expresses';
const ask = (key: string, path = list, headers: Record<string, string> = {}) =>
  api.call<Refused>({ token: key, headers }, 'GET', path);
const codeAtBoth = async (key: string): Promise<(string | undefined)[]> => [
  (await ask(key)).data.code,
  (await ask(key)).data.code,
];
const accountOf = async (username: string): Promise<number> =>
  (await api.rows(sql<{ id: number }>`select id from accounts where username = ${username}`))[0]!
    .id;
const later = (ms: number): void => api.clock.set(new Date(api.clock.now().getTime() + ms));

describe('an API key', () => {
  it('a new API key is shown once, and afterwards only its hash and first characters are stored', async () => {
    const { api_key, key } = await make(tokens.clerk);
    expect((await ask(key)).status).toBe(200);
    const { data, bytes } = await api.call<{ items: ApiKey[] }>(
      tokens.clerk,
      'GET',
      '/api/arco/keys',
    );
    expect(data.items.find(({ id }) => id === api_key.id)).toMatchObject({
      hint: key.slice(0, 8),
      status: 'live',
      made_by: 'clerk',
      username: 'clerk',
    });
    expect(bytes.toString()).not.toContain(key);
    const [row] = await api.rows(
      sql<{ text: string }>`select k::text as text from api_keys k where id = ${api_key.id}`,
    );
    expect(row!.text).not.toContain(key.slice(8));
  });

  it('an API key without a given expiry lasts ninety days, and no key can last longer than a year', async () => {
    const { api_key } = await make(tokens.clerk);
    expect(Date.parse(api_key.expires_at!) - api.clock.now().getTime()).toBe(90 * 86_400_000);
    const after = (days: number) =>
      new Date(api.clock.now().getTime() + days * 86_400_000).toISOString();
    expect((await make(tokens.clerk, { expires_at: after(365) })).status).toBe(200);
    expect((await make(tokens.clerk, { expires_at: after(367) })).fields?.['expires_at']).toEqual({
      code: 'invalid',
    });
  });

  it('the name of the user who made an API key is shown only to accounts of that user’s station and to administrators', async () => {
    const { api_key } = await make(tokens.station, { account_id: await accountOf('clerk') });
    const office = await make(tokens.super, { account_id: await accountOf('admin') });
    const makerFor = async (token: string, { id }: ApiKey) =>
      (
        await api.call<{ items: ApiKey[] }>(token, 'GET', '/api/arco/keys?page_size=200')
      ).data.items.find((one) => one.id === id)?.made_by;
    expect(await makerFor(tokens.clerk, api_key)).toBe('station');
    expect(await makerFor(tokens.admin, office.api_key)).toBe('super');
  });

  it('the maker of an API key is hidden from an account whose scope does not include the maker', async () => {
    const { api_key } = await make(tokens.admin, { account_id: await accountOf('clerk') });
    const { data, bytes } = await api.call<{ items: ApiKey[] }>(
      tokens.clerk,
      'GET',
      '/api/arco/keys',
    );
    expect(data.items.find(({ id }) => id === api_key.id)?.made_by).toBeNull();
    expect(bytes.toString()).not.toContain('"admin"');
    expect(api_key.made_by).toBe('admin');
  });

  it('a call of an API key without the needed scope is refused with the name of the scope', async () => {
    const { key } = await make(tokens.clerk, { scopes: ['order'] });
    expect((await ask(key)).data).toMatchObject({
      code: 'key_forbidden',
      params: { scope: 'parcels' },
    });
    expect((await ask(key, '/api/arco/keys')).data).toMatchObject({
      code: 'key_forbidden',
      params: { scope: '–' },
    });
  });

  it('a manager can make an API key for an account below; a request for any other account returns 404', async () => {
    const clerk = await accountOf('clerk');
    const { api_key } = await make(tokens.station, { account_id: clerk });
    expect(api_key).toMatchObject({ username: 'clerk', made_by: 'station' });
    const partner = await accountOf('partner');
    expect((await make(tokens.station, { account_id: partner })).code).toBe('not_found');
    expect((await make(tokens.clerk, { account_id: await accountOf('station') })).code).toBe(
      'not_found',
    );
  });

  it('a change made with an API key belongs to the key’s account, and the audit log shows the name of the key', async () => {
    const { api_key, key } = await make(tokens.clerk);
    const { data } = await api.call<{ id: number; user_id: number }>(
      { token: key, headers: { 'idempotency-key': 'shop-order-0001' } },
      'POST',
      list,
      { draft: 1, receive_name: '张三' },
    );
    expect(data.user_id).toBe(await accountOf('clerk'));
    const [entry] = await api.rows(sql`select account_name, key_name, action from audit_log
      where subject = 'expresses' and subject_id = ${data.id}`);
    expect(entry).toEqual({ account_name: 'clerk', key_name: api_key.name, action: 'draft' });
    const repeated = await api.call<{ id: number }>(
      { token: key, headers: { 'idempotency-key': 'shop-order-0001' } },
      'POST',
      list,
      { draft: 1, receive_name: '张三' },
    );
    expect(repeated.data.id).toBe(data.id);
  });

  it('a revoked API key fails at its next call in every process, and the audit log has both changes', async () => {
    const { api_key, key } = await make(tokens.clerk);
    expect(await codeAtBoth(key)).toEqual([undefined, undefined]);
    const { data } = await api.call<ApiKey>(
      tokens.station,
      'POST',
      `/api/arco/keys/${api_key.id}/revoke`,
      {},
    );
    expect(data.status).toBe('revoked');
    expect(await codeAtBoth(key)).toEqual(['key_invalid', 'key_invalid']);
    expect(
      await api.rows(sql`select action, account_name from audit_log where subject = 'accounts'
        and (changes -> 'key' ->> 0 = ${api_key.name} or changes -> 'key' ->> 1 = ${api_key.name})
        order by id`),
    ).toEqual([
      { action: 'create_key', account_name: 'clerk' },
      { action: 'revoke_key', account_name: 'station' },
    ]);
  });

  it('an API key stops working while its account or station is disabled, and when it expires', async () => {
    const id = await accountOf('clerk');
    const { key } = await make(tokens.clerk, { expires_at: '2026-03-05T00:00:00+08:00' });
    const of = async (): Promise<string> =>
      (await api.call<{ items: ApiKey[] }>(tokens.super, 'GET', `/api/arco/keys?account_id=${id}`))
        .data.items[0]!.status;
    await api.rows(sql`update accounts set status = 0 where id = ${id}`);
    expect([(await ask(key)).data.code, await of()]).toEqual(['key_invalid', 'stopped']);
    await api.rows(sql`update accounts set status = 1 where id = ${id}`);
    const station = api.station('nanshan').id;
    await api.rows(sql`update stations set status = 0 where id = ${station}`);
    expect((await ask(key)).data.code).toBe('key_invalid');
    await api.rows(sql`update stations set status = 1 where id = ${station}`);
    expect((await ask(key)).status).toBe(200);
    const now = api.clock.now();
    api.clock.set(new Date('2026-03-05T00:00:01+08:00'));
    expect((await ask(key)).data.code).toBe('key_invalid');
    api.clock.set(now);
  });

  it('an account that has never logged in can have an API key, but the key stops working if the account becomes a super admin', async () => {
    const { data } = await api.call<{ account: { id: number } }>(
      tokens.super,
      'POST',
      '/api/arco/users',
      { username: 'shop-account', role: 'station', station_id: api.station('nanshan').id },
    );
    const { key } = await make(tokens.super, {
      account_id: data.account.id,
      scopes: ['statements'],
    });
    const statements = '/api/arco/statements';
    // A key works even if its account has never logged in.
    expect((await ask(key, statements)).status).toBe(200);
    await api.rows(sql`update accounts set role = 'super', station_id = null
      where id = ${data.account.id}`);
    expect((await ask(key, statements)).data.code).toBe('key_invalid');
  });

  it('a call from an IP address that the API key does not allow is refused, and counts neither as a call nor as a use of the key', async () => {
    const { api_key, key } = await make(tokens.clerk, {
      addresses: ['203.0.113.0/24', '2001:db8::/32'],
    });
    const there = from('203.0.114.9');
    for (let tries = 0; tries < 5; tries++)
      expect((await ask(key, list, there)).data).toMatchObject({
        code: 'key_address_refused',
        params: { address: '203.0.114.9' },
      });
    const throttled = await ask(key, list, there);
    expect([throttled.status, throttled.data.code]).toEqual([429, 'login_throttled']);
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(
      await api.rows(sql`select c.calls, k.last_used_at from api_keys k
        left join api_key_calls c on c.key_id = k.id where k.id = ${api_key.id}`),
    ).toEqual([{ calls: null, last_used_at: null }]);
    expect(
      await api.rows(sql`select account_id, action, call, sum(tries)::int as tries
        from refused_calls where address = '203.0.114.9' group by 1, 2, 3`),
    ).toEqual([
      {
        account_id: await accountOf('clerk'),
        action: 'call_forbidden',
        call: `GET ${list}`,
        tries: 6,
      },
    ]);
    for (const address of ['203.0.113.9', '::ffff:203.0.113.10', '2001:db8::7'])
      expect([address, (await ask(key, list, from(address))).status]).toEqual([address, 200]);
  });

  it('the last use of an API key is stored at most once a minute', async () => {
    const { api_key, key } = await make(tokens.clerk);
    const used = async () =>
      (
        await api.rows(
          sql<{ at: Date }>`select last_used_at as at from api_keys where id = ${api_key.id}`,
        )
      )[0]!.at;
    const begun = api.clock.now();
    await ask(key);
    later(30_000);
    await ask(key);
    expect(await used()).toEqual(begun);
    later(31_000);
    await ask(key);
    expect(await used()).toEqual(api.clock.now());
  });
});
