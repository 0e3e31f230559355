import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillPath, pathNames } from '@waystation/contract/base/endpoint.ts';
import { dutyErrors } from '@waystation/contract/base/login-duties.ts';
import type { LoginDuty } from '@waystation/contract/base/login-duties.ts';
import type { SettingRow } from '@waystation/contract/shell/setting-calls.ts';
import { sql } from '#platform/db/db.ts';
import { routes } from '#routes.ts';
import { listenTo } from '#testing/event-client.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi } from '#testing/test-api.ts';
import { eventually } from '#testing/test-system.ts';
import { setUpTwoFactor } from '#testing/two-factor.ts';

const password = 'waystation-demo';
const own = '/api/arco/personal';
const due = { status: 403, data: { code: 'second_factor_setup_required' } };

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
});
const requireOf = (who: string) =>
  api.rows(sql`insert into settings (name, value) values ('second_factor_for',
    to_jsonb(${who}::text)) on conflict (name) do update set value = excluded.value`);
/** Each test begins without two-factor authentication, and without a duty to use it. */
beforeEach(async () => {
  await requireOf('nobody');
  await api.rows(sql`delete from two_factor_secrets`);
  await api.rows(sql`update accounts set must_change = 0`);
});
afterAll(() => api.close());

const choose = async (token: string, value: string) => {
  const base = '/api/arco/settings';
  const { data } = await api.call<{ items: SettingRow[] }>(token, 'GET', base);
  const { version } = data.items.find(({ name }) => name === 'second_factor_for')!;
  const path = `${base}/second_factor_for`;
  return api.call<SettingRow & Refused>(token, 'PATCH', path, { value, version });
};
/** Lists parcels at each of the two processes, and returns both responses. */
const parcels = async (token: string) => [
  await api.call<Refused>(token, 'GET', '/api/arco/expresses'),
  await api.call<Refused>(token, 'GET', '/api/arco/expresses'),
];
const accountOf = async (username: string): Promise<{ id: number; version: number }> =>
  (
    await api.rows(sql<{ id: number; version: number }>`select id, version from accounts
      where username = ${username}`)
  )[0]!;

describe('mandatory two-factor authentication', () => {
  it('only a super admin who uses two-factor authentication can make it mandatory, and the change is audited', async () => {
    const boss = await api.login('super');
    expect((await choose(boss, 'sometimes')).data.fields).toHaveProperty('value');
    for (const value of ['office', 'everybody'])
      expect(await choose(boss, value)).toMatchObject({
        status: 422,
        data: { fields: { value: { code: 'second_factor_own_first' } } },
      });
    await setUpTwoFactor(api, boss, password);
    expect(await choose(boss, 'office')).toMatchObject({
      status: 200,
      data: { value: 'office' },
    });
    expect(
      await api.rows(sql`select account_name, changes from audit_log where subject = 'settings'
        order by id desc limit 1`),
    ).toEqual([{ account_name: 'super', changes: { second_factor_for: ['nobody', 'office'] } }]);
    expect((await choose(boss, 'nobody')).status).toBe(200);
  });

  it.each([
    ['office', [403, 200, 200]],
    ['everybody', [403, 403, 403]],
  ])(
    'with mandatory two-factor authentication for %s, open sessions without it are refused at the next call, and their streams end',
    async (who, statuses) => {
      const [admin, clerk, partner, boss] = [
        await api.login('admin'),
        await api.login('clerk'),
        await api.login('partner'),
        await api.login('super'),
      ] as const;
      await setUpTwoFactor(api, boss, password);
      const stream = await listenTo(`${api.url}/api/arco/events`, admin, null);
      expect((await choose(boss, who)).status).toBe(200);
      await eventually(async () => stream.ended);
      const of = async (token: string) => (await parcels(token)).map(({ status }) => status);
      expect(await of(boss)).toEqual([200, 200]);
      const all = [admin, partner, clerk];
      expect(await Promise.all(all.map(of))).toEqual(statuses.map((status) => [status, status]));
      expect((await api.call<Refused>(admin, 'GET', '/api/arco/events')).data).toMatchObject(
        due.data,
      );
    },
  );

  it('a user who must have two-factor authentication logs in with the password, sets it up, and continues in the same session', async () => {
    await requireOf('everybody');
    const [token, elsewhere] = [await api.login('clerk'), await api.login('clerk')];
    expect(await parcels(token)).toMatchObject([due, due]);
    expect((await api.call(token, 'GET', own)).data).toMatchObject({ needs_second_factor: 1 });
    const code = await setUpTwoFactor(api, token, password);
    expect((await parcels(token)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await api.call(token, 'GET', own)).data).toMatchObject({ needs_second_factor: 0 });
    expect(await api.statusAtEachProcess(elsewhere)).toEqual([401, 401]);
    expect((await api.tryLogin('clerk')).data.code).toBe('second_factor_required');
    expect((await api.tryLogin('clerk', password, code())).status).toBe(200);
  });

  it('starting the setup of mandatory two-factor authentication without confirming it does not open the API', async () => {
    const clerk = await api.login('clerk');
    await requireOf('everybody');
    await api.call(clerk, 'POST', `${own}/second-factor/start`, { password });
    expect(await parcels(clerk)).toMatchObject([due, due]);
  });

  it('a user whose password a manager reset must change it before setting up mandatory two-factor authentication', async () => {
    const station = await api.login('station');
    await requireOf('everybody');
    await setUpTwoFactor(api, station, password);
    const { id } = await accountOf('clerk');
    const reset = await api.call<{ password: string }>(
      station,
      'POST',
      `/api/arco/users/${id}/password`,
      {},
    );
    const first = reset.data.password;
    const token = await api.login('clerk', first);
    for (const path of [`${own}/second-factor`, '/api/arco/expresses'])
      expect((await api.call<Refused>(token, 'GET', path)).data.code).toBe(
        'password_change_required',
      );
    const changed = await api.call(token, 'POST', `${own}/password`, {
      current: first,
      password: 'tulip river seven',
    });
    expect(changed.data).toMatchObject({ must_change: 0, needs_second_factor: 1 });
    expect(await parcels(token)).toMatchObject([due, due]);
    await setUpTwoFactor(api, token, 'tulip river seven');
    expect((await parcels(token)).map(({ status }) => status)).toEqual([200, 200]);
    await api.rows(sql`update accounts set password_hash = (select password_hash from accounts
      where username = 'station') where username = 'clerk'`);
  });

  it('mandatory two-factor authentication cannot be switched off, and must be set up again after a manager removes it', async () => {
    const [clerk, station] = [await api.login('clerk'), await api.login('station')] as const;
    await requireOf('everybody');
    await setUpTwoFactor(api, station, password);
    const code = await setUpTwoFactor(api, clerk, password);
    const off = () =>
      api.call<Refused>(clerk, 'POST', `${own}/second-factor/off`, {
        password,
        otp: code(),
      });
    expect(await off()).toMatchObject({ status: 422, data: { code: 'second_factor_stays' } });
    expect((await api.call(clerk, 'GET', `${own}/second-factor`)).data).toMatchObject({
      on: 1,
      required: 1,
    });
    const { id } = await accountOf('clerk');
    const path = `/api/arco/users/${id}/second-factor/reset`;
    expect((await api.call(station, 'POST', path, {})).status).toBe(200);
    expect(await parcels(await api.login('clerk'))).toMatchObject([due, due]);
    await requireOf('nobody');
    const again = await api.login('clerk');
    await setUpTwoFactor(api, again, password);
    await requireOf('office');
    expect((await api.call(again, 'GET', `${own}/second-factor`)).data).toMatchObject({
      required: 0,
    });
  });

  it('an API key is refused while its account lacks mandatory two-factor authentication', async () => {
    const clerk = await api.login('clerk');
    const made = await api.call<{ key: string }>(clerk, 'POST', '/api/arco/keys', {
      name: 'shop',
      scopes: ['parcels'],
      password,
    });
    const { key } = made.data;
    expect((await parcels(key)).map(({ status }) => status)).toEqual([200, 200]);
    await requireOf('everybody');
    expect(await parcels(key)).toMatchObject([due, due]);
    await setUpTwoFactor(api, clerk, password);
    expect((await parcels(key)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('an account that becomes an administrator must set up mandatory two-factor authentication at its next request', async () => {
    const station = await api.login('station');
    await requireOf('office');
    const { status } = (await parcels(station))[0]!;
    expect(status).toBe(200);
    await api.rows(sql`update accounts set role = 'admin', station_id = null
      where username = 'station'`);
    expect(await parcels(station)).toMatchObject([due, due]);
    await api.rows(sql`update accounts set role = 'station', station_id = (select station_id
      from accounts where username = 'clerk') where username = 'station'`);
  });
});

describe('every endpoint while the user must first set a password or second factor', () => {
  const tokenOf = {
    super: 'super',
    admin: 'admin',
    partner: 'partner',
    station: 'station',
    user: 'clerk',
  } as const;
  it.each<[LoginDuty, string[]]>([
    ['password', [`GET ${own}`, `POST ${own}/password`]],
    [
      'second_factor',
      [
        `GET ${own}`,
        `GET ${own}/second-factor`,
        `POST ${own}/password`,
        `POST ${own}/second-factor/confirm`,
        `POST ${own}/second-factor/start`,
      ],
    ],
  ])(
    'a user who must first set a new %s gets 403 from every endpoint except those needed to set it',
    async (duty, open) => {
      const tokens = await api.loginAll();
      if (duty === 'password') await api.rows(sql`update accounts set must_change = 1`);
      else await requireOf('everybody');
      const answered: string[] = [];
      for (const { endpoint } of routes) {
        const { method, path, roles } = endpoint;
        if (roles === 'public') continue;
        const filled = fillPath(path, Object.fromEntries(pathNames(path).map((name) => [name, 1])));
        const token = tokens[tokenOf[roles[0]!]];
        const body = method === 'GET' ? undefined : {};
        const { status, data } = await api.call<Refused>(token, method, filled, body);
        if (status !== 403 || data.code !== dutyErrors[duty]) answered.push(`${method} ${path}`);
      }
      expect(answered.toSorted()).toEqual(open);
    },
  );
});
