import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyCallsInMinute, mostKeys } from '@waystation/contract/base/limits.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
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
  api.call<Refused>(key, 'GET', path, undefined, headers);
const codeAtBoth = async (key: string): Promise<(string | undefined)[]> => [
  (await ask(key)).data.code,
  (await ask(key)).data.code,
];
const accountOf = async (username: string): Promise<number> =>
  (await api.rows(sql<{ id: number }>`select id from accounts where username = ${username}`))[0]!
    .id;
const later = (ms: number): void => api.clock.set(new Date(api.clock.now().getTime() + ms));

describe('an API key', () => {
  it('a new key is answered once and works; afterwards only its hash and first characters exist', async () => {
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

  it('a manager makes keys for accounts below it, and no other account is found', async () => {
    const clerk = await accountOf('clerk');
    const { api_key } = await make(tokens.station, { account_id: clerk });
    expect(api_key).toMatchObject({ username: 'clerk', made_by: 'station' });
    const partner = await accountOf('partner');
    expect((await make(tokens.station, { account_id: partner })).code).toBe('not_found');
    expect((await make(tokens.clerk, { account_id: await accountOf('station') })).code).toBe(
      'not_found',
    );
  });

  it('a key acts as its account: a change by it is the account’s, and the audit log names the key', async () => {
    const { api_key, key } = await make(tokens.clerk);
    const { data } = await api.call<{ id: number; user_id: number }>(
      key,
      'POST',
      list,
      { draft: 1, receive_name: '张三' },
      { 'idempotency-key': 'shop-order-0001' },
    );
    expect(data.user_id).toBe(await accountOf('clerk'));
    const [entry] = await api.rows(sql`select account_name, key_name, action from audit_log
      where subject = 'expresses' and subject_id = ${data.id}`);
    expect(entry).toEqual({ account_name: 'clerk', key_name: api_key.name, action: 'draft' });
    const repeated = await api.call<{ id: number }>(
      key,
      'POST',
      list,
      { draft: 1, receive_name: '张三' },
      { 'idempotency-key': 'shop-order-0001' },
    );
    expect(repeated.data.id).toBe(data.id);
  });

  it('a key that is revoked fails at its next call in every process, and the log has both changes', async () => {
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

  it('a key stops with its account, its station and its expiry, and works again with the first two', async () => {
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

  it('an account that has never logged in can have a key, and none as a super', async () => {
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
    // The account has never logged in: a key needs no password.
    expect((await ask(key, statements)).status).toBe(200);
    await api.rows(sql`update accounts set role = 'super', station_id = null
      where id = ${data.account.id}`);
    expect((await ask(key, statements)).data.code).toBe('key_invalid');
  });

  it('a key with addresses is refused from any other', async () => {
    const { key } = await make(tokens.clerk, { addresses: ['203.0.113.0/24'] });
    expect((await ask(key, list, from('203.0.113.9'))).status).toBe(200);
    expect((await ask(key, list, from('203.0.114.9'))).data).toMatchObject({
      code: 'key_address_refused',
      params: { address: '203.0.114.9' },
    });
  });

  it('the last use of a key is stored at most once a minute', async () => {
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

describe('the limits of API keys', () => {
  it('each answer says how many calls are left in the minute over all processes, and beyond them 429 when to return', async () => {
    const { api_key, key } = await make(tokens.clerk);
    api.clock.set(new Date('2026-03-02T10:05:15+08:00'));
    const first = await ask(key);
    expect(first.headers.get('ratelimit-policy')).toBe(`"key";q=${keyCallsInMinute};w=60`);
    expect(first.headers.get('ratelimit')).toBe(`"key";r=${keyCallsInMinute - 1};t=45`);
    expect((await ask(key)).headers.get('ratelimit')).toContain(`r=${keyCallsInMinute - 2};`);
    await api.rows(sql`update api_key_calls set calls = ${keyCallsInMinute - 1}
      where key_id = ${api_key.id}`);
    expect((await ask(key)).headers.get('ratelimit')).toBe('"key";r=0;t=45');
    const beyond = await ask(key);
    expect([beyond.status, beyond.data.code]).toEqual([429, 'too_many_requests']);
    expect(beyond.headers.get('retry-after')).toBe('45');
    expect(beyond.headers.get('ratelimit')).toBe('"key";r=0;t=45');
    later(45_000);
    expect((await ask(key)).status).toBe(200);
  });

  it('an address with too many wrong keys is refused for a time; right keys and passwords from it are not', async () => {
    const { key } = await make(tokens.clerk);
    const there = from('198.51.100.77');
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    for (let tries = 0; tries < 5; tries++)
      expect((await ask(wrong, list, there)).data.code).toBe('key_invalid');
    const refused = await ask(wrong, list, there);
    expect([refused.status, refused.data.code]).toEqual([429, 'login_throttled']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(key, list, there)).status).toBe(200);
    expect((await api.tryLogin('clerk', undefined, undefined, '198.51.100.77')).status).toBe(200);
    expect((await ask(wrong, list, from('198.51.100.78'))).data.code).toBe('key_invalid');
  });

  it('a key that has ended is refused without a count against its address', async () => {
    const { api_key, key } = await make(tokens.clerk);
    await api.call(tokens.clerk, 'POST', `/api/arco/keys/${api_key.id}/revoke`, {});
    for (let tries = 0; tries < 12; tries++) {
      const { status, data } = await ask(key, list, from('198.51.100.79'));
      expect([status, data.code]).toEqual([401, 'key_invalid']);
    }
  });

  interface Refusal {
    what: string;
    who: keyof Tokens;
    input: Record<string, unknown>;
    field: string;
    code: string;
  }

  it.each<Refusal>([
    { what: 'no scope', who: 'clerk', input: { scopes: [] }, field: 'scopes', code: 'required' },
    {
      what: 'an unknown scope',
      who: 'clerk',
      input: { scopes: ['money'] },
      field: 'scopes.0',
      code: 'invalid',
    },
    {
      what: 'a scope that opens nothing to a clerk',
      who: 'clerk',
      input: { scopes: ['statements'] },
      field: 'scopes',
      code: 'invalid',
    },
    {
      what: 'a name instead of an address',
      who: 'clerk',
      input: { addresses: ['203.0.113.1', 'shop.example.com'] },
      field: 'addresses.1',
      code: 'invalid',
    },
    {
      what: 'an expiry in the past',
      who: 'clerk',
      input: { expires_at: '2026-03-01T00:00:00+08:00' },
      field: 'expires_at',
      code: 'invalid',
    },
    {
      what: 'an expiry in ten years',
      who: 'clerk',
      input: { expires_at: '2036-03-01T00:00:00+08:00' },
      field: 'expires_at',
      code: 'invalid',
    },
    {
      what: 'a super’s own account',
      who: 'super',
      input: {},
      field: 'account_id',
      code: 'invalid',
    },
  ])('a key with $what is refused at its field', async ({ who, input, field, code }) => {
    const { status, fields } = await make(tokens[who], input);
    expect([status, fields?.[field]?.code]).toEqual([422, code]);
  });

  it('an account has at most twenty live keys; revoked ones do not count', async () => {
    const made: Made[] = [];
    for (let count = 0; count < mostKeys; count++) made.push(await make(tokens.partner));
    expect((await make(tokens.partner)).code).toBe('too_many_keys');
    await api.call(tokens.partner, 'POST', `/api/arco/keys/${made[0]!.api_key.id}/revoke`, {});
    expect((await make(tokens.partner)).status).toBe(200);
  });

  it('a manager and the accounts made under it make a bounded number of keys a day', async () => {
    const station = await accountOf('station');
    await api.rows(sql`insert into api_keys (account_id, role, made_by, made_under, name,
        token_hash, hint, scopes, created_at, revoked_at, revoked_by)
      select ${station}, 'station', ${station}, ${station}, 'old', sha256(n::text::bytea), '', '{}',
        ${api.clock.now()}, ${api.clock.now()}, ${station} from generate_series(1, 100) n`);
    const refused = await make(tokens.station);
    expect([refused.status, refused.code]).toEqual([429, 'too_many_keys_made_today']);
  });

  it('the hourly task removes keys that ended ninety days ago, and no others', async () => {
    const { api_key } = await make(tokens.admin, { name: 'stays' });
    const id = await accountOf('admin');
    await api.rows(sql`insert into api_keys (account_id, role, made_by, made_under, name,
        token_hash, hint, scopes, created_at, expires_at)
      values (${id}, 'admin', ${id}, ${id}, 'ended', sha256('ended'), '', '{}', '2025-01-01', '2025-02-01')`);
    await runTask(api.app, 'tidy', {});
    expect(
      await api.rows(
        sql`select name from api_keys where account_id = ${id} and id >= ${api_key.id}`,
      ),
    ).toEqual([{ name: 'stays' }]);
  });
});
