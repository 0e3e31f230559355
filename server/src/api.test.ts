import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errors } from '@waystation/contract/base/errors.ts';
import { buildNetwork } from '#features/demo/network.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import type { DatabaseProxy } from '#testing/database-proxy.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { testConfig } from '#testing/test-app.ts';
import { createApi } from './api.ts';
import { createApp } from './app.ts';
import type { App } from './app.ts';
import { routes } from './routes.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let app: App;
let http: FastifyInstance;
let url: string;
let clerk: string;
let pushSecret: string;

const send = async (
  method: string,
  path: string,
  body?: string | object,
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    json: (/json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : null) as {
      status: number;
      data: Record<string, unknown>;
      message: string;
    },
  };
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.owner);
  app = createApp(
    testConfig({ webDir: '/nonexistent', origins: ['https://console.example.com'] }),
    { ...database.connection, host: '127.0.0.1', port: proxy.port },
    silentLog(),
  );
  const network = await app.db.tx(systemScope('test'), (work) =>
    buildNetwork(app, work, new Date(Date.now() - 86_400_000)),
  );
  pushSecret = network.push_secret;
  http = await createApi(app, { checkOutput: true });
  await http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  clerk = (
    await send('POST', '/api/arco/login/password', {
      username: 'clerk',
      password: app.config.demoPassword,
    })
  ).json.data['access_token'] as string;
});
afterAll(async () => {
  await http.close();
  await app.close();
  await proxy.close();
  await database.drop();
});

const nested = (depth: number): string =>
  `{"name":"a","value":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const preferences = '/api/arco/preferences';

describe('every error response', () => {
  it.each<[string, number, string, () => ReturnType<typeof send>]>([
    [
      'of JSON that is none',
      400,
      'bad_request',
      () => send('POST', preferences, '{"name":', bearer(clerk)),
    ],
    [
      'of a body that is no object',
      400,
      'bad_request',
      () => send('POST', preferences, '[1]', bearer(clerk)),
    ],
    [
      'of another type of body',
      400,
      'bad_request',
      () =>
        send('POST', preferences, 'name=a', {
          ...bearer(clerk),
          'content-type': 'application/x-www-form-urlencoded',
        }),
    ],
    [
      'of a body beyond its limit',
      413,
      'too_large',
      () =>
        send('POST', preferences, `{"name":"a","value":"${'x'.repeat(40_000)}"}`, bearer(clerk)),
    ],
    [
      'of a body nested beyond any use',
      400,
      'bad_request',
      () => send('POST', preferences, nested(10_000), bearer(clerk)),
    ],
    [
      'of a text with NUL in the body',
      400,
      'bad_request',
      () => send('POST', '/api/arco/login/password', { username: 'a\u0000b', password: 'x' }),
    ],
    [
      'of a text with NUL in the query',
      400,
      'bad_request',
      () => send('GET', '/api/arco/expresses?q=%00', undefined, bearer(clerk)),
    ],
    [
      'of a poisoned body',
      400,
      'bad_request',
      () => send('POST', preferences, '{"name":"a","__proto__":{"role":"super"}}', bearer(clerk)),
    ],
    [
      'of a path that nobody serves',
      404,
      'not_found',
      () => send('GET', '/api/arco/nothing', undefined, bearer(clerk)),
    ],
    [
      'of a method that nobody serves',
      404,
      'not_found',
      () => send('DELETE', '/api/arco/expresses', undefined, bearer(clerk)),
    ],
    [
      'of an address that cannot be read',
      400,
      'bad_request',
      () => send('GET', '/api/arco/expresses/%zz', undefined, bearer(clerk)),
    ],
    ['without a token', 401, 'not_logged_in', () => send('GET', '/api/arco/personal')],
    [
      'with a token that is none',
      401,
      'not_logged_in',
      () => send('GET', '/api/arco/personal', undefined, bearer('x'.repeat(43))),
    ],
    [
      'of a role without the endpoint',
      403,
      'forbidden',
      () => send('GET', '/api/arco/statements', undefined, bearer(clerk)),
    ],
    [
      'of a field that does not fit',
      422,
      'invalid_input',
      () => send('GET', '/api/arco/expresses?page_size=201', undefined, bearer(clerk)),
    ],
    [
      'of a file',
      404,
      'not_found',
      () => send('POST', '/api/arco/labels', { ids: [1], format: '76x130' }, bearer(clerk)),
    ],
  ])(
    'the error %s is answered with the JSON envelope, which repeats the HTTP status and the request id of the header',
    async (_, status, code, attempt) => {
      const { status: seen, json, headers } = await attempt();
      expect(seen).toBe(status);
      expect(json).toMatchObject({
        status,
        data: { code, request_id: expect.any(String) },
        message: expect.any(String),
      });
      expect(headers.get('x-request-id')).toBe(json.data['request_id']);
      expect(headers.get('content-type')).toContain('application/json');
      expect(errors[code as 'not_found'].status).toBe(status);
    },
  );

  it('every failure is in the requested language, by default in Chinese', async () => {
    expect((await send('GET', '/api/arco/personal')).json.message).toBe(errors.not_logged_in.zh);
    expect(
      (await send('GET', '/api/arco/personal', undefined, { 'accept-language': 'en-GB,en;q=0.9' }))
        .json.message,
    ).toBe(errors.not_logged_in.en);
  });

  it('an order with several invalid fields is refused with one error for each of these fields', async () => {
    const { json } = await send(
      'POST',
      '/api/arco/expresses',
      exampleOrder({
        receive_name: '',
        weight: 'heavy',
        package_count: 0,
        goods: undefined,
        description: 'x'.repeat(201),
      }),
      { ...bearer(clerk), 'idempotency-key': 'bad-fields' },
    );
    expect(json).toMatchObject({ status: 422, data: { code: 'invalid_input' } });
    expect(Object.keys(json.data['fields'] as object).toSorted()).toEqual([
      'description',
      'goods',
      'package_count',
      'receive_name',
      'weight',
    ]);
    expect(json.data['fields']).toMatchObject({
      receive_name: { code: 'required' },
      goods: { code: 'required' },
      package_count: { code: 'too_small' },
      description: { code: 'too_long' },
    });
  });
});

describe('a request', () => {
  it('a request without a body may have a JSON content type', async () => {
    expect(
      (await send('POST', '/api/arco/logout', undefined, { 'content-type': 'application/json' }))
        .json,
    ).toMatchObject({ status: 200, message: 'ok' });
    expect((await send('POST', '/api/arco/logout', '', bearer('x'.repeat(43)))).status).toBe(200);
  });

  it('a request gets a number from the server, even if its client sends one', async () => {
    for (const sent of ['my-request-0001', 'short', 'with space 123', 'x'.repeat(65)])
      expect(
        (await send('GET', '/api/arco/about', undefined, { 'x-request-id': sent })).headers.get(
          'x-request-id',
        ),
      ).toMatch(/^[\w-]{36}$/);
  });

  it('a browser may call the API from another origin only if that origin is configured', async () => {
    const preflight = (origin: string) =>
      send('OPTIONS', '/api/arco/personal', undefined, {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      });
    expect(
      (await preflight('https://console.example.com')).headers.get('access-control-allow-origin'),
    ).toBe('https://console.example.com');
    expect(
      (await preflight('https://evil.example.com')).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });

  it('bytes that are not HTTP are answered with 400, and the server continues to work', async () => {
    const port = Number(new URL(url).port);
    const response = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('NOT HTTP AT ALL\r\n\r\n'));
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('close', () => resolve(text))
        .on('error', () => resolve(text));
    });
    expect(response).toMatch(/^HTTP\/1\.1 400/);
    expect((await send('GET', '/healthz')).status).toBe(200);
  });
});

describe('the API documentation', () => {
  it('the OpenAPI description lists every route with the roles that may call it', async () => {
    const { json } = await send('GET', '/openapi.json');
    const paths = (
      json as unknown as { paths: Record<string, Record<string, { description: string }>> }
    ).paths;
    for (const { endpoint } of routes)
      expect(
        paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.description,
        endpoint.path,
      ).toContain(endpoint.roles === 'public' ? 'No token' : endpoint.roles.join(', '));
  });

  it('the API reference at /docs loads nothing from another host', async () => {
    const answer = await fetch(`${url}/docs`);
    expect(answer.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(await answer.text()).not.toMatch(/https?:\/\//);
    for (const encoding of ['br', 'identity']) {
      const script = await fetch(`${url}/docs/reference.js`, {
        headers: { 'accept-encoding': encoding },
      });
      expect((await script.text()).length, encoding).toBeGreaterThan(1_000_000);
    }
  });
});

describe('requests while the database is unreachable', () => {
  it('while the database is unreachable, routes that need it return 503 with Retry-After and never 401; they work again afterwards', async () => {
    proxy.cut();
    const attempts: [string, ReturnType<typeof send>][] = [
      [
        'login',
        send('POST', '/api/arco/login/password', {
          username: 'clerk',
          password: app.config.demoPassword,
        }),
      ],
      ['a dead token', send('GET', '/api/arco/personal', undefined, bearer('x'.repeat(43)))],
      ...routes
        .filter(({ endpoint }) => endpoint.roles !== 'public')
        .map(({ endpoint }): [string, ReturnType<typeof send>] => [
          `${endpoint.method} ${endpoint.path}`,
          send(
            endpoint.method,
            endpoint.path.replaceAll(/\{\w+\}/g, '1'),
            endpoint.method === 'GET' ? undefined : {},
            {
              ...bearer(clerk),
              'idempotency-key': 'while-away',
            },
          ),
        ]),
    ];
    for (const [name, attempt] of attempts) {
      const { status, headers, json } = await attempt;
      expect({ name, status, code: json.data['code'] }).toEqual({
        name,
        status: 503,
        code: 'unavailable',
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const push = await send('POST', `/api/carriers/jdl/push/${pushSecret}`, {
      waybillCode: 'JDVE00000000001',
    });
    expect({ status: push.status, body: push.json }).toMatchObject({
      status: 503,
      body: { code: '500' },
    });
    expect((await send('GET', '/readyz')).status).toBe(503);
    expect((await send('GET', '/healthz')).status).toBe(200);
    expect((await send('GET', '/api/arco/about')).status).toBe(200);
    proxy.mend();
    expect((await send('GET', '/api/arco/personal', undefined, bearer(clerk))).status).toBe(200);
    expect((await send('GET', '/readyz')).status).toBe(200);
  });
});

describe('stopping the server', () => {
  it('a stopping server closes idle connections immediately, and closes the other connections after it has answered their requests', async () => {
    const other = createApp(
      testConfig({ webDir: '/nonexistent' }),
      database.connection,
      silentLog(),
    );
    const ending = await createApi(other, { checkOutput: true });
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    ending.get('/slow', async () => {
      begun.resolve();
      await mayEnd.promise;
      return { done: true };
    });
    await ending.listen({ port: 0, host: '127.0.0.1' });
    const { port } = ending.server.address() as AddressInfo;
    const answered = new Promise<{ status: number; connection: string | undefined }>(
      (resolve, reject) => {
        rawRequest(
          { port, host: '127.0.0.1', path: '/slow', headers: { connection: 'keep-alive' } },
          (answer) =>
            resolve({ status: answer.statusCode!, connection: answer.headers.connection }),
        )
          .on('error', reject)
          .end();
      },
    );
    await begun.promise;
    const closed = ending.close();
    await expect.poll(() => ending.server.listening).toBe(false);
    mayEnd.resolve();
    expect(await answered).toEqual({ status: 200, connection: 'close' });
    // If an idle connection stayed open, closing would take longer than a test may take.
    await closed;
    await other.close();
  });
});
