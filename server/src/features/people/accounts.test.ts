import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '@waystation/contract/people/account.ts';
import { sql } from '#platform/db/db.ts';
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
const named = async (as: Manager, query = '') =>
  (
    await api.call<{ items: Account[] } & Refused>(
      tokens[as],
      'GET',
      `/api/arco/users?page_size=200${query}`,
    )
  ).data.items.map(({ username }) => username);
const made = async (
  as: Manager,
  values: object,
): Promise<{ account: Account; password: string }> => {
  const { status, data } = await create(as, values);
  expect(status, JSON.stringify(data)).toBe(200);
  return { account: data.account, password: data.password! };
};
const fieldsOf = ({ data }: Answer<Refused>) =>
  Object.fromEntries(Object.entries(data.fields ?? {}).map(([field, { code }]) => [field, code]));

describe('accounts that a user manages', () => {
  it('a user can manage only accounts that have a lower role and belong to stations within the user’s scope', async () => {
    const { account: other } = await made('super', {
      role: 'partner',
      station_id: api.station('pudong').id,
    });
    const [bySuper, byAdmin, byPartner, byStation] = await Promise.all([
      named('super'),
      named('admin'),
      named('partner'),
      named('station'),
    ]);
    expect(bySuper).toEqual(
      expect.arrayContaining(['admin', 'partner', 'station', 'clerk', other.username]),
    );
    expect(bySuper).not.toContain('super');
    expect(byAdmin).toEqual(bySuper.filter((name) => name !== 'admin'));
    expect(byPartner).toEqual(
      expect.arrayContaining(['station', 'clerk', 'clerk-keji', 'clerk-tianhe']),
    );
    for (const hidden of ['super', 'admin', 'partner', other.username, 'clerk-pudong'])
      expect(byPartner).not.toContain(hidden);
    expect(byStation).toEqual(['clerk', 'clerk-nanshan']);
  });

  it.each([
    ['admin', 'super'],
    ['admin', 'admin'],
    ['super', 'super'],
    ['partner', 'partner'],
    ['station', 'station'],
  ] as const)(
    'an account that a user may not manage is hidden: %s finds no account of %s',
    async (manager, name) => {
      const [{ id } = { id: 0 }] = await api.rows(sql<{ id: number }>`select id from accounts
      where username = ${name}`);
      const answers = [
        await read(manager, id),
        await change(manager, id, '', { version: 1, nickname: 'x' }),
        await change(manager, id, '/status', { status: 0 }),
        await change(manager, id, '/password', {}),
        await change(manager, id, '/sessions/revoke', {}),
        await change(manager, id, '/second-factor/reset', {}),
      ];
      expect(answers.map(({ status, data }) => [status, data.code])).toEqual(
        answers.map(() => [404, 'not_found']),
      );
    },
  );

  it('a manager can filter the accounts it manages by name, role, station and status', async () => {
    expect(await named('super', '&q=CLERK-KE')).toEqual(['clerk-keji']);
    expect(await named('super', '&role=admin')).toEqual(['admin']);
    expect(await named('partner', `&station_id=${api.station('keji').id}`)).toEqual(['clerk-keji']);
    expect(await named('station', '&status=0')).toEqual([]);
  });
});

describe('a new account', () => {
  it('a new account has every submitted field, and a generated password that is shown once and must be changed', async () => {
    const values = {
      role: 'user',
      nickname: '李四',
      phone: '13800000001',
      identity: 'A-1',
      program_id: 7,
      location: '深圳',
    };
    const { account, password } = await made('station', values);
    expect(account).toMatchObject({
      ...values,
      station_id: api.station('nanshan').id,
      status: 1,
      must_change: 1,
      second_factor: 0,
      sessions: 0,
      last_seen_at: null,
    });
    expect(password).toMatch(/^(\w{4}-){3}\w{4}$/);
    const [stored] = await api.rows(
      sql<{ text: string }>`select a::text || coalesce((select string_agg(l::text, '')
        from audit_log l), '') as text from accounts a where id = ${account.id}`,
    );
    expect(stored!.text).not.toContain(password);
  });

  it('a new account’s response does not repeat the given password', async () => {
    const { data } = await create('admin', {
      role: 'station',
      station_id: api.station('keji').id,
      password: 'plum orchard nine',
    });
    expect(data).toMatchObject({ password: null, account: { must_change: 1, role: 'station' } });
    expect((await api.tryLogin(data.account.username, 'plum orchard nine')).status).toBe(200);
  });

  it.each([
    ['a name too short', { username: 'ab' }, { username: 'too_short' }],
    ['other signs in the name', { username: '店员 一' }, { username: 'username_letters' }],
    ['a taken name in other letters', { username: 'CLERK' }, { username: 'name_unavailable' }],
    ['a weak password', { password: 'password123' }, { password: 'password_common' }],
    ['a short password', { password: 'plum nine' }, { password: 'password_too_short' }],
    [
      'its name for a password',
      { username: 'zhang-san-feng', password: 'Zhang-San-Feng1' },
      { password: 'password_is_username' },
    ],
    ['an address for a picture', { avatar: 'https://example.com/a.png' }, { avatar: 'avatar' }],
  ])('a new account is refused for %s, at the field', async (_, values, fields) => {
    expect(
      fieldsOf(
        await create('admin', { role: 'user', station_id: api.station('nanshan').id, ...values }),
      ),
    ).toEqual(fields);
  });

  it('a new account must have a role below its creator’s; a station in the creator’s network is required for some roles and refused for others', async () => {
    const [nanshan, pudong] = [api.station('nanshan').id, api.station('pudong').id];
    for (const [as, role] of [
      ['super', 'super'],
      ['admin', 'admin'],
      ['partner', 'partner'],
      ['station', 'station'],
      ['station', 'partner'],
    ] as const)
      expect(
        fieldsOf(
          await create(as, {
            role,
            ...(['super', 'admin'].includes(role) ? {} : { station_id: nanshan }),
          }),
        ),
        `${as} makes ${role}`,
      ).toEqual({
        role: 'role_not_yours',
      });
    expect(fieldsOf(await create('super', { role: 'admin', station_id: nanshan }))).toEqual({
      station_id: 'station_not_taken',
    });
    expect(fieldsOf(await create('super', { role: 'user' }))).toEqual({ station_id: 'required' });
    for (const as of ['partner', 'station'] as const)
      expect(await create(as, { role: 'user', station_id: pudong })).toMatchObject({
        status: 404,
        data: { code: 'not_found' },
      });
    expect(
      (await create('partner', { role: 'station', station_id: api.station('keji').id })).status,
    ).toBe(200);
  });
});

describe('the right to export', () => {
  it('a new account may export unless its role is clerk, and its manager can grant or withdraw the right to export', async () => {
    const rights = async (role: string) =>
      (
        await made('super', {
          role,
          ...(role !== 'admin' && { station_id: api.station('keji').id }),
        })
      ).account.may_export;
    expect([
      await rights('admin'),
      await rights('partner'),
      await rights('station'),
      await rights('user'),
    ]).toEqual([1, 1, 1, 0]);
    const { account } = await made('station', { role: 'user' });
    const { data } = await change('station', account.id, '', {
      version: account.version,
      may_export: 1,
    });
    expect(data.may_export).toBe(1);
    expect(
      (await change('station', account.id, '', { version: data.version, may_export: 0 })).data
        .may_export,
    ).toBe(0);
  });

  it('a manager without the right to export cannot give this right to a new or an existing account', async () => {
    await api.rows(sql`update accounts set may_export = 0 where username = 'station'`);
    const refused = await create('station', { role: 'user', may_export: 1 });
    expect([refused.status, fieldsOf(refused)]).toEqual([422, { may_export: 'export_not_yours' }]);
    const { account } = await made('station', { role: 'user' });
    const edited = await change('station', account.id, '', {
      version: account.version,
      may_export: 1,
    });
    expect([edited.status, fieldsOf(edited)]).toEqual([422, { may_export: 'export_not_yours' }]);
    await api.rows(sql`update accounts set may_export = 1 where username = 'station'`);
  });
});

describe('changing an account', () => {
  it('a change of an account with an outdated version returns 409 and the current values', async () => {
    const { account } = await made('admin', {
      role: 'user',
      station_id: api.station('nanshan').id,
    });
    expect(
      (await change('admin', account.id, '', { version: 1, nickname: '王五' })).data,
    ).toMatchObject({ nickname: '王五', version: 2 });
    const late = await change('partner', account.id, '', { version: 1, nickname: '赵六' });
    expect(late).toMatchObject({
      status: 409,
      data: { code: 'version_conflict', current: { nickname: '王五', version: 2 } },
    });
    expect(JSON.stringify(late)).not.toMatch(/password_hash|argon2/);
  });

  it('each change of an account is one row in the audit log, with no secret in it', async () => {
    const { account } = await made('admin', {
      role: 'user',
      station_id: api.station('nanshan').id,
      password: 'plum orchard nine',
    });
    await change('admin', account.id, '', {
      version: 1,
      nickname: '王五',
      avatar: 'data:image/png;base64,iVBORw0KGgoQUJD',
    });
    await change('admin', account.id, '/status', { status: 0 });
    await change('admin', account.id, '/password', { password: 'harbour lamp eleven' });
    await change('admin', account.id, '/sessions/revoke', {});
    await change('admin', account.id, '/second-factor/reset', {});
    const log = await api.rows(
      sql<{ action: string; changes: object }>`select action, changes from audit_log
        where subject = 'accounts' and subject_id = ${account.id} order by id`,
    );
    expect(log.map(({ action }) => action)).toEqual([
      'create',
      'edit',
      'disable',
      'reset_password',
      'revoke_sessions',
      'reset_second_factor',
    ]);
    expect(log[0]!.changes).toMatchObject({
      role: [null, 'user'],
      must_change: [null, 1],
      password: [null, null],
    });
    expect(Object.keys(log[0]!.changes)).not.toContain('program_id');
    expect(log[1]!.changes).toEqual({ nickname: ['', '王五'], avatar: ['', 'picture of 37'] });
    expect(log[3]!.changes).toEqual({ password: [null, null] });
    expect(JSON.stringify(log)).not.toMatch(/plum orchard|harbour lamp|argon2/);
  });
});
