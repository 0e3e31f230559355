import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpoint } from '@waystation/contract/base/endpoint.ts';
import type { Shapes } from '@waystation/contract/base/endpoint.ts';
import type { ApiError } from './api-error.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: Server;
let seen: Seen[] = [];
let answer: (response: ServerResponse) => void = () => {};
let module: typeof import('./call.ts');
let tokens: typeof import('./token.ts');

const read = endpoint<
  Shapes<{ id: number; q?: string | undefined; none?: string | undefined }, { name: string }>,
  'public'
>({
  method: 'GET',
  path: '/api/arco/things/{id}',
  roles: 'public',
  summary: '',
});
const write = endpoint<Shapes<{ name: string }, { id: number }>, 'public'>({
  method: 'POST',
  path: '/api/arco/things',
  roles: 'public',
  summary: '',
});
const file = endpoint<Shapes<{ ids: number[] }, unknown>, 'public'>({
  method: 'POST',
  path: '/api/arco/labels',
  roles: 'public',
  answers: 'file',
  summary: '',
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const good = (data: unknown) => json(200, { status: 200, data, message: 'ok' });

const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  try {
    await work;
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('the call did not fail');
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('VITE_API_BASE_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  module = await import('./call.ts');
  tokens = await import('./token.ts');
});

afterAll(() => void server.close());

beforeEach(() => {
  seen = [];
  tokens.dropToken();
  module.listenToCalls({ onUnauthorised: () => {}, onAnswered: () => {} });
});

describe('every request', () => {
  it('every request carries the headers of requirements §7', async () => {
    answer = good({ id: 1 });
    await module.call(write, { name: 'x' });
    expect(seen[0]?.headers).toMatchObject({
      'x-requested-with': 'XMLHttpRequest',
      'content-type': 'application/json',
      platform: 'arco',
      'client-side': 'arco',
      version: '1.0.0',
      'accept-language': 'zh-CN',
    });
    expect(seen[0]!.headers).not.toHaveProperty('authorization');
  });

  it('a request sends the stored token as a bearer token', async () => {
    answer = good({ id: 1 });
    tokens.writeToken('abc');
    await module.call(write, { name: 'x' });
    expect(seen[0]?.headers.authorization).toBe('Bearer abc');
  });

  it('the headers that the caller passes replace the default headers', async () => {
    answer = good({ id: 1 });
    await module.call(
      write,
      { name: 'x' },
      { headers: { version: '9', platform: 'test' }, idempotencyKey: 'key-12345' },
    );
    expect(seen[0]?.headers).toMatchObject({
      version: '9',
      platform: 'test',
      'client-side': 'arco',
      'idempotency-key': 'key-12345',
    });
  });

  it('a request with form data lets the browser set the content type', async () => {
    answer = good({ id: 1 });
    const form = new FormData();
    form.append('file', new Blob(['x']), 'parcels.xlsx');
    await module.call(write, form);
    expect(seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen[0]?.body).toContain('parcels.xlsx');
  });

  it('a GET request puts path parameters into the path and all other values into the query, and omits empty values', async () => {
    answer = good({ name: 'x' });
    await module.call(read, { id: 7, q: '赵 靐芳', none: '' });
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/api/arco/things/7?q=%E8%B5%B5+%E9%9D%90%E8%8A%B3',
      body: '',
    });
  });

  it('a POST puts its input into the body', async () => {
    answer = good({ id: 1 });
    await module.call(write, { name: '文件' });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ name: '文件' });
  });
});

describe('a call while the user is inactive', () => {
  it('if the user was not active recently, calls send x-background and do not extend the session, except calls with background: false', async () => {
    answer = good({ id: 1 });
    const onAnswered = vi.fn();
    module.listenToCalls({ onAnswered });
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    await module.call(write, { name: 'x' });
    expect([seen[0]?.headers['x-background'], onAnswered.mock.calls.length]).toEqual(['1', 0]);
    await module.call(write, { name: 'x' }, { background: false });
    expect([seen[1]?.headers['x-background'], onAnswered.mock.calls.length]).toEqual([
      undefined,
      1,
    ]);
    clock.mockRestore();
    await module.call(write, { name: 'x' });
    expect([seen[2]?.headers['x-background'], onAnswered.mock.calls.length]).toEqual([
      undefined,
      2,
    ]);
  });
});

describe('an answer', () => {
  it('a successful call returns the data inside the envelope of the response', async () => {
    answer = good({ id: 42 });
    await expect(module.call(write, { name: 'x' })).resolves.toEqual({ id: 42 });
  });

  it('if the body of a response has a status other than 200, the call fails with the whole body, even if the HTTP status is 200', async () => {
    const body = {
      status: 500,
      data: { code: 'internal', request_id: 'r-1' },
      message: '系统出错',
    };
    answer = json(200, body);
    const error = await failureOf(module.call(write, { name: 'x' }));
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 500,
      code: 'internal',
      request_id: 'r-1',
      message: '系统出错',
      body,
    });
  });

  it('the refused fields of an error response are passed to the caller', async () => {
    answer = json(422, {
      status: 422,
      data: {
        code: 'invalid_input',
        params: { count: 1 },
        fields: { receive_phone: { code: 'invalid' } },
        request_id: 'r-2',
      },
      message: 'x',
    });
    const error = await failureOf(module.call(write, { name: 'x' }));
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_input',
      params: { count: 1 },
      fields: { receive_phone: { code: 'invalid' } },
    });
  });

  it('a call fails with the HTTP status and the body of the response if the response has no envelope', async () => {
    answer = json(502, '<h1>Bad gateway</h1>', {
      'content-type': 'text/html',
      'x-request-id': 'from-proxy',
    });
    const error = await failureOf(module.call(write, { name: 'x' }));
    expect(error).toMatchObject({
      status: 502,
      code: 'http',
      message: 'Request failed with status code 502',
      body: '<h1>Bad gateway</h1>',
      request_id: 'from-proxy',
    });
  });

  it('a call fails if the body of the response is empty or not JSON', async () => {
    answer = json(200, '');
    expect((await failureOf(module.call(write, { name: 'x' }))).code).toBe('http');
    answer = json(200, 'null');
    expect((await failureOf(module.call(write, { name: 'x' }))).code).toBe('http');
  });

  it('an error response with Retry-After contains the number of seconds to wait', async () => {
    answer = json(
      503,
      { status: 503, data: { code: 'unavailable', request_id: 'r' }, message: '' },
      { 'retry-after': '2' },
    );
    expect(await failureOf(module.call(write, { name: 'x' }))).toMatchObject({
      status: 503,
      retryAfter: 2,
    });
  });
});

describe('HTTP 401', () => {
  it('HTTP 401 ends the session, and the caller gets the error from the response body', async () => {
    const onUnauthorised = vi.fn();
    module.listenToCalls({ onUnauthorised });
    answer = json(401, {
      status: 401,
      data: { code: 'not_logged_in', request_id: 'r' },
      message: 'x',
    });
    expect(await failureOf(module.call(write, { name: 'x' }))).toMatchObject({
      status: 401,
      code: 'not_logged_in',
    });
    expect(onUnauthorised).toHaveBeenCalledTimes(1);
  });

  it('HTTP 401 is the only failure that ends the session', async () => {
    const onUnauthorised = vi.fn();
    module.listenToCalls({ onUnauthorised });
    for (const status of [400, 403, 404, 409, 422, 429, 500, 503]) {
      answer = json(status, { status, data: { code: 'x', request_id: 'r' }, message: 'x' });
      await failureOf(module.call(write, { name: 'x' }));
    }
    expect(onUnauthorised).not.toHaveBeenCalled();
  });
});

describe('no answer', () => {
  it('a call without a response fails with the message Network Error', async () => {
    answer = (response) => response.destroy();
    expect(await failureOf(module.call(write, { name: 'x' }))).toMatchObject({
      status: 0,
      code: 'network',
      message: 'Network Error',
    });
  });

  it('a call times out only if it has a time limit', async () => {
    answer = () => {};
    const error = await failureOf(module.call(write, { name: 'x' }, { timeout: 50 }));
    expect(error).toMatchObject({ code: 'timeout' });
    expect(error.message).toContain('timeout');
  });

  it('a call that its caller aborts is neither a timeout nor a network error', async () => {
    const gone = new AbortController();
    answer = () => gone.abort();
    const work = failureOf(
      module.call(write, { name: 'x' }, { signal: gone.signal, timeout: 5000 }),
    );
    expect((await work).name).toBe('AbortError');
  });

  it('a response body that breaks off is reported as a network error', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"status":', () => response.destroy());
    };
    expect(await failureOf(module.call(write, { name: 'x' }))).toMatchObject({ code: 'network' });
  });
});

describe('a file', () => {
  it('a downloaded file is returned with its bytes and its name', async () => {
    answer = (response) => {
      response.writeHead(200, {
        'content-type': 'application/pdf',
        'content-disposition': "attachment; filename*=UTF-8''%E9%9D%A2%E5%8D%95.pdf",
      });
      response.end('%PDF-1.7');
    };
    const { blob, name, result } = await module.callFile(file, { ids: [1] });
    expect(await blob.text()).toBe('%PDF-1.7');
    expect(name).toBe('面单.pdf');
    expect(result).toBeNull();
  });

  it('a response with a file and a result returns both from one body, even if the result is long', async () => {
    const long = {
      failures: Array.from({ length: 2_000 }, (_, id) => ({
        id,
        reason: { code: 'not_printable', params: { state: '已签收' } },
      })),
    };
    const form = new FormData();
    form.set('result', JSON.stringify(long));
    form.set('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'labels-76x130.pdf');
    const sent = new Response(form);
    const bytes = Buffer.from(await sent.arrayBuffer());
    answer = (response) => {
      response.writeHead(200, { 'content-type': sent.headers.get('content-type')! });
      response.end(bytes);
    };
    const { blob, name, result } = await module.callFile(file, { ids: [1] });
    expect([await blob.text(), blob.type, name]).toEqual([
      '%PDF-1.7',
      'application/pdf',
      'labels-76x130.pdf',
    ]);
    expect(result).toEqual(long);
  });

  it('a file download that fails returns the error from the response envelope', async () => {
    answer = json(403, { status: 403, data: { code: 'forbidden', request_id: 'r' }, message: 'x' });
    expect(await failureOf(module.callFile(file, { ids: [1] }))).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });
});

describe('an idempotency key', () => {
  it('an idempotency key is new each time and valid for the server', () => {
    const keys = Array.from({ length: 100 }, () => module.newIdempotencyKey());
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[\w.:-]{8,100}$/);
  });
});

// These tests are the last of the file, because the calls of its module stay stopped.
describe('calls after a stop', () => {
  it('when all calls are stopped, a running call never settles, a later call is not sent, and the logout is still sent', async () => {
    const settled: string[] = [];
    const note = (name: string, work: Promise<unknown>) =>
      void work.finally(() => settled.push(name)).catch(() => {});
    let answerLate = () => {};
    answer = (response) => (answerLate = () => json(401, { status: 401, data: {} })(response));
    const refused = vi.fn<() => void>();
    module.listenToCalls({ onUnauthorised: refused });
    note('running', module.call(write, { name: 'running' }));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    module.stopCalls();
    note('later', module.call(write, { name: 'later' }));
    answerLate();
    answer = good({ id: 1 });
    await module.call(write, { name: 'logout' }, { afterStop: true });
    expect([settled, refused.mock.calls]).toEqual([[], []]);
    expect(seen.map(({ body }) => (JSON.parse(body) as { name: string }).name)).toEqual([
      'running',
      'logout',
    ]);
  });
});
