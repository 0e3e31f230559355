import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountKeyCallsInMinute,
  keyCallsInMinute,
  mostKeys,
  mostKeysInDay,
  mostKeysUnder,
} from '@waystation/contract/base/limits.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { runTask } from '#testing/run-task.ts';
import { from, openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi({ processes: 2, config: { poolSize: 16 } });
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
const accountOf = async (username: string): Promise<number> =>
  (await api.rows(sql<{ id: number }>`select id from accounts where username = ${username}`))[0]!
    .id;

describe('the limits of API keys', () => {
  it('each response to an API key shows the remaining calls of the minute, and a 429 response shows when to retry', async () => {
    const { api_key, key } = await make(tokens.admin);
    const first = await ask(key);
    expect(first.headers.get('ratelimit-policy')).toBe(
      `"key";q=${keyCallsInMinute};w=60, "account";q=${accountKeyCallsInMinute};w=60`,
    );
    expect(first.headers.get('ratelimit')).toMatch(
      new RegExp(
        `^"key";r=${keyCallsInMinute - 1};t=\\d+, "account";r=${accountKeyCallsInMinute - 1};t=\\d+$`,
      ),
    );
    expect((await ask(key)).headers.get('ratelimit')).toContain(`r=${keyCallsInMinute - 2};`);
    await api.rows(sql`update api_key_calls set calls = ${keyCallsInMinute - 1}
      where key_id = ${api_key.id}`);
    expect((await ask(key)).headers.get('ratelimit')).toContain('"key";r=0;t=');
    const beyond = await ask(key);
    expect([beyond.status, beyond.data.code]).toEqual([429, 'too_many_requests']);
    const seconds = Number(beyond.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(beyond.headers.get('ratelimit')).toContain(`"key";r=0;t=${seconds}`);
    await api.rows(sql`update api_key_calls set minute = minute - interval '61 seconds'
      where key_id = ${api_key.id}`);
    const next = await ask(key);
    expect([next.status, next.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringContaining(`"key";r=${keyCallsInMinute - 1};t=`),
    ]);
  });

  it('a process whose clock is behind does not restart the minute of an API key’s call limit', async () => {
    const { key } = await make(tokens.clerk);
    const now = api.clock.now();
    await ask(key);
    api.clock.set(new Date(now.getTime() - 3_600_000));
    const { headers } = await ask(key);
    api.clock.set(now);
    expect(headers.get('ratelimit')).toContain(`"key";r=${keyCallsInMinute - 2};`);
  });

  it('all API keys of an account share one limit of calls, and calls that are refused at a key’s own limit do not count toward it', async () => {
    const [one, other] = [await make(tokens.partner), await make(tokens.partner)];
    const { key: strange } = await make(tokens.clerk);
    const account = await accountOf('partner');
    const callsOfAccount = async () =>
      (
        await api.rows(
          sql<{ calls: number }>`select calls from account_key_calls where account_id = ${account}`,
        )
      )[0]!.calls;
    await ask(one.key);
    await api.rows(sql`update api_key_calls set calls = ${keyCallsInMinute}
      where key_id = ${one.api_key.id}`);
    expect([(await ask(one.key)).status, await callsOfAccount()]).toEqual([429, 1]);
    await api.rows(sql`update account_key_calls set calls = ${accountKeyCallsInMinute - 1}
      where account_id = ${account}`);
    expect((await ask(other.key)).headers.get('ratelimit')).toContain('"account";r=0;t=');
    const beyond = await ask(other.key);
    expect([beyond.status, beyond.data.code]).toEqual([429, 'too_many_requests']);
    expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(strange)).status).toBe(200);
    await api.rows(sql`delete from account_key_calls where account_id = ${account}`);
  });

  it('simultaneous calls of an API key to one process are limited, and further calls are refused before the database is read', async () => {
    const { key } = await make(tokens.clerk);
    const { key: another } = await make(tokens.clerk);
    const atOnce = api.app.config.poolSize / 2;
    const sent = atOnce * 2 + 6;
    const codes = await api.app.db.tx(systemScope('a slow database'), async (work) => {
      await sql`lock table api_key_calls in access exclusive mode`.execute(work.tx);
      const answers = Array.from({ length: sent }, () => ask(key));
      let refused = 0;
      const early = new Promise<void>((done) => {
        for (const answer of answers)
          void answer.then(({ status, headers }) => {
            if (status !== 429 || headers.get('retry-after') !== '1') return;
            refused += 1;
            if (refused === 6) done();
          });
      });
      await early;
      return answers;
    });
    const counts = { ok: 0, busy: 0 };
    for (const answer of codes) {
      const { status, data } = await answer;
      if (status === 200) counts.ok += 1;
      else if (data.code === 'too_many_requests') counts.busy += 1;
    }
    expect(counts).toEqual({ ok: atOnce * 2, busy: 6 });
    expect([(await ask(key)).status, (await ask(another)).status]).toEqual([200, 200]);
  });

  it('an IP address with too many wrong API keys is blocked for wrong keys, while right keys and passwords from it still work', async () => {
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

  it('calls with a revoked API key are refused without counting against the IP address', async () => {
    const { api_key, key } = await make(tokens.clerk);
    await api.call(tokens.clerk, 'POST', `/api/arco/keys/${api_key.id}/revoke`, {});
    for (let tries = 0; tries < 12; tries++) {
      const { status, data } = await ask(key, list, from('198.51.100.79'));
      expect([status, data.code]).toEqual([401, 'key_invalid']);
    }
  });

  it('calls with an expired API key are stored as refused calls of this key, and return 429 above the limit per minute', async () => {
    const { api_key, key } = await make(tokens.clerk);
    await api.rows(sql`update api_keys set expires_at = ${api.clock.now()}
      where id = ${api_key.id}`);
    const there = from('198.51.100.80');
    for (let tries = 0; tries < 3; tries++) await ask(key, list, there);
    const noted = () =>
      api.rows(sql`select action, tries from refused_calls where key_id = ${api_key.id}`);
    expect(await noted()).toEqual([{ action: 'call_forbidden', tries: 3 }]);
    await api.rows(sql`update api_key_calls set calls = ${keyCallsInMinute}
      where key_id = ${api_key.id}`);
    const beyond = await ask(key, list, there);
    expect([beyond.status, beyond.data.code]).toEqual([429, 'too_many_requests']);
    expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await noted()).toEqual([{ action: 'call_forbidden', tries: 3 }]);
  });

  it('calls from an IP address that the API key does not allow are refused, and only the first few refusals are written to the database', async () => {
    const { key } = await make(tokens.clerk, { addresses: ['203.0.113.0/24'] });
    const answers = await api.app.db.tx(systemScope('a slow database'), async (work) => {
      await sql`lock table refused_calls in access exclusive mode`.execute(work.tx);
      const sent = Array.from({ length: 12 }, () => ask(key, list, from('198.51.100.81')));
      let throttled = 0;
      await new Promise<void>((done) => {
        for (const answer of sent)
          void answer.then(({ data }) => {
            if (data.code === 'login_throttled' && ++throttled === 8) done();
          });
      });
      return sent;
    });
    await Promise.all(answers);
    expect((await ask(key, list, from('203.0.113.9'))).status).toBe(200);
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
  ])('an API key with $what is refused at its field', async ({ who, input, field, code }) => {
    const { status, fields } = await make(tokens[who], input);
    expect([status, fields?.[field]?.code]).toEqual([422, code]);
  });

  it('an account can have at most twenty active API keys, and revoked keys do not count', async () => {
    const made: Made[] = [];
    for (let count = 0; count < mostKeys; count++) made.push(await make(tokens.partner));
    expect((await make(tokens.partner)).code).toBe('too_many_keys');
    await api.call(tokens.partner, 'POST', `/api/arco/keys/${made[0]!.api_key.id}/revoke`, {});
    expect((await make(tokens.partner)).status).toBe(200);
  });

  const insertKeys = async (
    n: number,
    { by, under, ended }: { by: number; under: number; ended: boolean },
  ): Promise<void> => {
    const at = ended ? api.clock.now() : null;
    await api.rows(sql`insert into api_keys (account_id, role, made_by, made_under, name,
        token_hash, hint, scopes, created_at, revoked_at)
      select ${by}, 'user', ${by}, ${under}, 'many', sha256(random()::text::bytea), '', '{}',
        ${ended ? api.clock.now() : new Date('2026-01-01')}, ${at}::timestamptz
        from generate_series(1, ${n}) n`);
  };
  const clerkUnder = async (username: string): Promise<{ id: number; token: string }> => {
    const password = 'a clerk of the station';
    const { data } = await api.call<{ account: { id: number } }>(
      tokens.station,
      'POST',
      '/api/arco/users',
      { username, role: 'user', password },
    );
    await api.rows(sql`update accounts set must_change = 0 where id = ${data.account.id}`);
    return { id: data.account.id, token: await api.login(username, password) };
  };
  const clean = (under: number) => api.rows(sql`delete from api_keys where made_under = ${under}`);

  it('daily limits per maker and per manager prevent one clerk from using up its manager’s limit of new API keys', async () => {
    const station = await accountOf('station');
    const password = 'a clerk of the station';
    const [one, other] = [await clerkUnder('maker-one'), await clerkUnder('maker-other')];
    await insertKeys(mostKeysInDay.maker, { by: one.id, under: station, ended: true });
    expect(await make(one.token, { password })).toMatchObject({
      status: 429,
      code: 'too_many_keys_made_today',
      params: { limit: mostKeysInDay.maker },
    });
    expect((await make(other.token, { password })).status).toBe(200);
    await insertKeys(mostKeysInDay.others, { by: one.id, under: station, ended: true });
    expect(await make(other.token, { password })).toMatchObject({
      status: 429,
      code: 'too_many_keys_made_today',
      params: { limit: mostKeysInDay.others },
    });
    expect((await make(tokens.station)).status).toBe(200);
    await insertKeys(mostKeysInDay.manager, { by: station, under: station, ended: true });
    expect(await make(tokens.station)).toMatchObject({
      status: 429,
      code: 'too_many_keys_made_today',
      params: { limit: mostKeysInDay.manager },
    });
    await clean(station);
  });

  it('the active API keys of all accounts that one manager made have a common limit', async () => {
    const station = await accountOf('station');
    const { id } = await clerkUnder('many-keys');
    await insertKeys(mostKeysUnder, { by: id, under: station, ended: false });
    expect(await make(tokens.station)).toMatchObject({
      status: 422,
      code: 'too_many_keys',
      params: { limit: mostKeysUnder },
    });
    await clean(station);
  });

  it('the hourly cleanup removes API keys that ended ninety days ago, and no others', async () => {
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
