import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountSession } from '@waystation/contract/people/account.ts';
import type { SecondFactorStart } from '@waystation/contract/people/profile.ts';
import { sql } from '#platform/db/db.ts';
import { codeOf, stepOf } from '#platform/auth/totp.ts';
import { from, openTestApi } from '#testing/test-api.ts';
import type { Answer, Refused, TestApi } from '#testing/test-api.ts';
import { fromBase32 } from '#testing/two-factor.ts';

let api: TestApi;
const demoPassword = 'waystation-demo';
beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
});
/** Each test begins an hour later, so that tests do not share login attempts. */
beforeEach(() => api.clock.advance(60 * 60_000));
afterAll(() => api.close());

const post = <T = Record<string, never>>(
  token: string,
  tail: string,
  body: object,
  address?: string,
) =>
  api.call<T & Refused>(
    { token, headers: address === undefined ? {} : from(address) },
    'POST',
    `/api/arco/personal/${tail}`,
    body,
  );
const fieldsOf = ({ data }: Answer<Refused>) =>
  Object.fromEntries(Object.entries(data.fields ?? {}).map(([field, { code }]) => [field, code]));

describe('the user’s account', () => {
  it('the profile of a user’s own account shows every field, but only the editable fields can be changed', async () => {
    const token = await api.login('clerk');
    const { data } = await api.call<Refused>(token, 'PATCH', '/api/arco/personal', {
      nickname: '小王',
      phone: '13800000009',
      location: '南山',
      role: 'super',
      station_id: 1,
      identity: 'x',
    });
    const own = {
      username: 'clerk',
      nickname: '小王',
      phone: '13800000009',
      location: '南山',
      role: 'user',
      identity: '',
      program_id: null,
      avatar: '',
      station_id: api.station('nanshan').id,
      must_change: 0,
      may_export: 1,
    };
    expect(data).toMatchObject(own);
    expect((await api.call<Refused>(token, 'GET', '/api/arco/personal')).data).toEqual(data);
  });
});

describe('the user’s password', () => {
  it('a user can change the password by entering the current one; all other sessions of the user end', async () => {
    const [here, elsewhere] = [await api.login('station'), await api.login('station')];
    expect(
      (await post(here, 'password', { current: demoPassword, password: 'tulip river seven' }))
        .status,
    ).toBe(200);
    expect([
      ...(await api.statusAtEachProcess(here)),
      ...(await api.statusAtEachProcess(elsewhere)),
    ]).toEqual([200, 200, 401, 401]);
    expect([
      (await api.tryLogin('station')).status,
      (await api.tryLogin('station', 'tulip river seven')).status,
    ]).toEqual([400, 200]);
  });

  it.each([
    [{ current: 'wrong', password: 'harbour lamp eleven' }, { current: 'password_wrong' }],
    [{ current: demoPassword, password: 'short' }, { password: 'password_too_short' }],
    [{ current: demoPassword, password: 'iloveyou2025' }, { password: 'password_common' }],
    [{ current: demoPassword, password: demoPassword }, { password: 'password_common' }],
  ])(
    'an invalid password change is refused with an error at the wrong field: %j',
    async (body, fields) => {
      expect(fieldsOf(await post(await api.login('clerk'), 'password', body))).toEqual(fields);
    },
  );

  it('a password change is refused if the new password equals the old one', async () => {
    const token = await api.login('partner');
    await post(token, 'password', { current: demoPassword, password: 'harbour lamp eleven' });
    expect(
      fieldsOf(
        await post(token, 'password', {
          current: 'harbour lamp eleven',
          password: 'harbour lamp eleven',
        }),
      ),
    ).toEqual({
      password: 'password_current',
    });
  });

  it('a password change is refused after five wrong passwords within a session, and the login is not locked', async () => {
    const token = await api.login('admin');
    for (let n = 0; n < 5; n++)
      await post(
        token,
        'password',
        { current: `wrong ${n}`, password: 'harbour lamp eleven' },
        `198.51.100.${n}`,
      );
    expect(
      await post(
        token,
        'password',
        { current: demoPassword, password: 'harbour lamp eleven' },
        '198.51.100.9',
      ),
    ).toMatchObject({
      status: 429,
      data: { code: 'login_throttled' },
    });
    expect((await api.tryLogin('admin', demoPassword, undefined, '198.51.100.9')).status).toBe(200);
  });
});

describe('the user’s sessions', () => {
  it('the user’s sessions are listed without their tokens, and ended one by one', async () => {
    const [here, phone] = [await api.login('clerk'), await api.login('clerk')];
    const { data } = await api.call<{ items: AccountSession[] } & Refused>(
      here,
      'GET',
      '/api/arco/personal/sessions',
    );
    expect(data.items[0]).toMatchObject({ current: 1, address: '127.0.0.1' });
    expect(Object.keys(data.items[0]!).toSorted()).toEqual([
      'address',
      'created_at',
      'current',
      'id',
      'last_seen_at',
      'user_agent',
    ]);
    const other = data.items.find(({ current }) => current === 0)!;
    expect((await post(here, `sessions/${other.id}/revoke`, {})).status).toBe(200);
    expect([
      ...(await api.statusAtEachProcess(here)),
      ...(await api.statusAtEachProcess(phone)),
    ]).toEqual([200, 200, 401, 401]);
    expect((await post(here, `sessions/${other.id}/revoke`, {})).status).toBe(404);
  });

  it('a user’s sessions can be ended only by that user’s account', async () => {
    const [clerk, boss] = [await api.login('clerk'), await api.login('super')];
    const { data } = await api.call<{ items: AccountSession[] } & Refused>(
      clerk,
      'GET',
      '/api/arco/personal/sessions',
    );
    expect((await post(boss, `sessions/${data.items[0]!.id}/revoke`, {})).status).toBe(404);
    expect(await api.statusAtEachProcess(clerk)).toEqual([200, 200]);
  });
});

describe('two-factor authentication', () => {
  let secret: Buffer;
  let codes: string[];
  const code = (offset = 0): string => codeOf(secret, stepOf(api.clock.now()) + offset);

  it('two-factor authentication is on only after a valid code of the app is entered; the response then contains the recovery codes', async () => {
    const [token, elsewhere] = [await api.login('super'), await api.login('super')];
    expect(fieldsOf(await post(token, 'second-factor/start', { password: 'wrong' }))).toEqual({
      password: 'password_wrong',
    });
    const { data } = await post<SecondFactorStart>(token, 'second-factor/start', {
      password: demoPassword,
    });
    secret = fromBase32(data.secret);
    expect(secret).toHaveLength(20);
    expect(data.uri).toContain(`secret=${data.secret}`);
    expect(data.qr.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
    expect((await api.tryLogin('super')).status).toBe(200);
    expect(fieldsOf(await post(token, 'second-factor/confirm', { otp: code(5) }))).toEqual({
      otp: 'second_factor_wrong',
    });
    const confirmed = await post<{ recovery_codes: string[] }>(token, 'second-factor/confirm', {
      otp: code(),
    });
    codes = confirmed.data.recovery_codes;
    // The other session ends, because it was opened without two-factor authentication.
    expect([
      ...(await api.statusAtEachProcess(token)),
      ...(await api.statusAtEachProcess(elsewhere)),
    ]).toEqual([200, 200, 401, 401]);
    expect(new Set(codes).size).toBe(10);
    expect(
      (await api.call<Refused>(token, 'GET', '/api/arco/personal/second-factor')).data,
    ).toMatchObject({ on: 1, recovery_codes_left: 10 });
    expect(await post(token, 'second-factor/start', { password: demoPassword })).toMatchObject({
      status: 422,
      data: { code: 'second_factor_on' },
    });
  });

  it('after five wrong codes during the setup of two-factor authentication the sixth attempt has to wait, in every process', async () => {
    const password = 'harbour lamp eleven';
    const token = await api.login('partner', password);
    expect((await post<SecondFactorStart>(token, 'second-factor/start', { password })).status).toBe(
      200,
    );
    for (let tries = 0; tries < 5; tries++)
      expect(fieldsOf(await post(token, 'second-factor/confirm', { otp: '000000' }))).toEqual({
        otp: 'second_factor_wrong',
      });
    expect(await post(token, 'second-factor/confirm', { otp: '000000' })).toMatchObject({
      status: 429,
      data: { code: 'login_throttled' },
    });
  });

  it('a two-factor code is requested only after the right password, and each code is accepted only once across all processes', async () => {
    expect(await api.tryLogin('super', 'wrong', code())).toMatchObject({
      status: 400,
      data: { code: 'login_failed' },
    });
    expect(await api.tryLogin('super')).toMatchObject({
      status: 400,
      data: { code: 'second_factor_required' },
    });
    const spaced = `${code().slice(0, 3)} ${code().slice(3)}`;
    const together = await Promise.all([
      api.tryLogin('super', demoPassword, spaced),
      api.tryLogin('super', demoPassword, code()),
    ]);
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(together.find(({ status }) => status === 400)!.data.code).toBe('second_factor_wrong');
    api.clock.advance(30_000);
    expect((await api.tryLogin('super', demoPassword, code())).status).toBe(200);
  });

  it('a recovery code is accepted only once, in upper or lower case and with hyphens or spaces', async () => {
    expect(
      (await api.tryLogin('super', demoPassword, codes[0]!.toLowerCase().replaceAll('-', ' ')))
        .status,
    ).toBe(200);
    expect(await api.tryLogin('super', demoPassword, codes[0])).toMatchObject({
      status: 400,
      data: { code: 'second_factor_wrong' },
    });
    const token = await api.login('super', demoPassword, codes[1]);
    expect(
      (await api.call<Refused>(token, 'GET', '/api/arco/personal/second-factor')).data,
    ).toMatchObject({ recovery_codes_left: 8 });
  });

  it('after five wrong two-factor codes the next login attempt is refused for 15 minutes, as after wrong passwords', async () => {
    for (let n = 0; n < 5; n++)
      expect(
        await api.tryLogin('super', demoPassword, `00000${n}`, `198.51.100.${n}`),
      ).toMatchObject({ status: 400, data: { code: 'second_factor_wrong' } });
    expect(await api.tryLogin('super', demoPassword, code(), '198.51.100.77')).toMatchObject({
      status: 429,
    });
    api.clock.advance(15 * 60_000);
    for (let n = 0; n < 6; n++)
      expect((await api.tryLogin('super')).data.code).toBe('second_factor_required');
  });

  it('two-factor secrets are stored encrypted, and recovery codes as keyed hashes', async () => {
    const dump = await api.rows(
      sql<{
        text: string;
      }>`select f::text as text from two_factor_secrets f union all select r::text
        from recovery_codes r union all select l::text from audit_log l`,
    );
    const all = dump.map(({ text }) => text).join('\n');
    for (const word of [
      secret.toString('hex'),
      secret.toString('base64'),
      ...codes,
      ...codes.map((one) => one.replaceAll('-', '')),
    ])
      expect(all).not.toContain(word);
  });

  it('two-factor authentication is switched off with password and code; new recovery codes replace the old ones', async () => {
    const token = await api.login('super', demoPassword, code());
    api.clock.advance(30_000);
    const { data } = await post<{ recovery_codes: string[] }>(
      token,
      'second-factor/recovery-codes',
      { password: demoPassword, otp: code() },
    );
    expect(await api.tryLogin('super', demoPassword, codes[5])).toMatchObject({
      data: { code: 'second_factor_wrong' },
    });
    expect(
      fieldsOf(await post(token, 'second-factor/off', { password: demoPassword, otp: '123' })),
    ).toEqual({ otp: 'second_factor_wrong' });
    expect(
      (
        await post(token, 'second-factor/off', {
          password: demoPassword,
          otp: data.recovery_codes[0]!,
        })
      ).status,
    ).toBe(200);
    expect((await api.tryLogin('super')).status).toBe(200);
  });

  it('a manager can remove the two-factor authentication of an account whose device is lost', async () => {
    const [admin, boss] = [await api.login('admin'), await api.login('super')];
    const begun = await post<SecondFactorStart>(admin, 'second-factor/start', {
      password: demoPassword,
    });
    secret = fromBase32(begun.data.secret);
    await post(admin, 'second-factor/confirm', { otp: code() });
    const [{ id } = { id: 0 }] = await api.rows(sql<{ id: number }>`select id from accounts
      where username = 'admin'`);
    expect((await api.tryLogin('admin')).data.code).toBe('second_factor_required');
    expect(
      (await api.call<Refused>(boss, 'POST', `/api/arco/users/${id}/second-factor/reset`, {})).data,
    ).toMatchObject({ second_factor: 0 });
    expect((await api.tryLogin('admin')).status).toBe(200);
  });
});

it('each account has its own browser storage key, which is the same at each login and is not in the list of accounts', async () => {
  const key = async (token: string) =>
    (await api.call<{ storage_key: string }>(token, 'GET', '/api/arco/personal')).data.storage_key;
  const [first, again, other] = [
    await key(await api.login('clerk')),
    await key(await api.login('clerk')),
    await key(await api.login('station')),
  ];
  expect(first).toMatch(/^[\da-f]{64}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  const { data } = await api.call<{ items: object[] }>(
    await api.login('super'),
    'GET',
    '/api/arco/users?page_size=200',
  );
  expect(JSON.stringify(data)).not.toContain('storage_key');
});
