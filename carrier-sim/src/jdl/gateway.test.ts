import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { call, createOrder, example, named, paths, send, stamp } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { CallOptions, Identity } from '#testing/jdl-client.ts';

let carrier: Simulator;
let waybill: string;
const partner: Identity = {
  appKey: 'partnerkey',
  appSecret: 'partnersecret',
  accessToken: '',
  customerCode: '020K000001',
};

beforeAll(async () => {
  carrier = await startSimulator({
    paused: true,
    applications: [
      {
        app_key: example.appKey,
        app_secret: example.appSecret,
        accounts: [{ access_token: example.accessToken, customer_codes: [example.customerCode] }],
      },
      {
        app_key: partner.appKey,
        app_secret: partner.appSecret,
        partner: true,
        accounts: [{ access_token: 'unused', customer_codes: [partner.customerCode] }],
      },
    ],
  });
  waybill = await createOrder(carrier.url, 'GATE-1');
});
afterAll(() => carrier.close());

const gatewayCode = async (
  options: CallOptions,
  path: string = paths.status,
): Promise<number | undefined> =>
  (await call(carrier.url, path, named(waybill), options)).error_response?.code;

test.each(['md5-salt', 'HMacMD5', 'HMacSHA1', 'HMacSHA256', 'HMacSHA512'])(
  'a request signed with %s is accepted',
  async (algorithm) => {
    const answer = await call(carrier.url, paths.status, named(waybill), { algorithm });
    expect(answer).toMatchObject({
      code: 0,
      success: true,
      data: { status: 100, statusDesc: '已下单' },
    });
  },
);

test('a request without an algorithm is signed with md5-salt, in lower or upper case hex', async () => {
  const timestamp = stamp(Date.now());
  const lower = await call(carrier.url, paths.status, named(waybill), { query: { timestamp } });
  expect(lower.success).toBe(true);
  const { createHash } = await import('node:crypto');
  const body = JSON.stringify([named(waybill)]);
  const { appKey, appSecret, accessToken } = example;
  const text = `${appSecret}access_token${accessToken}app_key${appKey}method${paths.status}param_json${body}timestamp${timestamp}v2.0${appSecret}`;
  const sign = createHash('md5').update(text).digest('hex').toUpperCase();
  expect(
    (await call(carrier.url, paths.status, named(waybill), { query: { timestamp, sign } })).success,
  ).toBe(true);
});

describe('the gate refuses, always with HTTP 200 and both texts,', () => {
  test.each<[string, number, CallOptions]>([
    ['a missing app_key', 20, { query: { app_key: null } }],
    ['an unknown app_key', 20, { query: { app_key: 'nobody' } }],
    ['a missing token', 18, { query: { access_token: null } }],
    ['an unknown token', 19, { query: { access_token: 'other' } }],
    ['a missing timestamp', 7, { query: { timestamp: null } }],
    ['a timestamp with a T', 8, { query: { timestamp: stamp(Date.now()).replace(' ', 'T') } }],
    ['the 30th of February', 8, { query: { timestamp: '2026-02-30 10:00:00' } }],
    ['a timestamp seven minutes old', 8, { at: Date.now() - 7 * 60_000 }],
    ['a timestamp seven minutes ahead', 8, { at: Date.now() + 7 * 60_000 }],
    ['a time zone that is none', 8, { headers: { 'lop-tz': 'east' } }],
    ['a missing version', 4, { query: { v: null } }],
    ['another version', 5, { query: { v: '1.0' } }],
    ['a missing signature', 11, { query: { sign: null } }],
    ['a wrong signature', 12, { query: { sign: '0'.repeat(32) } }],
    ['an algorithm it does not know', 12, { algorithm: 'sm3-salt' }],
    [
      'a body changed after signing',
      12,
      { body: '[{}]', query: { sign: '758688b729e9c14ad2805df7bb5a5674' } },
    ],
    ['another LOP-DN', 15, { domain: 'jdcloudprint' }],
    ['no LOP-DN', 15, { query: { 'LOP-DN': null } }],
  ])('the gateway refuses %s with code %i', async (_case, code, options) => {
    const response = await send(carrier.url, paths.status, named(waybill), options);
    expect(response.status).toBe(200);
    const answer = (await response.json()) as {
      error_response: { code: number; en_desc: string; zh_desc: string };
    };
    expect(answer.error_response.code).toBe(code);
    expect(answer.error_response.en_desc).not.toBe('');
    expect(answer.error_response.zh_desc).not.toBe('');
  });

  test('the gateway refuses an unknown path with code 15 and the path “/” with code 14', async () => {
    expect(await gatewayCode({}, '/ecap/v1/orders/destroy')).toBe(15);
    expect(await gatewayCode({ domain: 'ECAP' }, '/')).toBe(14);
  });

  test('the gateway refuses a GET request with code 15', async () => {
    const timestamp = stamp(Date.now());
    const { createHash } = await import('node:crypto');
    const { appKey, appSecret, accessToken } = example;
    const text = `${appSecret}access_token${accessToken}app_key${appKey}method${paths.status}param_jsontimestamp${timestamp}v2.0${appSecret}`;
    const sign = createHash('md5').update(text).digest('hex');
    expect(await gatewayCode({ method: 'GET', query: { timestamp, sign } })).toBe(15);
  });
});

test('the gateway reports the first error in the order of its checks if a request has several errors', async () => {
  const all = { app_key: null, access_token: null, timestamp: null, v: null, sign: null };
  expect(await gatewayCode({ query: all })).toBe(20);
  expect(await gatewayCode({ query: { ...all, app_key: example.appKey } })).toBe(18);
  expect(
    await gatewayCode({
      query: { ...all, app_key: example.appKey, access_token: example.accessToken },
    }),
  ).toBe(7);
  expect(await gatewayCode({ query: { v: null, sign: null } })).toBe(4);
  expect(await gatewayCode({ query: { sign: null } }, '/nowhere')).toBe(11);
  expect(await gatewayCode({ query: { sign: 'x' } }, '/nowhere')).toBe(12);
});

test('a timestamp is read in the time zone given by lop-tz, and may differ from the current time by five minutes', async () => {
  expect(await gatewayCode({ hours: 0 })).toBeUndefined();
  expect(await gatewayCode({ hours: -5, at: Date.now() - 5 * 60_000 })).toBeUndefined();
  expect(await gatewayCode({ at: Date.now() + 5 * 60_000 })).toBeUndefined();
});

test('the timestamp of a request is compared with the real time, even if the simulated clock is days ahead', async () => {
  carrier.control.advance(30 * 86_400_000);
  expect(await gatewayCode({})).toBeUndefined();
  expect(await gatewayCode({ at: Date.parse(carrier.control.clock().now) })).toBe(8);
});

test('LOP-DN may be sent as a header', async () => {
  expect(
    await gatewayCode({ query: { 'LOP-DN': null }, headers: { 'LOP-DN': 'ECAP' } }),
  ).toBeUndefined();
});

test('a call of a partner application without a token is accepted if its signature uses an empty token', async () => {
  const order = { orderOrigin: 1, customerCode: partner.customerCode, sum: 1 };
  const answer = await call(carrier.url, paths.numbers, order, {
    identity: partner,
    query: { access_token: null },
  });
  expect(answer.success).toBe(true);
});

test('every answer carries a Lop-Trace-Id', async () => {
  const response = await send(carrier.url, paths.status, named(waybill));
  expect(response.headers.get('lop-trace-id')).toMatch(/^[0-9a-f-]{36}$/);
});

describe('the body must be a list of one object', () => {
  test.each([['{}'], ['[]'], ['[{},{}]'], ['[1]'], ['not json'], ['']])(
    'a body with %s is a business error',
    async (body) => {
      const answer = await call(carrier.url, paths.status, null, { body });
      expect(answer.error_response).toBeUndefined();
      expect(answer.success).toBe(false);
      expect(answer.code).not.toBe(0);
    },
  );
});

test('a customer code that belongs to another account is a business error', async () => {
  const answer = await call(
    carrier.url,
    paths.status,
    named(waybill, { customerCode: '020K000001' }),
  );
  expect(answer).toMatchObject({ success: false, msg: 'PIN与商家编码不匹配' });
});

test('a response has the carrier’s older wrapper only if the simulator is configured to use it', async () => {
  carrier.control.change({ envelope: 'wrapped' });
  const answer = await call(carrier.url, paths.status, named(waybill));
  carrier.control.change({ envelope: 'plain' });
  expect(Object.keys(answer)).toEqual(['response']);
  expect(answer.response.code).toBe(0);
  expect(Object.keys(answer.response.content)).toEqual([
    'code',
    'success',
    'msg',
    'requestId',
    'mills',
    'subCode',
    'subMsg',
    'data',
  ]);
});
