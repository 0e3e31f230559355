import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, AccountSession } from '@waystation/contract/people/account.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Answer, Refused, TestApi } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Record<'super' | 'admin' | 'partner' | 'station' | 'clerk', string>;
beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
  const of = (name: string) => api.login(name);
  tokens = {
    super: await of('super'),
    admin: await of('admin'),
    partner: await of('partner'),
    station: await of('station'),
    clerk: await of('clerk'),
  };
});
afterAll(() => api.close());

type Manager = 'super' | 'admin' | 'partner' | 'station';
let count = 0;
const create = (as: Manager, values: object) =>
  api.call<{ account: Account; password: string | null } & Refused>(
    tokens[as],
    'POST',
    '/api/arco/users',
    { username: `person-${++count}`, ...values },
  );
const change = <T = Account>(as: Manager, id: number, tail: string, body: object) =>
  api.call<T & Refused>(
    tokens[as],
    tail === '' ? 'PATCH' : 'POST',
    `/api/arco/users/${id}${tail}`,
    body,
  );
const read = (as: Manager, id: number) =>
  api.call<Account & Refused>(tokens[as], 'GET', `/api/arco/users/${id}`);
const made = async (
  as: Manager,
  values: object,
): Promise<{ account: Account; password: string }> => {
  const { status, data } = await create(as, values);
  expect(status, JSON.stringify(data)).toBe(200);
  return { account: data.account, password: data.password! };
};
/** Makes a clerk of the Nanshan station who has completed the first login. */
const settled = async (): Promise<{ account: Account; password: string; token: string }> => {
  const { account, password } = await made('station', { role: 'user' });
  const first = await api.login(account.username, password);
  const own = `tulip river seven ${count}`;
  expect(
    (
      await api.call<Refused>(first, 'POST', '/api/arco/personal/password', {
        current: password,
        password: own,
      })
    ).status,
  ).toBe(200);
  return { account: (await read('station', account.id)).data, password: own, token: first };
};
const fieldsOf = ({ data }: Answer<Refused>) =>
  Object.fromEntries(Object.entries(data.fields ?? {}).map(([field, { code }]) => [field, code]));

describe('a manager’s change of an account, which takes effect on the next request', () => {
  it('a disabled account is logged out in every process, and its old sessions stay ended after it is enabled again', async () => {
    const { account, token, password } = await settled();
    expect(await api.statusAtEachProcess(token)).toEqual([200, 200]);
    expect((await change('station', account.id, '/status', { status: 0 })).data).toMatchObject({
      status: 0,
      sessions: 0,
    });
    expect(await api.statusAtEachProcess(token)).toEqual([401, 401]);
    expect(await api.tryLogin(account.username, password)).toMatchObject({
      status: 403,
      data: { code: 'account_disabled' },
    });
    await change('station', account.id, '/status', { status: 1 });
    expect(await api.statusAtEachProcess(token)).toEqual([401, 401]);
    expect((await api.tryLogin(account.username, password)).status).toBe(200);
  });

  it('an account that an administrator disabled can be enabled only by administrators, even if a manager disables the account later', async () => {
    const { account } = await settled();
    const switched = async (as: Manager, status: 0 | 1) => {
      const answer = await change(as, account.id, '/status', { status });
      return [answer.status, answer.status === 200 ? answer.data.status : answer.data.code];
    };
    expect(await switched('admin', 0)).toEqual([200, 0]);
    expect(await switched('station', 1)).toEqual([403, 'disabled_by_office']);
    expect(await switched('partner', 0)).toEqual([200, 0]);
    expect(await switched('partner', 1)).toEqual([403, 'disabled_by_office']);
    expect(await switched('super', 1)).toEqual([200, 1]);
    expect(await switched('station', 0)).toEqual([200, 0]);
    expect(await switched('partner', 1)).toEqual([200, 1]);
    // The account is disabled by the station first, and then by an administrator.
    expect([
      await switched('station', 0),
      await switched('admin', 0),
      await switched('station', 1),
    ]).toEqual([
      [200, 0],
      [200, 0],
      [403, 'disabled_by_office'],
    ]);
  });

  it('a manager cannot enable an account that an administrator created as disabled', async () => {
    const { account } = await made('admin', {
      role: 'user',
      station_id: api.station('nanshan').id,
      status: 0,
    });
    expect(await change('station', account.id, '/status', { status: 1 })).toMatchObject({
      status: 403,
      data: { code: 'disabled_by_office' },
    });
  });

  it('a change of an account’s role changes at the next request which endpoints the account may use', async () => {
    const { account, token } = await settled();
    const statements = async () =>
      (await api.call<Refused>(token, 'GET', '/api/arco/statements')).status;
    expect([await statements(), await statements()]).toEqual([403, 403]);
    expect(
      (await change('partner', account.id, '', { version: account.version, role: 'station' }))
        .status,
    ).toBe(200);
    expect([await statements(), await statements()]).toEqual([200, 200]);
    expect((await read('station', account.id)).status).toBe(404);
  });

  it('a change of an account’s station takes effect at the next request', async () => {
    const { account, token } = await settled();
    const place = async () =>
      (await api.call<{ station_id: number } & Refused>(token, 'GET', '/api/arco/personal')).data
        .station_id;
    expect(await place()).toBe(api.station('nanshan').id);
    await change('partner', account.id, '', {
      version: account.version,
      station_id: api.station('keji').id,
    });
    expect([await place(), await place()]).toEqual([
      api.station('keji').id,
      api.station('keji').id,
    ]);
    const options = async (key: string) =>
      (
        await api.call<Refused>(
          token,
          'GET',
          `/api/arco/expresses/options?station_id=${api.station(key).id}`,
        )
      ).status;
    expect([await options('keji'), await options('nanshan'), await options('nanshan')]).toEqual([
      200, 404, 404,
    ]);
  });

  it('a new password set by a manager ends all sessions of the account, and the user must change it after login', async () => {
    const { account, token, password } = await settled();
    const { data } = await change<{ password: string }>('station', account.id, '/password', {});
    expect(await api.statusAtEachProcess(token)).toEqual([401, 401]);
    expect((await api.tryLogin(account.username, password)).status).toBe(400);
    const again = await api.login(account.username, data.password);
    expect(await api.call<Refused>(again, 'GET', '/api/arco/expresses')).toMatchObject({
      status: 403,
      data: { code: 'password_change_required' },
    });
    expect(
      fieldsOf(await change('station', account.id, '/password', { password: 'qwertyuiop' })),
    ).toEqual({ password: 'password_common' });
  });

  it('a manager can end all sessions of another account, and the manager’s own session continues', async () => {
    const { account, token } = await settled();
    const { data } = await api.call<{ items: AccountSession[] } & Refused>(
      tokens.station,
      'GET',
      `/api/arco/users/${account.id}/sessions`,
    );
    expect(data.items).toHaveLength(1);
    expect((await change('station', account.id, '/sessions/revoke', {})).data.sessions).toBe(0);
    expect([
      ...(await api.statusAtEachProcess(token)),
      ...(await api.statusAtEachProcess(tokens.station)),
    ]).toEqual([401, 401, 200, 200]);
  });

  it('after a manager requires a password change, the user can still read the user’s own profile, but other requests return 403', async () => {
    const { account, token } = await settled();
    await change('station', account.id, '', { version: account.version, must_change: 1 });
    for (const path of [
      '/api/arco/expresses',
      '/api/arco/preferences',
      '/api/arco/personal/sessions',
    ])
      expect(await api.call<Refused>(token, 'GET', path)).toMatchObject({
        status: 403,
        data: { code: 'password_change_required' },
      });
    expect(await api.call<Refused>(token, 'GET', '/api/arco/personal')).toMatchObject({
      status: 200,
      data: { must_change: 1 },
    });
  });
});
