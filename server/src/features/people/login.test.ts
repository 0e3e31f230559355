import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '#api.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import { buildNetwork } from '#features/demo/network.ts';
import type { DemoNetwork } from '#features/demo/network.ts';
import { hashToken } from '#platform/auth/actor.ts';
import { standingClock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { testConfig } from '#testing/test-app.ts';
import { eventually } from '#testing/test-system.ts';
import { tidy } from './tidy.ts';

const all = systemScope('test');
const minute = 60_000;
let database: TestDatabase;
let network: DemoNetwork;
/** Two processes behind one IP address, with the same database and clock. */
let apps: [App, App];
let https: [FastifyInstance, FastifyInstance];
const clock = standingClock(new Date('2026-03-02T10:00:00+08:00'));
const password = 'waystation-demo';

beforeAll(async () => {
  database = await createTestDatabase();
  const config = testConfig({ webDir: '/nonexistent' });
  apps = [
    createApp(config, database.connection, silentLog(), clock),
    createApp(config, database.connection, silentLog(), clock),
  ];
  network = await apps[0].db.tx(all, (work) => buildNetwork(apps[0], work, clock.now()));
  https = [
    await createApi(apps[0], { checkOutput: true }),
    await createApi(apps[1], { checkOutput: true }),
  ];
});
/** Each test begins an hour later, so that tests do not share login attempts. */
beforeEach(() => clock.advance(60 * minute));
afterAll(async () => {
  for (const http of https) await http.close();
  for (const app of apps) await app.close();
  await database.drop();
});

const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await apps[0].db.tx(all, (work) => query.execute(work.tx))).rows;
let turn = 0;
/** Tries to log in, at the two processes by turns. */
const login = async (username: string, entered = password, remoteAddress = '192.0.2.1') => {
  const answer = await https[turn++ % 2]!.inject({
    method: 'POST',
    url: '/api/arco/login/password',
    payload: { username, password: entered },
    remoteAddress,
  });
  return {
    status: answer.statusCode,
    retryAfter: Number(answer.headers['retry-after']),
    ...(answer.json() as {
      data: { code?: string; access_token?: string; params?: object };
      message: string;
    }),
  };
};
const token = async (username: string): Promise<string> =>
  (await login(username, password, '192.0.2.200')).data.access_token!;
/** Waits until the use of a session is stored, because only then the other process sees it. */
const noted = (bearer: string): Promise<unknown> =>
  eventually(async () => {
    const [session] = await rows(sql<{ at: Date }>`select last_seen_at as at from sessions
      where token_hash = ${hashToken(bearer)}`);
    return session!.at.getTime() === clock.now().getTime();
  });
const personal = async (
  bearer: string,
  at = 0,
  headers: Record<string, string> = {},
): Promise<number> =>
  (
    await https[at]!.inject({
      method: 'GET',
      url: '/api/arco/personal',
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    })
  ).statusCode;
const fail = async (
  times: number,
  username: string,
  address?: (n: number) => string,
): Promise<void> => {
  for (let n = 0; n < times; n++)
    expect(await login(username, 'wrong', address?.(n))).toMatchObject({
      status: 400,
      data: { code: 'login_failed' },
    });
};

describe('logging in', () => {
  it('users of every role can log in, with the username in upper or lower case', async () => {
    for (const username of ['super', 'ADMIN', 'Partner', 'station', 'clerk']) {
      const answer = await login(username);
      expect(answer).toMatchObject({ status: 200, message: 'ok' });
      expect(await personal(answer.data.access_token!, 1)).toBe(200);
    }
  });

  it('logging in returns the same response for an unknown username and a wrong password', async () => {
    const [unknown, wrong] = [await login('nobody', 'wrong'), await login('clerk', 'wrong')];
    const shape = ({ status, data: { code, params }, message }: typeof unknown) => ({
      status,
      code,
      params,
      message,
    });
    expect(shape(unknown)).toEqual(shape(wrong));
    expect(shape(wrong)).toMatchObject({ status: 400, code: 'login_failed' });
  });

  it('a login with a wrong password does not reveal that the account or its station is disabled', async () => {
    await rows(sql`update accounts set status = 0 where username = 'clerk'`);
    expect(await login('clerk')).toMatchObject({ status: 403, data: { code: 'account_disabled' } });
    expect(await login('clerk', 'wrong')).toMatchObject({
      status: 400,
      data: { code: 'login_failed' },
    });
    await rows(sql`update accounts set status = 1 where username = 'clerk'`);
    await rows(sql`update stations set status = 0
      where id = ${network.stations.find(({ key }) => key === 'nanshan')!.id}`);
    expect(await login('clerk')).toMatchObject({ status: 403, data: { code: 'station_disabled' } });
    await rows(sql`update stations set status = 1`);
  });

  it('a login without a username and a password returns one error for the username and one for the password', async () => {
    expect(await login('  ', '')).toMatchObject({
      status: 422,
      data: {
        fields: {
          username: { code: 'username_required' },
          password: { code: 'password_required' },
        },
      },
    });
  });

  it('logging in adds a row to the audit log', async () => {
    await login('clerk', password, '192.0.2.77');
    expect(
      await rows(sql`select account_name, role, action, address from audit_log
      where address = '192.0.2.77'`),
    ).toEqual([{ account_name: 'clerk', role: 'user', action: 'login', address: '192.0.2.77' }]);
  });
});

describe('guessing passwords', () => {
  it('logins to an account are refused for 15 minutes after five wrong attempts, across all processes and IP addresses', async () => {
    await fail(5, 'clerk', (n) => `198.51.100.${n}`);
    const refused = await login('clerk', password, '203.0.113.9');
    expect(refused).toMatchObject({
      status: 429,
      data: { code: 'login_throttled', params: { seconds: 900 } },
      retryAfter: 900,
    });
    expect((await login('station', password, '203.0.113.9')).status).toBe(200);
    clock.advance(15 * minute);
    expect((await login('clerk', password, '203.0.113.9')).status).toBe(200);
  });

  it('logins from an IP address are refused after ten wrong attempts, whatever usernames were tried', async () => {
    for (let n = 0; n < 10; n++) await fail(1, `name${n}`, () => '198.51.100.50');
    expect(await login('clerk', password, '198.51.100.50')).toMatchObject({ status: 429 });
    expect((await login('clerk', password, '198.51.100.51')).status).toBe(200);
  });

  it('guessing at an unknown username is also blocked after five attempts, so that the response reveals nothing', async () => {
    await fail(5, 'nobody-at-all', (n) => `198.51.100.${n}`);
    expect(await login('nobody-at-all', 'wrong', '203.0.113.10')).toMatchObject({ status: 429 });
  });

  it('wrong login attempts at a username in another case count for the same account', async () => {
    for (const name of ['clerk', 'CLERK', 'Clerk', 'cLerk', 'clErk'])
      await fail(1, name, () => '198.51.100.60');
    expect((await login('clerk', password, '203.0.113.11')).status).toBe(429);
  });

  it('only five of twenty simultaneous login attempts are checked; the others return 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => login('clerk', `guess ${n}`, `198.51.101.${n}`)),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('ten of twenty simultaneous wrong logins from one IP address are checked, even with different usernames; the others get 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => login(`somebody ${n}`, 'guess', '198.51.102.1')),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('successful logins do not count as login attempts, however often they are made', async () => {
    for (let n = 0; n < 12; n++)
      expect((await login('clerk', password, '198.51.103.1')).status).toBe(200);
    await fail(4, 'clerk', () => '198.51.103.1');
    expect((await login('clerk', password, '198.51.103.1')).status).toBe(200);
    await fail(1, 'clerk', () => '198.51.103.1');
    expect((await login('clerk', password, '198.51.103.1')).status).toBe(429);
  });

  it('further login attempts are allowed one by one as the earlier failures expire', async () => {
    await fail(1, 'clerk', () => '198.51.104.1');
    clock.advance(10 * minute);
    await fail(4, 'clerk', () => '198.51.104.1');
    expect(await login('clerk', 'wrong', '198.51.104.1')).toMatchObject({
      status: 429,
      retryAfter: 300,
    });
    clock.advance(5 * minute);
    await fail(1, 'clerk', () => '198.51.104.1');
    expect(await login('clerk', 'wrong', '198.51.104.1')).toMatchObject({
      status: 429,
      retryAfter: 600,
    });
  });
});

describe('a session', () => {
  it('a session ends after 30 minutes without a call, and every call extends it', async () => {
    const [used, idle] = [await token('clerk'), await token('clerk')];
    for (let n = 0; n < 3; n++) {
      clock.advance(29 * minute);
      expect(await personal(used, n % 2)).toBe(200);
      await noted(used);
    }
    expect(await personal(idle)).toBe(401);
    clock.advance(30 * minute);
    expect(await personal(used)).toBe(401);
  });

  it('automatic background calls of an open page do not extend a session', async () => {
    const left = await token('clerk');
    for (let n = 0; n < 2; n++) {
      clock.advance(10 * minute);
      expect(await personal(left, n, { 'x-background': '1' })).toBe(200);
    }
    clock.advance(10 * minute);
    expect(await personal(left, 0, { 'x-background': '1' })).toBe(401);
  });

  it('a session ends after twelve hours, even if it is used all the time', async () => {
    const busy = await token('clerk');
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      clock.advance(20 * minute);
      expect(await personal(busy)).toBe(200);
    }
    clock.advance(20 * minute);
    expect(await personal(busy)).toBe(401);
  });

  it('a logout ends only its own session, in every process', async () => {
    const [left, other] = [await token('clerk'), await token('clerk')];
    const out = () =>
      https[0].inject({
        method: 'POST',
        url: '/api/arco/logout',
        headers: { authorization: `Bearer ${left}` },
      });
    expect((await out()).statusCode).toBe(200);
    expect([await personal(left, 1), await personal(other, 1)]).toEqual([401, 200]);
    expect((await out()).statusCode).toBe(200);
    const logouts = await rows(sql`select account_name from audit_log where action = 'logout'
      and account_name = 'clerk'`);
    expect(logouts).toEqual([{ account_name: 'clerk' }]);
  });

  it.each([
    [
      'its account is disabled',
      sql`update accounts set status = 0
      where username = 'clerk'`,
      sql`update accounts
      set status = 1`,
      401,
    ],
    [
      'its station is disabled',
      sql`update stations set status = 0 where id = (select station_id from accounts
        where username = 'clerk')`,
      sql`update stations set status = 1`,
      401,
    ],
  ])(
    'a session is refused on the next request when %s, in every process',
    async (_, change, back, status) => {
      const bearer = await token('clerk');
      expect([await personal(bearer, 0), await personal(bearer, 1)]).toEqual([200, 200]);
      await rows(change);
      expect([await personal(bearer, 0), await personal(bearer, 1)]).toEqual([status, status]);
      await rows(back);
      expect(await personal(bearer)).toBe(200);
    },
  );

  it('a change of an account’s role or station takes effect at the next request of an open session', async () => {
    const bearer = await token('station');
    const statements = async (at: number) =>
      (
        await https[at]!.inject({
          method: 'GET',
          url: '/api/arco/statements',
          headers: { authorization: `Bearer ${bearer}` },
        })
      ).statusCode;
    expect(await statements(0)).toBe(200);
    await rows(sql`update accounts set role = 'user' where username = 'station'`);
    expect(await statements(1)).toBe(403);
    await rows(sql`update accounts set role = 'station' where username = 'station'`);
    expect(await statements(0)).toBe(200);
  });

  it('session tokens and passwords are stored only as hashes', async () => {
    const bearer = await token('clerk');
    const stored = await rows(
      sql<{ text: string }>`select s::text as text from sessions s union all select a::text
        from audit_log a union all select l::text from login_failures l`,
    );
    expect(stored.length).toBeGreaterThan(0);
    for (const { text } of stored) expect(text).not.toContain(bearer);
    const hash = createHash('sha256').update(bearer).digest();
    expect(
      await rows(sql`select 1 as one from sessions
      where token_hash = ${hash}`),
    ).toHaveLength(1);
    expect(
      await rows(sql`select 1 as one from accounts
      where password_hash not like 'argon2id$%'
      or password_hash like ${`%${password}%`}`),
    ).toEqual([]);
  });

  it('an expired session is deleted together with expired login attempts', async () => {
    await token('clerk');
    await login('clerk', 'wrong');
    clock.advance(25 * 60 * minute);
    await tidy(apps[0]);
    expect(
      await rows(sql`select 1 as one from sessions union all select 1
      from login_failures`),
    ).toEqual([]);
  });
});
