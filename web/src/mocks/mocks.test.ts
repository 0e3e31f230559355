import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '@waystation/contract/base/envelope.ts';
import { installMocks } from './install.ts';
import type { MockOptions } from './install.ts';

/** The requests that the mocks pass on to the server. */
let reached: string[] = [];
let server: Server;
let base = '';
let waits: number[] = [];
let remove = (): void => {};

const now = new Date('2026-11-21T18:30:00Z');

const install = (options: MockOptions = {}): void => {
  remove = installMocks({
    now: () => now,
    wait: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
};

beforeAll(async () => {
  server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response
      .setHeader('content-type', 'application/json')
      .end('{"status":200,"data":"real","message":"ok"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
beforeEach(() => {
  reached = [];
  waits = [];
  install();
});
afterEach(() => remove());

const ask = async (path: string, init: RequestInit = {}): Promise<Envelope<never>> => {
  const response = await fetch(base + path, init);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return (await response.json()) as Envelope<never>;
};
const post = (
  path: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<Envelope<never>> =>
  ask(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const succeeded = (data: unknown) => ({ status: 200, data, message: 'mock request succeeded' });
const failure = (status: number, message: string) => ({ status, data: null, message });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the mock of the login', () => {
  it('the mocked login returns a token for a correct username and password', async () => {
    const answers = [
      await post('/api/user/login', { username: 'admin', password: 'admin' }),
      await post('/api/user/login', { username: 'user', password: 'user' }),
    ];
    expect(answers).toEqual([
      succeeded({ token: 'mock-token-admin' }),
      succeeded({ token: 'mock-token-user' }),
    ]);
  });

  it.each([
    ['no name', { password: 'admin' }, 'username cannot be empty'],
    ['an empty name', { username: '  ', password: 'admin' }, 'username cannot be empty'],
    ['neither', undefined, 'username cannot be empty'],
    ['no password', { username: 'admin' }, 'password cannot be empty'],
    ['an empty password', { username: 'admin', password: '' }, 'password cannot be empty'],
    ['a wrong password', { username: 'admin', password: 'user' }, 'account or password wrong'],
    ['an unknown name', { username: 'nobody', password: 'nobody' }, 'account or password wrong'],
  ])('the mocked login refuses %s with 50000', async (_, body, words) => {
    expect(await post('/api/user/login', body)).toEqual(failure(50000, words));
  });
});

describe('the mock of the user info', () => {
  it('the mocked user info returns the user to whom the token belongs', async () => {
    const user = await post('/api/user/info', {}, bearer('mock-token-user'));
    const admin = await post('/api/user/info', {}, bearer('mock-token-admin'));
    expect([user, admin]).toMatchObject([
      { status: 200, message: 'mock request succeeded', data: { username: 'user', role: 'user' } },
      {
        status: 200,
        message: 'mock request succeeded',
        data: { username: 'admin', role: 'admin' },
      },
    ]);
    expect(Object.keys(user.data)).toEqual(
      expect.arrayContaining([
        'id',
        'username',
        'nickname',
        'phone',
        'identity',
        'program_id',
        'station_id',
        'registered_at',
        'avatar',
        'location',
        'role',
      ]),
    );
  });

  it('the mocked user info for any other token is that of the admin, since every token counts as logged in', async () => {
    expect(await post('/api/user/info', {}, bearer('some-other-token'))).toMatchObject({
      status: 200,
      data: { role: 'admin' },
    });
  });

  it('the mocked user info answers a request without a token with the error code 50008', async () => {
    expect(await post('/api/user/info')).toEqual(failure(50008, 'not logged in'));
  });
});

describe('the mocks of logout and menu', () => {
  it('the mocked logout succeeds for every caller', async () => {
    expect(await post('/api/user/logout')).toEqual(succeeded(null));
  });

  it('the mocked menu is a tree that contains the workplace', async () => {
    expect(await post('/api/user/menu')).toMatchObject(
      succeeded([
        {
          path: '/dashboard',
          children: [{ path: '/dashboard/workplace', name: 'Workplace', children: [] }],
        },
      ]),
    );
  });
});

describe('the mocks of the messages', () => {
  const states = async (): Promise<[number, number][]> => {
    const { data } = await post('/api/message/list');
    return (data as { id: number; status: number }[]).map(({ id, status }) => [id, status]);
  };

  it('the mocked message list is the same for POST and for GET, and all its messages are unread at first', async () => {
    const posted = await post('/api/message/list');
    expect(posted).toEqual(await ask('/api/message/list'));
    expect(posted).toMatchObject({ status: 200, message: 'mock request succeeded' });
    const all = await states();
    expect(all.length).toBeGreaterThan(2);
    expect(all.every(([, status]) => status === 0)).toBe(true);
  });

  it('a mocked message is marked as read only if its id was sent', async () => {
    expect(await post('/api/message/read', { ids: [2, 4] })).toEqual(succeeded(true));
    expect(await states()).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 1],
      [5, 0],
      [6, 0],
    ]);
    expect(await post('/api/message/read', { ids: [2] })).toEqual(succeeded(true));
    expect((await states()).filter(([, status]) => status === 1).map(([id]) => id)).toEqual([2, 4]);
  });

  it.each([[{}], [{ ids: 2 }], [{ ids: ['2'] }]])(
    'the mocked messages fail with 500 on %j',
    async (body) => {
      expect(await post('/api/message/read', body)).toEqual(
        failure(500, 'ids must be an array of numbers'),
      );
      expect((await states()).some(([, status]) => status === 1)).toBe(false);
    },
  );
});

describe('the mock of the content data', () => {
  it('the mocked content data has a point for each of the last eight days in Shanghai time', async () => {
    const answer = await ask('/api/content-data');
    expect(answer).toMatchObject({ status: 200, message: 'mock request succeeded' });
    const points = answer.data as { x: string; y: number }[];
    expect(points.map(({ x }) => x)).toEqual(
      [15, 16, 17, 18, 19, 20, 21, 22].map((day) => `2026-11-${day}`),
    );
    expect(points.every(({ y }) => Number.isInteger(y) && y > 0)).toBe(true);
  });
});

describe('the mock of the popular list', () => {
  const titles = async (query: string): Promise<string[]> => {
    const answer = await ask(`/api/popular/list${query}`);
    expect(answer).toMatchObject({ status: 200, message: 'mock request succeeded' });
    return (answer.data as { title: string }[]).map(({ title }) => title);
  };

  it('the mocked content list returns five items of each type, and texts by default', async () => {
    const [plain, text, image, video] = [
      await titles(''),
      await titles('?type=text'),
      await titles('?type=image'),
      await titles('?type=video'),
    ];
    expect(plain).toEqual(text);
    expect(new Set([...text, ...image, ...video]).size).toBe(15);
    expect([text, image, video].map(({ length }) => length)).toEqual([5, 5, 5]);
  });

  it('the mocked content list fails with 500 for an unknown type', async () => {
    expect(await ask('/api/popular/list?type=toString')).toEqual(
      failure(500, 'type must be text, image or video'),
    );
  });
});

describe('every mock', () => {
  it('every mock answers 600 to 1000 ms later', async () => {
    const drawn = [0, 0.5, 1 - 2 ** -53];
    remove();
    install({ random: () => drawn.shift()! });
    for (const path of ['/api/content-data', '/api/popular/list', '/api/message/list'])
      await ask(path);
    expect(waits).toEqual([600, 800, expect.closeTo(1000, 6)]);
  });

  it('every mock fails with 500 for a body that is not a JSON object', async () => {
    for (const body of ['{', '[]', '"x"', 'null'])
      expect(await ask('/api/user/login', { method: 'POST', body })).toEqual(
        failure(500, 'the body is not a JSON object'),
      );
  });

  it('a mocked call is aborted when its caller aborts, before and during the wait', async () => {
    await expect(
      ask('/api/content-data', { signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
    remove();
    remove = installMocks();
    const caller = new AbortController();
    const pending = ask('/api/content-data', { signal: caller.signal });
    // real delay: the abort must come while the mock's answer is pending
    setTimeout(() => caller.abort(new Error('enough')), 5);
    await expect(pending).rejects.toThrow('enough');
  });

  it('a mock also answers under a base path, both for a call with a Request object and for a call with a URL', async () => {
    expect(await ask('/behind/api/content-data')).toMatchObject({
      message: 'mock request succeeded',
    });
    const response = await fetch(
      new Request(`${base}/api/user/login`, {
        method: 'POST',
        body: '{"username":"admin","password":"admin"}',
      }),
    );
    expect(await response.json()).toEqual(succeeded({ token: 'mock-token-admin' }));
    expect(reached).toEqual([]);
  });

  it('a request that is not mocked reaches the server', async () => {
    for (const [method, path] of [
      ['GET', '/api/arco/about'],
      ['GET', '/api/user/info'],
      ['POST', '/api/content-data'],
      ['POST', '/api/arco/login/password'],
    ] as const)
      expect(await ask(path, { method })).toMatchObject({ data: 'real' });
    expect(reached).toEqual([
      'GET /api/arco/about',
      'GET /api/user/info',
      'POST /api/content-data',
      'POST /api/arco/login/password',
    ]);
    expect(waits).toEqual([]);
  });

  it('no mock answers after the mocks are uninstalled', async () => {
    remove();
    expect(await ask('/api/content-data')).toMatchObject({ data: 'real' });
  });
});
