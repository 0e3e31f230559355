import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import { createApi } from './api.ts';
import { createApp } from './app.ts';
import { sql } from '#platform/db/db.ts';
import { createLog } from '#platform/log.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { routes } from './routes.ts';

interface Problem {
  code?: string;
  fields?: Record<string, { code: string; params?: object }>;
}
let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

const fields = (data: Problem): Record<string, string> =>
  Object.fromEntries(Object.entries(data.fields ?? {}).map(([name, { code }]) => [name, code]));

describe('requests and responses of the API', () => {
  it('no response of the API may be cached, whatever its status', async () => {
    const { call } = api;
    const answers = [
      ...(await Promise.all(
        routes.map(({ endpoint }) =>
          call(
            null,
            endpoint.method,
            endpoint.path.replaceAll(/\{\w+\}/g, '1'),
            endpoint.method === 'GET' ? undefined : {},
          ),
        ),
      )),
      await call(tokens.super, 'GET', '/api/arco/stations'),
      await call(tokens.super, 'POST', '/api/arco/exports', {
        list: 'stations',
        format: 'csv',
        language: 'zh',
        filters: {},
        columns: [{ key: 'name', title: '名称' }],
      }),
      await call(null, 'GET', '/api/arco/nothing-here'),
      await call(null, 'POST', `/api/carriers/jdl/push/${'x'.repeat(32)}`, {}),
    ];
    expect(new Set(answers.map(({ headers }) => headers.get('cache-control')))).toEqual(
      new Set(['no-store']),
    );
  });

  it('a call with a secret in its query is refused, and a POST request reads no field from its query', async () => {
    const { call } = api;
    for (const name of ['password', 'token', 'access_token', 'otp', 'app_secret'])
      expect(
        (await call<Problem>(tokens.clerk, 'GET', `/api/arco/personal?${name}=x`)).data,
      ).toMatchObject({ code: 'credentials_in_query' });
    const demo = api.app.config.demoPassword;
    expect(
      (
        await call<Problem>(
          null,
          'POST',
          `/api/arco/login/password?username=clerk&password=${demo}`,
          {},
        )
      ).status,
    ).toBe(400);
    const named = await call<Problem>(
      tokens.super,
      'POST',
      '/api/arco/cargos?name=%E6%96%87%E4%BB%B6&type=1&provider=jdl',
      {},
    );
    expect([named.status, Object.keys(named.data.fields!).toSorted()]).toEqual([
      422,
      ['name', 'provider', 'type'],
    ]);
  });

  it('a GET request whose query contains a parameter twice is refused with the name of the parameter', async () => {
    const { status, data } = await api.call<Problem>(
      tokens.super,
      'GET',
      '/api/arco/stations?page_size=20&page_size=200',
    );
    expect([status, Object.keys(data.fields!)]).toEqual([422, ['page_size']]);
  });

  it('a response has the server’s request id; the id that the client sent is only in a separate field of the log', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('info', {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
    const app = createApp(api.app.config, api.database.owner, log, api.clock);
    const http = await createApi(app);
    const answer = await http.inject({
      method: 'PATCH',
      url: '/api/arco/personal',
      payload: { location: '深圳' },
      headers: { authorization: `Bearer ${tokens.clerk}`, 'x-request-id': 'client-number-7' },
    });
    const id = answer.headers['x-request-id'];
    expect([answer.statusCode, id]).toEqual([200, expect.stringMatching(/^[\w-]{36}$/)]);
    expect(lines.find(({ msg }) => msg === 'answered')).toMatchObject({
      request_id: id,
      client_request_id: 'client-number-7',
    });
    const account_id = await api.rows(
      sql<{ id: number }>`select id from accounts where username = 'clerk'`,
    );
    const refused = await http.inject({
      url: '/api/arco/expresses?page_size=201',
      headers: { authorization: `Bearer ${tokens.clerk}` },
    });
    expect(refused.statusCode).toBe(422);
    await http.inject({ url: '/api/arco/personal' });
    expect(
      lines
        .filter(({ msg }) => msg === 'answered')
        .map((line) => [line['status'], line['account_id']]),
    ).toEqual([
      [200, account_id[0]!.id],
      [422, account_id[0]!.id],
      [401, undefined],
    ]);
    expect(
      await api.rows(sql`select 1 as one from audit_log
      where request_id = ${String(id)}`),
    ).toEqual([{ one: 1 }]);
    expect(
      await api.rows(sql`select 1 from audit_log a
      where a::text like '%client-number-7%'`),
    ).toEqual([]);
    await http.close();
    await app.close();
  });
});

describe('the server in production', () => {
  const open = async (changes: object): Promise<FastifyInstance> =>
    createApi({ ...api.app, config: { ...api.app.config, ...changes } });

  it('in production, only responses over TLS have the Strict-Transport-Security header', async () => {
    const real = await open({ production: true, trustProxy: ['127.0.0.1'] });
    const answered = (proto: string, http = real) =>
      http.inject({ url: '/api/arco/about', headers: { 'x-forwarded-proto': proto } });
    expect((await answered('https')).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    );
    expect((await answered('http')).headers['strict-transport-security']).toBeUndefined();
    const unproxied = await open({ production: true, trustProxy: false });
    expect(
      (await answered('https', unproxied)).headers['strict-transport-security'],
    ).toBeUndefined();
    const demo = await open({ production: false, trustProxy: ['127.0.0.1'] });
    expect((await answered('https', demo)).headers['strict-transport-security']).toBeUndefined();
    for (const http of [real, unproxied, demo]) await http.close();
  });

  it('the pages of the API documentation exist only if they are enabled', async () => {
    const statuses = async (apiPages: boolean): Promise<number[]> => {
      const http = await open({ apiPages });
      const seen = await Promise.all(
        ['/docs', '/openapi.json', '/docs/reference.js', '/docs/waystation.ts'].map(
          async (url) => (await http.inject({ url })).statusCode,
        ),
      );
      await http.close();
      return seen;
    };
    expect(await statuses(false)).toEqual([404, 404, 404, 404]);
    expect(await statuses(true)).toEqual([200, 200, 200, 200]);
  });
});

describe('passwords set by a manager', () => {
  it('a password set by a manager must always be changed, and the manager cannot remove that requirement', async () => {
    const { call, network } = api;
    const clerk = network.stations.find(({ key }) => key === 'keji')!.clerks[0]!;
    await api.rows(sql`update accounts set must_change = 0 where id = ${clerk}`);
    const { data } = await call<{ account: { version: number; must_change: number } }>(
      tokens.partner,
      'POST',
      `/api/arco/users/${clerk}/password`,
      {
        password: 'harbour lamp eleven',
      },
    );
    expect(data.account.must_change).toBe(1);
    const off = await call<Problem>(tokens.super, 'PATCH', `/api/arco/users/${clerk}`, {
      version: data.account.version,
      must_change: 0,
    });
    expect([off.status, fields(off.data)]).toEqual([422, { must_change: 'must_change_stays' }]);
  });

  it('a password that contains the station’s name is refused, both from a manager and from a clerk', async () => {
    const { call, network } = api;
    const { id, clerks } = network.stations.find(({ key }) => key === 'nanshan')!;
    await api.rows(sql`update stations set name = '示例深圳南山网点一站' where id = ${id}`);
    const common = { password: 'password_is_station' };
    const password = '示例深圳南山网点一站2026';
    expect(
      fields(
        (
          await call<Problem>(tokens.super, 'POST', `/api/arco/users/${clerks[0]}/password`, {
            password,
          })
        ).data,
      ),
    ).toEqual(common);
    expect(
      fields(
        (
          await call<Problem>(tokens.super, 'POST', '/api/arco/users', {
            username: 'new-one',
            role: 'user',
            station_id: id,
            password,
          })
        ).data,
      ),
    ).toEqual(common);
    const own = { current: api.app.config.demoPassword, password };
    expect(
      fields((await call<Problem>(tokens.clerk, 'POST', '/api/arco/personal/password', own)).data),
    ).toEqual(common);
  });
});

describe('a name that is already used', () => {
  it('a name that another station or account uses is refused with the same text, whether the caller may see that row or not', async () => {
    const { call } = api;
    const station = async (name: string) =>
      fields((await call<Problem>(tokens.partner, 'POST', '/api/arco/stations', { name })).data);
    expect([await station('示例上海浦东站'), await station('示例广州天河站')]).toEqual([
      { name: 'name_unavailable' },
      { name: 'name_unavailable' },
    ]);
    const account = async (username: string) =>
      fields(
        (
          await call<Problem>(tokens.partner, 'POST', '/api/arco/users', {
            username,
            role: 'station',
          })
        ).data,
      );
    expect([await account('super'), await account('clerk-yuhang'), await account('clerk')]).toEqual(
      Array.from({ length: 3 }, () => ({ username: 'name_unavailable' })),
    );
  });
});

describe('a shared saved view', () => {
  it('a shared view can be changed only by users who may share views, even if its maker has lost that right', async () => {
    const { call } = api;
    const made = await call<SavedView>(tokens.admin, 'POST', '/api/arco/views', {
      list: 'expresses',
      title: '待办',
      search: { state: '100' },
      shared_with: 'user',
    });
    await api.rows(sql`update accounts set role = 'station',
      station_id = (select min(id) from stations) where username = 'admin'`);
    const edit = (version: number, changes: object) =>
      call<Problem & SavedView>(tokens.admin, 'PATCH', `/api/arco/views/${made.data.id}`, {
        version,
        ...changes,
      });
    for (const changes of [{ search: { state: '500' } }, { title: '别的' }, { shared_with: null }])
      expect((await edit(made.data.version, changes)).data).toMatchObject({
        code: 'view_share_forbidden',
      });
    await api.rows(sql`update accounts set role = 'admin', station_id = null
      where username = 'admin'`);
    expect((await edit(made.data.version, { title: '今日待办' })).data).toMatchObject({
      title: '今日待办',
    });
  });
});

describe('the secret of a carrier’s push URL', () => {
  it('a push secret is stored encrypted and is shown only to office users, and each display is audited', async () => {
    const { call, network, rows } = api;
    const base = `/api/arco/merchants/${network.merchant_id}/push-address`;
    const { data } = await call<{ path: string }>(tokens.admin, 'POST', base, {});
    expect(data.path).toBe(`/api/carriers/jdl/push/${network.push_secret}`);
    for (const who of ['partner', 'station', 'clerk'] as const)
      expect((await call(tokens[who], 'POST', base, {})).status).toBe(403);
    expect(
      await rows(sql`select 1 from merchants m
      where m::text like ${`%${network.push_secret}%`}`),
    ).toEqual([]);
    expect(
      await rows(sql`select account_name from audit_log
      where action = 'reveal_push_address'`),
    ).toEqual([{ account_name: 'admin' }]);
    const made = await call<Merchant>(tokens.super, 'POST', '/api/arco/merchants', {
      name: '另一商家',
      provider: 'jdl',
      customer_code: '010K000777',
      app_key: 'k'.repeat(20),
      app_secret: 's'.repeat(20),
      access_token: 't'.repeat(20),
      base_url: 'https://api.jdl.com',
      sender_name: '示例',
      sender_phone: '13800000001',
    });
    const another = await call<{ path: string }>(
      tokens.super,
      'POST',
      `/api/arco/merchants/${made.data.id}/push-address`,
      {},
    );
    expect(another.data.path).toMatch(/^\/api\/carriers\/jdl\/push\/[\w-]{32}$/);
    expect(another.data.path).not.toBe(data.path);
  });

  it('a replaced push secret works for seven days, or until the next replacement, or until the office ends it', async () => {
    const { call, network, rows } = api;
    const base = `/api/arco/merchants/${network.merchant_id}/push-address`;
    type Address = { path: string; previous_until: string | null };
    const act = (tail: string) => call<Address>(tokens.admin, 'POST', `${base}${tail}`, {});
    const push = async ({ path }: Pick<Address, 'path'>) =>
      (await call(null, 'POST', path, { waybillCode: 'JDVE1' })).status;
    for (const who of ['partner', 'station', 'clerk'] as const)
      for (const tail of ['/replace', '/end-previous'])
        expect((await call(tokens[who], 'POST', `${base}${tail}`, {})).status).toBe(403);
    const first = (await act('')).data;
    expect(first.previous_until).toBeNull();
    const second = (await act('/replace')).data;
    expect(second.path).not.toBe(first.path);
    expect((await act('')).data).toEqual(second);
    // The time is set from PostgreSQL's clock, because PostgreSQL compares it with its own clock
    // when a push arrives.
    const until = (interval: string) =>
      rows(sql`update merchants
      set previous_push_until = now() + ${interval}::interval
      where id = ${network.merchant_id}`);
    await until('1 minute');
    expect([await push(first), await push(second)]).toEqual([200, 200]);
    await until('-1 minute');
    expect([await push(first), await push(second)]).toEqual([404, 200]);
    const third = (await act('/replace')).data;
    await until('1 minute');
    expect([await push(first), await push(second), await push(third)]).toEqual([404, 200, 200]);
    expect((await act('/end-previous')).status).toBe(200);
    expect([await push(second), await push(third)]).toEqual([404, 200]);
    expect(Date.parse(second.previous_until!) - api.clock.now().getTime()).toBe(7 * 86_400_000);
    expect(
      await rows(sql`select action, account_name from audit_log
      where action in ('replace_push_address', 'end_push_address') order by id`),
    ).toEqual(
      ['replace_push_address', 'replace_push_address', 'end_push_address'].map((action) => ({
        action,
        account_name: 'admin',
      })),
    );
  });
});

describe('a carrier account with the simulator’s URL', () => {
  it('a carrier account is marked as simulated however the simulator’s IP address is written in its URL', async () => {
    const { call, app, network } = api;
    const { port } = app.config.simulator;
    app.config.outboundAllow.push(`127.0.0.1:${port}`);
    const id = network.merchant_id;
    for (const base_url of [
      `http://127.1:${port}`,
      `http://0x7f.1:${port}`,
      `http://127.0.0.1:0${port}/`,
    ]) {
      await api.rows(sql`update merchants set simulated = 0 where id = ${id}`);
      const { version } = (await call<Merchant>(tokens.super, 'GET', `/api/arco/merchants/${id}`))
        .data;
      const moved = await call<Merchant>(tokens.super, 'PATCH', `/api/arco/merchants/${id}`, {
        version,
        base_url,
      });
      expect([moved.status, moved.data.simulated], base_url).toEqual([200, 1]);
    }
    const { version } = (await call<Merchant>(tokens.super, 'GET', `/api/arco/merchants/${id}`))
      .data;
    const elsewhere = await call<Problem>(tokens.super, 'PATCH', `/api/arco/merchants/${id}`, {
      version,
      base_url: 'https://127.1.example.com',
    });
    expect(fields(elsewhere.data)).toMatchObject({ app_secret: 'merchant_secret_again' });
  });
});
