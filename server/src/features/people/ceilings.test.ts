import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  mostAccountsMade,
  mostAccountsMadeInDay,
  mostOpenJobs,
  mostStationsMade,
  mostStationsMadeInDay,
} from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

type Made = Refused & { id: number; account: { id: number; username: string }; password: string };
let count = 0;
const post = (token: string, path: string, body: object) =>
  api.call<Made>(token, 'POST', `/api/arco/${path}`, body);
const idOf = async (username: string): Promise<number> =>
  (
    await api.rows(sql<{ id: number }>`select id
  from accounts where username = ${username}`)
  )[0]!.id;

describe('the hourly limit of revealed phones', () => {
  const draft = async (change: object) =>
    (await post(tokens.clerk, 'expresses', exampleOrder({ draft: 1, ...change }))).data.id;
  const reveal = (token: string, id: number) => post(token, `expresses/${id}/reveal`, {});
  /** Sets the number of phones that the account has seen in the present hour. */
  const learnt = async (username: string, n: number): Promise<void> => {
    const hour = sql`date_trunc('hour', ${api.clock.now()}::timestamptz)`;
    await api.rows(sql`delete from phone_searches`);
    await api.rows(
      sql`insert into phone_searches (account_id, hour, digest)
        select ${await idOf(username)}, ${hour}, 'test ' || n
        from generate_series(1, ${n}::int) n`,
    );
  };

  it('a user can reveal or search at most sixty phones an hour, but a phone that the user has already seen is not counted', async () => {
    const [first, same, other] = [
      await draft({ receive_phone: '13911110001' }),
      await draft({ receive_phone: '13911110001', receive_name: '李四' }),
      await draft({ receive_phone: '13911110002' }),
    ];
    await learnt('admin', 58);
    expect((await reveal(tokens.admin, first)).data).toMatchObject({
      receive_phone: '13911110001',
    });
    expect((await reveal(tokens.admin, first)).status).toBe(200);
    expect((await reveal(tokens.admin, same)).status).toBe(200);
    const refused = await reveal(tokens.admin, other);
    expect([refused.status, refused.data]).toMatchObject([
      429,
      { code: 'too_many_reveals', params: { limit: 60 } },
    ]);
    expect(refused.message).toContain('60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // A search for a phone that was already revealed is not counted again; a search for another
    // phone is counted.
    const search = async (phone: string) =>
      (await api.call(tokens.admin, 'GET', `/api/arco/expresses?q=${phone}`)).status;
    expect([await search('13911110001'), await search('13911110002')]).toEqual([200, 429]);
    expect(
      await api.rows(sql`select 1 from audit_log where action = 'reveal'
      and subject_id = ${other}`),
    ).toEqual([]);
    await learnt('admin', 59);
    expect((await reveal(tokens.admin, first)).status).toBe(429);
  });

  it('revealing a contact’s phone counts toward the hour’s limit of revealed phones', async () => {
    const person = {
      kind: 'receive',
      name: '王小明',
      phone: '13911110003',
      province: '上海市',
      city: '上海市',
      county: '浦东新区',
      address: '世纪大道100号',
    };
    const { id } = (await post(tokens.clerk, 'contacts', person)).data;
    await learnt('partner', 59);
    expect((await post(tokens.partner, `contacts/${id}/reveal`, {})).status).toBe(200);
    await learnt('partner', 60);
    expect((await post(tokens.partner, `contacts/${id}/reveal`, {})).data.code).toBe(
      'too_many_reveals',
    );
  });

  it('revealing a phone of the user’s own station is not counted, because such phones are never masked', async () => {
    const id = await draft({ receive_phone: '13911110004' });
    await learnt('station', 60);
    expect((await reveal(tokens.station, id)).status).toBe(200);
  });
});

/** Adds accounts or stations that a manager created `daysAgo` days ago. */
const madeBefore = async (
  table: 'accounts' | 'stations',
  manager: number,
  n: number,
  daysAgo: number,
): Promise<void> => {
  const at = new Date(api.clock.now().getTime() - daysAgo * 86_400_000);
  const names = sql`'made ' || ${++count}::int || ' ' || n`;
  await api.rows(
    table === 'stations'
      ? sql`insert into stations (name, made_under, created_at)
        select ${names}, ${manager}, ${at} from generate_series(1, ${n}::int) n`
      : sql`insert into accounts (username, role, station_id, password_hash, made_under,
        registered_at)
          select ${names}, 'user', ${api.station('keji').id}, '', ${manager}, ${at}
            from generate_series(1, ${n}::int) n`,
  );
};

describe('the limits of accounts and stations that a manager creates', () => {
  beforeEach(async () => {
    await api.rows(sql`update accounts set made_under = null`);
  });
  const account = (token: string, change: object = {}) =>
    post(token, 'users', { username: `made-${++count}`, role: 'user', ...change });
  const station = (token: string) => post(token, 'stations', { name: `新网点 ${++count}` });
  const at = (key: string) => ({ station_id: api.station(key).id });

  it('accounts that a manager creates and accounts that the manager’s subordinates create count toward the same daily limit', async () => {
    const partner = await idOf('partner');
    const made = await account(tokens.partner, { role: 'station', ...at('keji') });
    expect(made.status).toBe(200);
    await api.rows(sql`update accounts set must_change = 0
      where id = ${made.data.account.id}`);
    const deputy = await api.login(made.data.account.username, made.data.password);
    await madeBefore('accounts', partner, mostAccountsMadeInDay - 2, 0);
    expect((await account(deputy)).status).toBe(200);
    for (const token of [deputy, tokens.partner]) {
      const refused = await account(token, at('keji'));
      expect([refused.status, refused.data]).toMatchObject([
        429,
        { code: 'too_many_accounts_made_today', params: { limit: mostAccountsMadeInDay } },
      ]);
      expect(refused.message).toContain(String(mostAccountsMadeInDay));
    }
    // Another manager has a separate limit, and administrators have none.
    for (const token of [tokens.station, tokens.admin])
      expect((await account(token, token === tokens.admin ? at('keji') : {})).status).toBe(200);
    await api.rows(sql`update accounts set registered_at = registered_at - interval '1 day'
      where made_under is not null`);
    expect((await account(deputy)).status).toBe(200);
  });

  it('the accounts that one manager creates are limited in total, including disabled and moved ones', async () => {
    const partner = await idOf('partner');
    await madeBefore('accounts', partner, mostAccountsMade - 1, 10);
    expect((await account(tokens.partner, at('keji'))).status).toBe(200);
    await api.rows(sql`update accounts set status = 0, station_id = ${api.station('east').id}
      where made_under = ${partner}`);
    const refused = await account(tokens.partner, at('keji'));
    expect([refused.status, refused.data]).toMatchObject([
      422,
      { code: 'too_many_accounts_made', params: { limit: mostAccountsMade } },
    ]);
  });

  it('accounts created at the same moment do not exceed the daily limit', async () => {
    await madeBefore('accounts', await idOf('partner'), mostAccountsMadeInDay - 1, 0);
    const answers = await Promise.all([1, 2, 3].map(() => account(tokens.partner, at('keji'))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
  });

  it('a manager can create only a limited number of stations per day and in total', async () => {
    const partner = await idOf('partner');
    await madeBefore('stations', partner, mostStationsMadeInDay - 1, 0);
    expect((await station(tokens.partner)).status).toBe(200);
    const refused = await station(tokens.partner);
    expect([refused.status, refused.data]).toMatchObject([
      429,
      { code: 'too_many_stations_made_today', params: { limit: mostStationsMadeInDay } },
    ]);
    expect((await station(tokens.admin)).status).toBe(200);
    await api.rows(sql`update stations set created_at = created_at - interval '10 days'
      where made_under = ${partner}`);
    await madeBefore('stations', partner, mostStationsMade - mostStationsMadeInDay - 1, 10);
    expect((await station(tokens.partner)).status).toBe(200);
    const last = await station(tokens.partner);
    expect([last.status, last.data]).toMatchObject([
      422,
      { code: 'too_many_stations_made', params: { limit: mostStationsMade } },
    ]);
  });
});

describe('unfinished jobs of one account', () => {
  it('the unfinished bulk actions and exports of one user count toward one limit; finished jobs and jobs of other users do not count', async () => {
    const { id } = (await post(tokens.clerk, 'expresses', exampleOrder({ draft: 1 }))).data;
    const cancel = (token: string) =>
      post(token, 'expresses/bulk', { action: 'cancel', ids: [id], reason: '测试' });
    await api.rows(sql`insert into user_jobs (account_id, kind, list, action, params, total,
      status, address, request_id)
      select ${await idOf('clerk')}::bigint, 'export', 'expresses', 'export', '{}', 0,
        'queued', '', '' from generate_series(1, ${mostOpenJobs - 1}::int)`);
    const answers = await Promise.all([cancel(tokens.clerk), cancel(tokens.clerk)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    expect(answers.find(({ status }) => status === 429)?.data).toMatchObject({
      code: 'too_many_jobs',
      params: { limit: mostOpenJobs },
    });
    expect((await cancel(tokens.station)).status).toBe(200);
    await api.rows(sql`update user_jobs set status = 'done'
      where account_id = ${await idOf('clerk')} and kind = 'export'`);
    expect((await cancel(tokens.clerk)).status).toBe(200);
  });
});
