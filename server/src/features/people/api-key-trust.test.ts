import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { resetAdmin } from '#commands/admin.ts';
import { createToken } from '#platform/auth/actor.ts';
import { beginTwoFactor, makeRecoveryCodes } from '#platform/auth/two-factor.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

const right = 'waystation-demo';
type Made = Refused & { api_key: ApiKey; key: string };
const make = async (token: string, input: Record<string, unknown> = {}) =>
  (
    await api.call<Made>(token, 'POST', '/api/arco/keys', {
      name: 'shop',
      scopes: ['parcels'],
      password: right,
      ...input,
    })
  ).data;
const codeOf = async (key: string): Promise<string | undefined> =>
  (await api.call<Refused>(key, 'GET', '/api/arco/expresses')).data.code;

let names = 0;
const newAccount = async (role: string, station: string, by = tokens.super) => {
  const username = `keyed-${++names}`;
  const { data } = await api.call<{ account: { id: number; version: number }; password: string }>(
    by,
    'POST',
    '/api/arco/users',
    { username, role, station_id: api.station(station).id },
  );
  await api.rows(sql`update accounts set must_change = 0 where id = ${data.account.id}`);
  return { ...data.account, username, password: data.password };
};
const revocations = async (account_id: number): Promise<unknown[]> =>
  api.rows(sql`select account_name, changes -> 'key_id' -> 0 as key_id from audit_log
    where subject = 'accounts' and subject_id = ${account_id} and action = 'revoke_key'`);
const statusOf = async (id: number): Promise<string | undefined> =>
  (
    await api.call<{ items: ApiKey[] }>(tokens.super, 'GET', '/api/arco/keys?page_size=200')
  ).data.items.find((key) => key.id === id)?.status;

describe('changes that end an API key', () => {
  it.each([
    { what: 'is raised to another role', change: { role: 'station' } },
    { what: 'moves to another station', change: { station_id: 'keji' } },
  ])(
    'an API key ends when its account $what, with an entry in the audit log',
    async ({ change }) => {
      const { id, version } = await newAccount('user', 'nanshan');
      const { api_key, key } = await make(tokens.super, { account_id: id });
      expect(await codeOf(key)).toBeUndefined();
      const { status } = await api.call(tokens.super, 'PATCH', `/api/arco/users/${id}`, {
        version,
        ...change,
        ...('station_id' in change && { station_id: api.station('keji').id }),
      });
      expect(status).toBe(200);
      expect([await codeOf(key), await statusOf(api_key.id)]).toEqual(['key_invalid', 'revoked']);
      expect(await revocations(id)).toEqual([{ account_name: 'super', key_id: api_key.id }]);
    },
  );

  it('an API key stops working after its account’s role has changed, even directly in the database', async () => {
    const { id } = await newAccount('user', 'nanshan');
    const { api_key, key } = await make(tokens.super, { account_id: id });
    await api.rows(sql`update accounts set role = 'station' where id = ${id}`);
    expect([await codeOf(key), await statusOf(api_key.id)]).toEqual(['key_invalid', 'stopped']);
  });

  it.each(['has left', 'is no manager any more', 'manages another station'])(
    'an API key for another account ends when the manager who made it %s',
    async (what) => {
      const manager = await newAccount('station', 'nanshan');
      const token = await api.login(manager.username, manager.password);
      const { id } = await newAccount('user', 'nanshan');
      const { key } = await make(token, { account_id: id, password: manager.password });
      const { key: own } = await make(tokens.super, { account_id: id });
      expect(await codeOf(key)).toBeUndefined();
      const set =
        what === 'has left'
          ? sql`status = 0`
          : what === 'is no manager any more'
            ? sql`role = 'user'`
            : sql`station_id = ${api.station('keji').id}`;
      await api.rows(sql`update accounts set ${set} where id = ${manager.id}`);
      expect([await codeOf(key), await codeOf(own)]).toEqual(['key_invalid', undefined]);
    },
  );

  it('an API key that a partner made for a station ends when the station leaves the partner’s tree', async () => {
    const { id } = await newAccount('user', 'nanshan');
    const { key } = await make(tokens.partner, { account_id: id });
    expect(await codeOf(key)).toBeUndefined();
    const station = api.station('nanshan').id;
    const [{ parent_id } = { parent_id: 0 }] = await api.rows(
      sql<{ parent_id: number }>`select parent_id from stations where id = ${station}`,
    );
    await api.rows(sql`update stations set parent_id = null where id = ${station}`);
    expect(await codeOf(key)).toBe('key_invalid');
    await api.rows(sql`update stations set parent_id = ${parent_id} where id = ${station}`);
    expect(await codeOf(key)).toBeUndefined();
  });
});

describe('creating an API key', () => {
  it('an API key can be created only with the user’s password; wrong passwords are counted and limited, other mistakes are not', async () => {
    const { username, password } = await newAccount('user', 'nanshan');
    const token = await api.login(username, password);
    expect((await make(token, { password: undefined })).fields?.['password']?.code).toBeDefined();
    for (let tries = 0; tries < 6; tries++)
      expect((await make(token, { password: 'wrong', addresses: ['none'] })).fields).toEqual({
        'addresses.0': { code: 'invalid' },
      });
    for (let tries = 0; tries < 5; tries++)
      expect((await make(token, { password: 'wrong' })).fields).toEqual({
        password: { code: 'password_wrong' },
      });
    expect((await make(token, { password })).code).toBe('login_throttled');
    api.clock.set(new Date(api.clock.now().getTime() + 16 * 60_000));
    expect((await make(token, { password })).key).toBeDefined();
    const counted = await api.rows(sql`select 1 from login_failures where username = ${username}
      and at = ${api.clock.now()}`);
    expect(counted).toEqual([]);
  });

  it('an API key can be created only with an unused two-factor code if the user has two-factor authentication', async () => {
    const { id, username, password } = await newAccount('user', 'nanshan');
    const token = await api.login(username, password);
    const [otp] = await api.app.db.tx(systemScope('test'), async (work) => {
      await beginTwoFactor(work, api.app.secrets, id, api.clock.now());
      await work.tx
        .updateTable('two_factor_secrets')
        .set({ confirmed_at: api.clock.now() })
        .where('account_id', '=', id)
        .execute();
      return makeRecoveryCodes(work, api.app.secrets, id);
    });
    expect((await make(token, { password })).fields).toEqual({ otp: { code: 'otp_required' } });
    expect((await make(token, { password, otp: '000000' })).fields).toEqual({
      otp: { code: 'second_factor_wrong' },
    });
    expect((await make(token, { password, otp })).key).toBeDefined();
    expect((await make(token, { password, otp })).fields?.['otp']?.code).toBe(
      'second_factor_wrong',
    );
  });
});

describe('API keys after a reset or change of the account’s login', () => {
  it.each([
    ['resets its password', 'password'],
    ['resets its two-factor authentication', 'second-factor/reset'],
    ['logs it out everywhere', 'sessions/revoke'],
  ])('an API key ends when a manager %s, with an entry in the audit log', async (_what, path) => {
    const { id } = await newAccount('user', 'nanshan');
    const { api_key, key } = await make(tokens.super, { account_id: id });
    const expired = await make(tokens.super, { account_id: id });
    await api.rows(
      sql`update api_keys set expires_at = '2026-01-01' where id = ${expired.api_key.id}`,
    );
    expect(
      (await api.call(tokens.station, 'POST', `/api/arco/users/${id}/${path}`, {})).status,
    ).toBe(200);
    expect([await codeOf(key), await statusOf(api_key.id)]).toEqual(['key_invalid', 'revoked']);
    expect(await revocations(id)).toEqual([{ account_name: 'station', key_id: api_key.id }]);
  });

  it('if an account’s password is reset, the API keys that it made for other accounts are revoked, with an audit entry', async () => {
    const maker = await newAccount('station', 'nanshan');
    const token = await api.login(maker.username, maker.password);
    const { id } = await newAccount('user', 'nanshan');
    const { api_key, key } = await make(token, { account_id: id, password: maker.password });
    expect(await codeOf(key)).toBeUndefined();
    await api.call(tokens.super, 'POST', `/api/arco/users/${maker.id}/password`, {});
    expect([await codeOf(key), await statusOf(api_key.id)]).toEqual(['key_invalid', 'revoked']);
    expect(await revocations(id)).toEqual([{ account_name: 'super', key_id: api_key.id }]);
  });

  it('an API key stays valid when its account changes its own password', async () => {
    const { username, password } = await newAccount('user', 'nanshan');
    const token = await api.login(username, password);
    const { key } = await make(token, { password });
    const { status } = await api.call(token, 'POST', '/api/arco/personal/password', {
      current: password,
      password: `${password}-next`,
    });
    expect([status, await codeOf(key)]).toEqual([200, undefined]);
  });

  it('an API key ends when the command line resets the password of its account', async () => {
    const [{ id } = { id: 0 }] = await api.rows(
      sql<{ id: number }>`select id from accounts where username = 'super'`,
    );
    await api.rows(sql`insert into api_keys (account_id, role, made_by, made_under, name,
        token_hash, hint, scopes, created_at)
      values (${id}, 'admin', ${id}, ${id}, 'old', sha256(${createToken()}::bytea), '', '{}', now())`);
    await resetAdmin(api.app, 'super', async () => 'correct horse battery');
    expect(
      await api.rows(sql`select 1 from api_keys where account_id = ${id} and revoked_at is null`),
    ).toEqual([]);
    expect(await revocations(id)).toMatchObject([{ account_name: 'command line' }]);
  });
});
