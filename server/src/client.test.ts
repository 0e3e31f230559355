import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyWebhook, Waystation } from '@waystation/client';
import { keyCallsInMinute } from '@waystation/contract/base/limits.ts';
import { webhookSignature } from '#domain/webhooks/webhooks.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, exampleOrder, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

type Order = Parameters<Waystation['createParcel']>[0];

let system: TestSystem;
let station: string;
let key: { id: number; text: string };
let client: Waystation;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  station = await system.login('station');
  const { data } = await system.call<{ key: string; api_key: { id: number } }>(
    station,
    'POST',
    '/api/arco/keys',
    {
      name: '网店',
      scopes: ['parcels', 'order', 'cancel', 'labels', 'statements', 'stations'],
      password: 'waystation-demo',
    },
  );
  key = { id: data.api_key.id, text: data.key };
  client = new Waystation({ baseUrl: system.url, key: key.text, language: 'en' });
});
afterAll(() => system.close());

const orderOf = (changes: Record<string, unknown> = {}): Order => exampleOrder(changes) as Order;
let orders = 0;
const place = (changes: Record<string, unknown> = {}) =>
  client.createParcel(orderOf(changes), { idempotencyKey: `shop-order-${++orders}` });

it('the client orders a parcel only once for an idempotency key, prints its label and cancels it', async () => {
  const made = await place();
  const again = await client.createParcel(orderOf(), { idempotencyKey: `shop-order-${orders}` });
  expect(again.id).toBe(made.id);
  const { id, post_amount } = await eventually(async () => {
    const parcel = await client.getParcel({ id: made.id });
    return parcel.state_code === 100 ? parcel : null;
  });
  expect(post_amount).toBeGreaterThan(0);
  const { type, bytes, result } = await client.printLabels({
    ids: [id],
    format: '76x130',
    result: 1,
  });
  expect([type, Buffer.from(bytes).subarray(0, 5).toString(), result?.count]).toEqual([
    'application/pdf',
    '%PDF-',
    1,
  ]);
  const lines = await client.parcelStatements({ id });
  expect(lines.items[0]).toMatchObject({ type: 'hold', freeze_amount: post_amount });
  const cancelled = await client.cancelParcel({ id, reason: '买家取消' });
  expect(cancelled.id).toBe(id);
});

it('the client reads all pages of a list, and returns each row once', async () => {
  const made = [];
  for (let n = 0; n < 3; n++) made.push((await place({ draft: 1, thr_order_id: 'pages' })).id);
  const found: number[] = [];
  for await (const { id } of client.iterateParcels({ tab: 'draft', page_size: 2 })) found.push(id);
  expect(found).toEqual(made.toReversed());
  const { quotes } = await client.quoteParcel({
    sender_province: '广东省',
    sender_city: '深圳市',
    receive_province: '上海市',
    receive_city: '上海市',
    weight: 1_200,
  });
  expect(quotes.find(({ cheapest }) => cheapest === 1)?.post_amount).toBeGreaterThan(0);
});

it('the client throws an error for invalid fields, a missing row, a missing scope or a reused idempotency key', async () => {
  await expect(place({ package_count: 51, weight: 0 })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_input',
    message: 'Fields to correct: 2; see the marked ones',
    fields: { package_count: { code: 'too_big' }, weight: { code: 'too_small' } },
  });
  await expect(client.getParcel({ id: 9_999_999 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'key_forbidden' });
  await expect(
    client.createParcel(orderOf({ goods: '书' }), { idempotencyKey: 'shop-order-1' }),
  ).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

it('if a call is over the API key’s rate limit, the client waits and repeats it, or throws if the wait would be too long', async () => {
  const spend = (seconds: number) =>
    // Moves the start of the key's current minute, so that the minute ends in this number of
    // seconds.
    system.rows(
      sql`update api_key_calls set calls = ${keyCallsInMinute},
        minute = clock_timestamp() - make_interval(secs => ${60 - seconds}) where key_id = ${key.id}`,
    );
  await spend(50);
  const impatient = new Waystation({ baseUrl: system.url, key: key.text, maxRetryWaitMs: 5_000 });
  await expect(impatient.listParcels()).rejects.toMatchObject({
    status: 429,
    code: 'too_many_requests',
    retryAfterSeconds: expect.any(Number),
  });
  expect(impatient.rateLimits[0]).toMatchObject({ name: 'key', remaining: 0 });
  await spend(1);
  expect((await client.listParcels({ page_size: 1 })).items).toHaveLength(1);
});

it('the server serves the client file unchanged, and the file is smaller than 120 KB', async () => {
  const text = await (await fetch(`${system.url}/docs/waystation.ts`)).text();
  expect(text).toBe(readFileSync(new URL('../../client/waystation.ts', import.meta.url), 'utf8'));
  expect(Buffer.byteLength(text)).toBeLessThan(120_000);
});

it('an aborted call throws the reason of its signal', async () => {
  const aborting = new AbortController();
  const call = client.listParcels({}, { signal: aborting.signal });
  aborting.abort(new Error('closed'));
  await expect(call).rejects.toThrow('closed');
});

it('the client accepts a webhook that the product signed, and a call with a revoked API key is refused', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const message = { id: 'msg_1', timestamp: Math.floor(Date.now() / 1_000), body: '{"type":"x"}' };
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': webhookSignature(message, [
      `whsec_${Buffer.alloc(32).toString('base64')}`,
      secret,
    ]),
  };
  expect(await verifyWebhook({ payload: message.body, headers, secret })).toEqual({ type: 'x' });
  await system.call(station, 'POST', `/api/arco/keys/${key.id}/revoke`, {});
  await expect(client.listParcels()).rejects.toMatchObject({ status: 401, code: 'key_invalid' });
});
