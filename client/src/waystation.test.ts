import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  verifyWebhook,
  Waystation,
  WaystationConnectionError,
  WaystationError,
} from '@waystation/client';
import type { LabelResult, WaystationOptions } from '@waystation/client';
import { errors } from '@waystation/contract/base/errors.ts';
import type { LabelResult as ContractLabelResult } from '@waystation/contract/parcels/express-calls.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answer = (status: number, data: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ status, data, message: `message ${status}` }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

type Step = Response | 'lost' | 'silent';

/**
 * Returns a client whose requests get these responses one after the other, and a list of its
 * requests.
 */
const clientOf = (steps: Step[], options: Partial<WaystationOptions> = {}) => {
  const sent: { url: string; at: number; init: RequestInit }[] = [];
  const fetch = (url: unknown, init: RequestInit = {}): Promise<Response> => {
    sent.push({ url: String(url), at: Date.now(), init });
    const step = steps.shift();
    if (step instanceof Response) return Promise.resolve(step);
    if (step === 'lost') return Promise.reject(new TypeError('fetch failed'));
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  };
  const client = new Waystation({
    baseUrl: 'https://waystation.example.com/',
    key: 'secret',
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  return { client, sent };
};

/** Returns the result or the error of a call, after it has run all timers. */
const outcomeOf = async (call: Promise<unknown>): Promise<unknown> => {
  const outcome = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return outcome;
};
const waits = (sent: { at: number }[]): number[] =>
  sent.slice(1).map(({ at }, before) => at - sent[before]!.at);

describe('a call of the client', () => {
  it('the client sends the input of a call in the path, query or body, and sends its API key and its language in headers', async () => {
    const { client, sent } = clientOf([answer(200, {}), answer(200, {}), answer(200, {})], {
      language: 'en',
    });
    await client.listParcels({ q: '张 三&', page_size: 5, tab: undefined as never });
    await client.replayDelivery({ id: 3, delivery: 4 });
    await client.createParcel({ draft: 1, weight: 1 }, { idempotencyKey: 'shop-order-1' });
    const [list, replay, order] = sent;
    expect(list!.url).toBe(
      'https://waystation.example.com/api/arco/expresses?q=%E5%BC%A0+%E4%B8%89%26&page_size=5',
    );
    expect(list!.init).toMatchObject({
      method: 'GET',
      headers: { authorization: 'Bearer secret', 'accept-language': 'en-US' },
      redirect: 'error',
    });
    expect(list!.init.body).toBeUndefined();
    expect([replay!.url, replay!.init.body]).toEqual([
      'https://waystation.example.com/api/arco/webhooks/3/deliveries/4/replay',
      '{}',
    ]);
    expect(order!.init).toMatchObject({
      headers: { 'idempotency-key': 'shop-order-1', 'content-type': 'application/json' },
      body: '{"draft":1,"weight":1}',
    });
  });

  it('a failed call of the client throws the status, code, message, fields and request id of the answer; if the answer has no code, the code is http', async () => {
    const data = {
      code: 'invalid_input',
      params: { count: 1 },
      fields: { weight: { code: 'too_big' } },
      request_id: 'r-1',
    };
    const { client } = clientOf([
      answer(422, data),
      new Response('<html>', { status: 404, statusText: 'Not Found' }),
    ]);
    const error = (await outcomeOf(client.getParcel({ id: 1 }))) as WaystationError;
    expect(error).toBeInstanceOf(WaystationError);
    expect(error).toMatchObject({
      status: 422,
      message: 'message 422',
      code: 'invalid_input',
      params: { count: 1 },
      fields: { weight: { code: 'too_big' } },
      requestId: 'r-1',
      retryAfterSeconds: null,
    });
    expect(await outcomeOf(client.getParcel({ id: 1 }))).toMatchObject({
      status: 404,
      code: 'http',
      message: 'HTTP 404',
      fields: {},
    });
  });

  it('the client repeats a failed read, and a failed order with an idempotency key, after Retry-After or after growing pauses', async () => {
    const busy = () => answer(429, { code: 'too_many_requests' }, { 'retry-after': '7' });
    const read = clientOf([busy(), 'lost', answer(503, {}), answer(200, { id: 1 })]);
    expect(await outcomeOf(read.client.getParcel({ id: 1 }))).toEqual({ id: 1 });
    expect(waits(read.sent)).toEqual([7_000, 1_000, 2_000]);
    const open = answer(409, { code: 'idempotency_in_progress' }, { 'retry-after': '1' });
    const order = clientOf(['lost', open, answer(200, { id: 2 })]);
    const options = { idempotencyKey: 'shop-order-2' };
    expect(await outcomeOf(order.client.createParcel({ draft: 1 }, options))).toEqual({ id: 2 });
    expect(order.sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).toEqual(
      Array.from({ length: 3 }, () => 'shop-order-2'),
    );
  });

  it('the client sends a write without an idempotency key only once, and throws if the response is lost', async () => {
    for (const step of ['lost', answer(429, {}), answer(503, {})] as const) {
      const { client, sent } = clientOf([step, answer(200, {})]);
      const error = await outcomeOf(client.cancelParcel({ id: 1, reason: '买家取消' }));
      expect(error).toBeInstanceOf(step === 'lost' ? WaystationConnectionError : WaystationError);
      expect(sent).toHaveLength(1);
    }
  });

  it('after its last attempt the client throws the last error; if Retry-After is above the limit, it throws after the first attempt', async () => {
    const lost = clientOf(Array.from({ length: 9 }, () => 'lost' as const));
    expect(await outcomeOf(lost.client.getParcel({ id: 1 }))).toMatchObject({ reason: 'network' });
    expect(lost.sent).toHaveLength(5);
    const once = clientOf([answer(503, {}), answer(200, {})], { retries: 0 });
    expect(await outcomeOf(once.client.getParcel({ id: 1 }))).toMatchObject({ status: 503 });
    const long = clientOf([answer(429, {}, { 'retry-after': '61' }), answer(200, {})]);
    expect(await outcomeOf(long.client.getParcel({ id: 1 }))).toMatchObject({
      status: 429,
      retryAfterSeconds: 61,
    });
    expect(long.sent).toHaveLength(1);
  });

  it('the client throws a timeout if no attempt gets a response in time', async () => {
    const { client, sent } = clientOf(['silent', 'silent'], { retries: 1, timeoutMs: 4_000 });
    expect(await outcomeOf(client.getParcel({ id: 1 }))).toMatchObject({ reason: 'timeout' });
    expect(waits(sent)).toEqual([4_500]);
  });

  it('if its abort signal fires, a call of the client ends with the signal’s reason, even while it waits for its next attempt', async () => {
    const reason = new Error('no longer wanted');
    const before = clientOf([answer(200, {})]);
    const { signal } = { signal: AbortSignal.abort(reason) };
    expect(await outcomeOf(before.client.getParcel({ id: 1 }, { signal }))).toBe(reason);
    expect(before.sent).toHaveLength(0);
    for (const step of ['silent', answer(429, {}, { 'retry-after': '50' })] as const) {
      const { client, sent } = clientOf([step, answer(200, {})]);
      const aborting = new AbortController();
      setTimeout(() => aborting.abort(reason), 2_000);
      const since = Date.now();
      const call = client.getParcel({ id: 1 }, { signal: aborting.signal });
      const outcome = call.then(
        () => null,
        (error: unknown) => [error, Date.now() - since],
      );
      await vi.runAllTimersAsync();
      expect([await outcome, sent.length]).toEqual([[reason, 2_000], 1]);
    }
  });

  it('the client reads the next page of a list only when its items are needed', async () => {
    const page = (ids: number[], next_cursor: string | null) =>
      answer(200, { items: ids.map((id) => ({ id })), next_cursor });
    const { client, sent } = clientOf([page([1, 2], 'c2'), page([], 'c3'), page([3], null)]);
    const ids: number[] = [];
    for await (const { id } of client.iterateParcels({ tab: 'signed' })) {
      ids.push(id);
      if (id === 2) expect(sent).toHaveLength(1);
    }
    expect(ids).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual([
      'page_size=200&tab=signed',
      'page_size=200&tab=signed&cursor=c2',
      'page_size=200&tab=signed&cursor=c3',
    ]);
  });

  it('the client reports how many calls each rate limit still allows, and returns a file with its content type and its result', async () => {
    const form = new FormData();
    const result: LabelResult & ContractLabelResult = {
      count: 1,
      pages: 1,
      failures: [],
      warnings: [],
      prints: [[1, 2]],
    };
    form.set('result', new Blob([JSON.stringify(result)], { type: 'application/json' }));
    form.set('file', new Blob(['%PDF-'], { type: 'application/pdf' }), 'labels.pdf');
    const { client } = clientOf([
      new Response('^XA', {
        headers: {
          'content-type': 'application/zpl',
          ratelimit: '"key";r=599;t=60, "account";r=1199;t=58',
        },
      }),
      new Response(form),
    ]);
    expect(client.rateLimits).toEqual([]);
    const zpl = await client.printLabels({ ids: [1], format: '76x130', driver: 'zpl' });
    expect([zpl.type, new TextDecoder().decode(zpl.bytes)]).toEqual(['application/zpl', '^XA']);
    expect(client.rateLimits).toEqual([
      { name: 'key', remaining: 599, resetSeconds: 60 },
      { name: 'account', remaining: 1_199, resetSeconds: 58 },
    ]);
    const file = await client.printLabels({ ids: [1], format: '76x130', result: 1 });
    expect([file.type, new TextDecoder().decode(file.bytes), file.result]).toEqual([
      'application/pdf',
      '%PDF-',
      result,
    ]);
  });

  it('every error code in the client’s types is an error code of the contract', () => {
    const codes: WaystationError['code'][] = [
      'bad_request',
      'invalid_input',
      'not_found',
      'forbidden',
      'key_invalid',
      'key_forbidden',
      'key_address_refused',
      'login_throttled',
      'idempotency_key_required',
      'idempotency_key_reused',
      'idempotency_in_progress',
      'price_changed',
      'too_large',
      'too_many_requests',
      'unavailable',
      'internal',
    ];
    expect(codes.filter((code) => !Object.hasOwn(errors, code))).toEqual([]);
  });
});

describe('the signature of a webhook', () => {
  // The example with which libraries for the Standard Webhooks specification are tested.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const payload = '{"test": 2432232314}';
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const now = new Date(1_614_265_330_000);
  const request = { payload, headers, secret, now };
  const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const reasonOf = (changes: object): Promise<unknown> =>
    verifyWebhook({ ...request, ...changes }).catch((error: { reason: unknown }) => error.reason);

  it('a webhook with several signatures is accepted if one of them matches one of several secrets; its body may be text or bytes', async () => {
    const event = { test: 2_432_232_314 };
    expect(await verifyWebhook(request)).toEqual(event);
    const signatures = `v1,${'A'.repeat(43)}= v2,x ${headers['webhook-signature']} v1,%`;
    expect(
      await verifyWebhook({
        payload: new TextEncoder().encode(payload),
        headers: new Headers({ ...headers, 'webhook-signature': signatures }),
        secret: [other, secret],
        now: new Date(now.getTime() + 300_000),
      }),
    ).toEqual(event);
  });

  it('if the body, id, secret, time or signature of a webhook is wrong, verifying it throws the reason', async () => {
    expect(await reasonOf({ payload: '{"test": 2432232315}' })).toBe('signature');
    expect(await reasonOf({ headers: { ...headers, 'webhook-id': 'msg_2' } })).toBe('signature');
    expect(await reasonOf({ secret: other })).toBe('signature');
    expect(await reasonOf({ secret: [] })).toBe('signature');
    for (const seconds of [-301, 301])
      expect(await reasonOf({ now: new Date(now.getTime() + seconds * 1_000) })).toBe('timestamp');
    const stamped = (text: string) => ({ headers: { ...headers, 'webhook-timestamp': text } });
    expect(await reasonOf({ ...stamped('1614265331') })).toBe('signature');
    expect(await reasonOf({ ...stamped('1614265330.0') })).toBe('timestamp');
    const signed = (text: string) => ({ headers: { ...headers, 'webhook-signature': text } });
    expect(await reasonOf(signed(headers['webhook-signature'].replace('v1', 'v2')))).toBe(
      'signature',
    );
    expect(await reasonOf(signed(''))).toBe('header');
  });

  it('verifying a webhook with an invalid secret throws a TypeError', async () => {
    await expect(verifyWebhook({ ...request, secret: 'whsec_%' })).rejects.toThrow(TypeError);
  });
});
