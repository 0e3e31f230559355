import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { call, createOrder, example, named, paths, stamp } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({ paused: true });
});
afterAll(() => carrier.close());

const get = (path: string, query: Record<string, string>): Promise<Response> =>
  fetch(`${carrier.url}${path}?${new URLSearchParams(query)}`, { redirect: 'manual' });

const token = async (code: string, secret = example.appSecret): Promise<Json> =>
  (await get('/oauth/token', { client_id: example.appKey, client_secret: secret, code })).json();

const refresh = async (
  refreshToken: string,
  timestamp = stamp(Date.now()),
  secret = example.appSecret,
): Promise<Json> => {
  const text = `${secret}app_key${example.appKey}refresh_token${refreshToken}timestamp${timestamp}${secret}`;
  const sign = createHash('md5').update(text).digest('hex');
  return (
    await get('/oauth/refresh', {
      app_key: example.appKey,
      refresh_token: refreshToken,
      timestamp,
      sign,
    })
  ).json();
};

test('the authorisation page sends a code and the state back to the application', async () => {
  const response = await get('/oauth/authorize', {
    client_id: example.appKey,
    redirect_uri: 'http://127.0.0.1:1/back?a=1',
    response_type: 'code',
    state: 's-1',
  });
  expect(response.status).toBe(302);
  const target = new URL(response.headers.get('location') ?? '');
  expect(target.origin).toBe('http://127.0.0.1:1');
  expect(target.searchParams.get('state')).toBe('s-1');
  const answer = await token(target.searchParams.get('code') ?? '');
  expect(Object.keys(answer).toSorted()).toEqual([
    'accessExpire',
    'accessToken',
    'clientId',
    'code',
    'refreshExpire',
    'refreshToken',
    'sellerId',
  ]);
  expect(answer).toMatchObject({ accessToken: example.accessToken, clientId: example.appKey });
  expect(answer.accessExpire).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  const days =
    (Date.parse(`${answer.accessExpire.replace(' ', 'T')}+08:00`) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(365);
});

test('the authorisation page shows the code if the redirect URI is the one for “out of band”', async () => {
  const response = await get('/oauth/authorize', {
    client_id: example.appKey,
    redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
    response_type: 'code',
  });
  expect((await token(await response.text())).accessToken).toBe(example.accessToken);
});

test('an OAuth code is accepted only once, and only with the application’s secret', async () => {
  const { code } = carrier.control.issueCode(example.customerCode);
  expect((await token(code, 'wrong')).accessToken).toBeUndefined();
  expect((await token(code)).accessToken).toBe(example.accessToken);
  expect((await token(code)).accessToken).toBeUndefined();
});

test('the token response may be a JSON string that contains JSON', async () => {
  carrier.control.change({ oauth_body: 'text' });
  const answer = await token(carrier.control.issueCode(example.customerCode).code);
  carrier.control.change({ oauth_body: 'object' });
  expect(typeof answer).toBe('string');
  expect(JSON.parse(answer).accessToken).toBe(example.accessToken);
});

test('a refresh returns the same token, as the real carrier does', async () => {
  const answer = await refresh('demorefresh000000000000000000000c');
  expect(answer).toMatchObject({
    code: 1000,
    message: 'success',
    enMessage: null,
    data: { accessToken: example.accessToken, clientId: example.appKey },
  });
});

test('a token refresh is refused if its signature is wrong, its timestamp is old, or its refresh token is unknown', async () => {
  expect(
    (await refresh('demorefresh000000000000000000000c', stamp(Date.now() - 600_000))).code,
  ).toBe(8);
  expect((await refresh('demorefresh000000000000000000000c', undefined, 'wrong')).code).toBe(12);
  expect((await refresh('another')).code).toBe(19);
});

test('an expired token is refused with code 19 until the merchant authorises the application again', async () => {
  const waybill = await createOrder(carrier.url, 'T-1');
  carrier.control.expireTokens(example.customerCode);
  expect((await call(carrier.url, paths.status, named(waybill))).error_response.code).toBe(19);
  const { accessToken } = await token(carrier.control.issueCode(example.customerCode).code);
  expect(accessToken).not.toBe(example.accessToken);
  const answer = await call(carrier.url, paths.status, named(waybill), {
    identity: { ...example, accessToken },
  });
  expect(answer.success).toBe(true);
  expect((await call(carrier.url, paths.status, named(waybill))).error_response.code).toBe(19);
});

test('a refresh returns a new token if the carrier is configured so', async () => {
  const other = await startSimulator({ settings: { refresh_mode: 'renew' } });
  const timestamp = stamp(Date.now());
  const { appKey, appSecret } = example;
  const refreshToken = 'demorefresh000000000000000000000c';
  const sign = createHash('md5')
    .update(
      `${appSecret}app_key${appKey}refresh_token${refreshToken}timestamp${timestamp}${appSecret}`,
    )
    .digest('hex');
  const response = await fetch(
    `${other.url}/oauth/refresh?${new URLSearchParams({ app_key: appKey, refresh_token: refreshToken, timestamp, sign })}`,
  );
  const { data } = (await response.json()) as Json;
  expect(data.accessToken).not.toBe(example.accessToken);
  await other.close();
});
