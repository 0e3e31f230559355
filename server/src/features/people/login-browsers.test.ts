import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import { createApi } from '#api.ts';
import { buildNetwork } from '#features/demo/network.ts';
import { businessDay } from '#platform/clock.ts';
import { hashToken } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { countRefusal, mostAMinute } from '#platform/refused-calls.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { auditRefusedCalls } from './refused-calls.ts';
import { tidy } from './tidy.ts';

const all = systemScope('test');
const minute = 60_000;
const day = 24 * 60 * minute;
let app: TestApp;
let http: FastifyInstance;
const password = 'waystation-demo';
beforeAll(async () => {
  app = await createTestApp({ webDir: '/nonexistent', trustProxy: ['127.0.0.1'] });
  await app.db.tx(all, (work) => buildNetwork(app, work, app.clock.now()));
  http = await createApi(app, { checkOutput: true });
});
afterAll(async () => {
  await http.close();
  await app.close();
});
/** Each test begins an hour later, so that tests do not share login attempts. */
beforeEach(() => app.clock.advance(60 * minute));

const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(all, (work) => query.execute(work.tx))).rows;
interface Login {
  cookie?: string;
  address?: string;
  headers?: Record<string, string>;
}
const login = async (
  username: string,
  entered = password,
  { cookie, address = '192.0.2.1', headers = {} }: Login = {},
) => {
  const answer = await http.inject({
    method: 'POST',
    url: '/api/arco/login/password',
    payload: { username, password: entered },
    remoteAddress: address,
    headers: { ...(cookie !== undefined && { cookie }), ...headers },
  });
  const line = String(answer.headers['set-cookie'] ?? '');
  return {
    status: answer.statusCode,
    line,
    cookie: line.split(';')[0]!,
    token: answer.json<{ data: { access_token: string } }>().data.access_token,
  };
};
const statuses = async (
  times: number,
  username: string,
  of: (n: number) => Login,
  entered = 'wrong',
): Promise<number[]> => {
  const seen: number[] = [];
  for (let n = 0; n < times; n++) seen.push((await login(username, entered, of(n))).status);
  return seen;
};
const strangers = (n: number): Login => ({ address: `198.51.100.${n}` });
const call = (
  token: string,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  { payload, cookie }: { payload?: object; cookie?: string } = {},
) =>
  http.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: { authorization: `Bearer ${token}`, ...(cookie !== undefined && { cookie }) },
    remoteAddress: '192.0.2.7',
  });

describe('a browser that has logged in', () => {
  it('while unknown browsers are locked out, a browser that logged in before can log in, and has its own limit of five wrong attempts', async () => {
    const { cookie } = await login('clerk');
    expect(await statuses(7, 'clerk', strangers)).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect((await login('clerk', password, { address: '203.0.113.1' })).status).toBe(429);
    expect((await login('clerk', 'wrong', { cookie, address: '198.51.100.1' })).status).toBe(400);
    const again = await login('clerk', password, { cookie, address: '198.51.100.1' });
    expect(again.status).toBe(200);
    // One wrong attempt was made before.
    expect(await statuses(5, 'clerk', () => ({ cookie: again.cookie }))).toEqual([
      400, 400, 400, 400, 429,
    ]);
    app.clock.advance(15 * minute);
    expect((await login('clerk', password, { cookie: again.cookie })).status).toBe(200);
  });

  it('a browser that has logged in is known only to the accounts that have logged in with it', async () => {
    const first = await login('clerk');
    const both = await login('station', password, { cookie: first.cookie });
    await statuses(5, 'clerk', strangers);
    await statuses(5, 'partner', strangers);
    expect(
      (await login('partner', password, { cookie: both.cookie, address: '203.0.113.2' })).status,
    ).toBe(429);
    // The browser's id changed with the second login. The first account accepts the new id, and the
    // old id is unknown.
    expect(
      (await login('clerk', password, { cookie: first.cookie, address: '203.0.113.2' })).status,
    ).toBe(429);
    expect(
      (await login('clerk', password, { cookie: both.cookie, address: '203.0.113.2' })).status,
    ).toBe(200);
  });

  it('logging in to another account gives a browser no extra login attempts at the first account', async () => {
    const first = await login('station', password, { cookie: (await login('clerk')).cookie });
    expect(await statuses(5, 'clerk', () => ({ cookie: first.cookie }))).toEqual([
      400, 400, 400, 400, 400,
    ]);
    const between = await login('station', password, { cookie: first.cookie });
    expect((await login('clerk', 'wrong', { cookie: between.cookie })).status).toBe(429);
  });

  it('a known browser is unknown again 30 days after its last login, and after a manager’s reset', async () => {
    const { cookie } = await login('clerk');
    app.clock.advance(30 * day - minute);
    await statuses(5, 'clerk', strangers);
    const renewed = await login('clerk', password, { cookie });
    expect(renewed.status).toBe(200);
    app.clock.advance(30 * day);
    await statuses(5, 'clerk', strangers);
    expect(
      (await login('clerk', password, { cookie: renewed.cookie, address: '203.0.113.3' })).status,
    ).toBe(429);
    await tidy(app);
    expect(await rows(sql`select 1 from known_browsers`)).toEqual([]);
    app.clock.advance(15 * minute);
    const other = await login('clerk');
    const [admin, [clerk]] = [
      await login('admin'),
      await rows(sql<{ id: number }>`select id
      from accounts where username = 'clerk'`),
    ];
    expect(
      (
        await call(admin.token, 'POST', `/api/arco/users/${clerk!.id}/password`, {
          payload: {
            password: 'harbour lamp eleven',
          },
        })
      ).statusCode,
    ).toBe(200);
    await statuses(5, 'clerk', strangers);
    expect(
      (
        await login('clerk', 'harbour lamp eleven', {
          cookie: other.cookie,
          address: '203.0.113.3',
        })
      ).status,
    ).toBe(429);
    app.clock.advance(15 * minute);
    const changed = await login('clerk', 'harbour lamp eleven');
    expect(
      (
        await call(changed.token, 'POST', '/api/arco/personal/password', {
          payload: { current: 'harbour lamp eleven', password: 'quiet morning tea' },
          cookie: changed.cookie,
        })
      ).statusCode,
    ).toBe(200);
    await statuses(5, 'clerk', strangers);
    expect((await login('clerk', 'quiet morning tea', { cookie: changed.cookie })).status).toBe(
      200,
    );
    await rows(sql`update accounts set password_hash = (select password_hash from accounts
      where username = 'super') where username = 'clerk'`);
  });

  it('a known browser’s id is in an HttpOnly SameSite=Strict cookie, with Secure and __Host- over TLS, and only its hash is stored', async () => {
    const plain = await login('clerk');
    expect(plain.line).toMatch(
      /^waystation_browser=[\w-]{43}; Path=\/api\/arco; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    const secured = await login('clerk', password, {
      address: '127.0.0.1',
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.9' },
    });
    expect(secured.line).toMatch(
      /^__Host-waystation_browser=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    const id = plain.cookie.split('=')[1]!;
    expect(
      await rows(sql`select 1 as one from known_browsers
      where id_hash = ${hashToken(id)}`),
    ).toEqual([{ one: 1 }]);
    expect(
      await rows(sql`select 1 from known_browsers b where b::text like ${`%${id}%`}
      or b::text like ${`%${Buffer.from(id).toString('hex')}%`}`),
    ).toEqual([]);
    expect((await login('clerk', 'wrong')).line).toBe('');
    for (let n = 0; n < 25; n++) await login('station', password, { address: '192.0.2.30' });
    const [kept] = await rows(
      sql<{ n: number }>`select count(*) as n from known_browsers b
        join accounts a on a.id = b.account_id where a.username = 'station'`,
    );
    expect(kept!.n).toBe(20);
  });
});

describe('a browser behind TLS', () => {
  it('a browser behind TLS is recognized only by the cookie with the __Host- prefix', async () => {
    const overTls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.44' };
    const come = (secret: string, cookie?: string) =>
      login('partner', secret, {
        address: '127.0.0.1',
        headers: overTls,
        ...(cookie !== undefined && { cookie }),
      });
    const { cookie } = await come(password);
    await statuses(6, 'partner', strangers);
    expect((await come(password, cookie.replace('__Host-', ''))).status).toBe(429);
    expect((await come(password, cookie)).status).toBe(200);
  });
});

describe('forwarded IP addresses that a client invents', () => {
  it('login attempts with invented forwarded IP addresses count for the IP address that connected to the proxy or the server', async () => {
    const guess = (n: number, address: string, forwarded: string) =>
      login(`invented-${n}`, 'wrong', { address, headers: { 'x-forwarded-for': forwarded } });
    const behind: number[] = [];
    for (let n = 0; n < 11; n++)
      behind.push((await guess(n, '127.0.0.1', `203.0.113.${n}, 198.51.100.80`)).status);
    expect(behind).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    const direct: number[] = [];
    for (let n = 20; n < 31; n++)
      direct.push((await guess(n, '198.51.100.81', `203.0.113.${n}`)).status);
    expect(direct).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });
});

describe('a logged-in user’s password change', () => {
  it('a user’s password change is not blocked by strangers’ login attempts, and wrong passwords in it do not lock the login', async () => {
    const { token, cookie } = await login('station');
    await statuses(6, 'station', strangers);
    const change = (current: string) =>
      call(token, 'POST', '/api/arco/personal/password', {
        payload: {
          current,
          password: 'harbour lamp eleven',
        },
      });
    expect((await change('wrong')).statusCode).toBe(422);
    expect((await login('station', password, { cookie })).status).toBe(200);
    for (let n = 0; n < 4; n++) await change('wrong');
    expect((await change(password)).statusCode).toBe(429);
  });
});

const logged = async (token: string, query: string): Promise<AuditRow[]> =>
  (
    await call(
      token,
      'GET',
      `/api/arco/audit?${query}&at_from=${businessDay(new Date(app.clock.now().getTime() - 5 * day))}`,
    )
  ).json<{
    data: { items: AuditRow[] };
  }>().data.items;

describe('refused calls', () => {
  it('the audit log has one row of refused calls per action, IP address, account and minute, however many calls were refused', async () => {
    await statuses(4, 'clerk', () => ({ address: '198.51.100.70' }));
    await statuses(3, 'nobody-at-all', () => ({ address: '198.51.100.70' }));
    const { token } = await login('station');
    const admin = (await login('admin')).token;
    for (const id of [999_991, 999_992])
      expect((await call(token, 'GET', `/api/arco/expresses/${id}?q=secret`)).statusCode).toBe(404);
    for (let n = 0; n < 3; n++)
      expect((await call(token, 'GET', '/api/arco/merchants')).statusCode).toBe(403);
    await auditRefusedCalls(app);
    expect(await logged(admin, 'action=call_forbidden')).toEqual([]);
    app.clock.advance(minute);
    await auditRefusedCalls(app);
    await auditRefusedCalls(app);
    const at = (rowsSeen: AuditRow[]) =>
      rowsSeen.map(({ account_name, role, address, changes }) => ({
        account_name,
        role,
        address,
        ...changes,
      }));
    const failed = {
      tries: [null, 4],
      call: [null, 'POST /api/arco/login/password'],
      address: '198.51.100.70',
      role: 'stranger',
    };
    expect(
      at(
        (await logged(admin, 'action=login_failed')).filter(
          ({ address }) => address === '198.51.100.70',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        { ...failed, account_name: 'clerk' },
        { ...failed, account_name: '', tries: [null, 3] },
      ]),
    );
    const inside = { account_name: 'station', role: 'station', address: '192.0.2.7' };
    expect(at(await logged(admin, 'action=row_not_found'))).toEqual([
      { ...inside, tries: [null, 2], call: [null, 'GET /api/arco/expresses/999991'] },
    ]);
    expect(at(await logged(admin, 'action=call_forbidden'))).toEqual([
      { ...inside, tries: [null, 3], call: [null, 'GET /api/arco/merchants'] },
    ]);
    expect(await rows(sql`select 1 from refused_calls`)).toEqual([]);
  });

  it('the number of rows for refused calls is limited per minute; calls from further IP addresses share one row', async () => {
    const at = app.clock.now();
    for (let n = 0; n < mostAMinute + 20; n++)
      await countRefusal(app.db, app.log, {
        action: 'login_failed',
        address: `2001:db8::${n.toString(16)}`,
        account_id: 0,
        key_id: 0,
        at,
        call: 'POST /x',
      });
    const seen = await rows(sql<{ n: number; rest: number }>`select count(*) as n,
      sum(tries) filter (where address = 'others') as rest from refused_calls`);
    expect(seen).toEqual([{ n: mostAMinute + 1, rest: 20 }]);
    await rows(sql`delete from refused_calls`);
  });
});
