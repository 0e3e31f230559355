import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mostDeliveriesWaiting } from '@waystation/contract/base/limits.ts';
import { webhookKinds } from '@waystation/contract/people/webhook.ts';
import type { Inbox } from '@waystation/contract/shell/inbox.ts';
import { sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
import type { Refused } from '#testing/test-api.ts';
import { openReceiver } from '#testing/webhook-receiver.ts';
import type { Received, WebhookReceiver } from '#testing/webhook-receiver.ts';
import { eventually } from '#testing/test-system.ts';
import { startWebhooks } from './webhooks.ts';

const password = 'waystation-demo';
const hour = 3_600_000;

let to: WebhookReceiver;
beforeAll(async () => {
  to = await openReceiver();
});
afterAll(() => to.close());
beforeEach(() => to.reset());

describe('a webhook endpoint that fails', () => {
  it('a webhook delivery is tried for a day under the same ID, with longer and longer pauses, and then fails', async () => {
    const { webhook } = await to.make('station');
    to.answer = (response) => response.writeHead(500).end('broken \0 here');
    const { id } = await to.order();
    await to.becomes(id, 100);
    const at: number[] = [];
    const begun = to.api.clock.now().getTime();
    for (let minutes = 0; minutes < 26 * 60; minutes++) {
      const before = to.received.length;
      await to.run();
      if (to.received.length > before) at.push(to.api.clock.now().getTime() - begun);
      const [one] = await to.deliveries(webhook.id);
      if (one!.status !== 'pending') break;
      to.api.clock.set(
        new Date(Math.max(Date.parse(one!.next_at!), to.api.clock.now().getTime() + 60_000)),
      );
    }
    expect(at.at(-1)).toBeGreaterThanOrEqual(24 * hour);
    expect(at.length).toBeGreaterThan(8);
    const gaps = at.slice(1, -1).map((time, index) => time - at[index]!);
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [failed] = await to.deliveries(webhook.id);
    expect(failed).toMatchObject({
      status: 'failed',
      http_status: 500,
      answer: 'broken \uFFFD here',
      error: 'status',
    });
    expect(failed!.earlier).toHaveLength(at.length - 1);
    expect(failed!.earlier.map((one) => Date.parse(one.at) - begun)).toEqual(
      at.slice(0, -1).toReversed(),
    );
  });

  it('later webhook events of a parcel wait until its earlier event is delivered; events of other parcels do not wait', async () => {
    await to.make('station');
    const [first, second] = [await to.order(), await to.order()];
    to.answer = (response, { json }) =>
      response.writeHead(json.type === 'parcel.ordered' && isOf(json, first) ? 500 : 200).end();
    const isOf = ({ data }: Received['json'], { id }: { id: number }) =>
      (data['parcel'] as unknown as { id: number }).id === id;
    await to.becomes(first.id, 100);
    await to.becomes(second.id, 100);
    await to.becomes(first.id, 200);
    await to.becomes(second.id, 200);
    for (let turn = 0; turn < 4; turn++) {
      await to.run();
      to.api.clock.advance(3_000);
    }
    expect(
      to.received.filter(({ json }) => isOf(json, second)).map(({ json }) => json.type),
    ).toEqual(['parcel.ordered', 'parcel.moved']);
    expect(to.received.some(({ json }) => isOf(json, first) && json.type === 'parcel.moved')).toBe(
      false,
    );
    to.answer = (response) => response.end();
    to.api.clock.advance(hour);
    await to.run();
    expect(
      to.received
        .filter(({ json }) => isOf(json, first))
        .map(({ json }) => json.type)
        .slice(-2),
    ).toEqual(['parcel.ordered', 'parcel.moved']);
  });

  it('a webhook whose endpoint fails for three days is disabled, and its account gets a notice', async () => {
    const { webhook } = await to.make('station');
    to.answer = (response) => response.writeHead(503).end();
    for (let day = 0; day <= 3; day++) {
      const { id } = await to.order();
      await to.becomes(id, 100);
      await to.run();
      expect((await to.hook(webhook.id)).status, `day ${day}`).toBe(day < 3 ? 'live' : 'disabled');
      to.api.clock.advance(24 * hour);
    }
    to.tokens = await to.api.loginAll();
    expect((await to.hook(webhook.id)).stopped_by).toBe('failures');
    await runTask(to.api.app, 'deliver_inbox');
    const { data } = await to.api.call<Inbox>(to.tokens.station, 'GET', '/api/arco/inbox');
    expect(data.items.filter(({ kind }) => kind === 'webhook')).toMatchObject([
      { webhook: { name: 'shop', reason: 'failures' } },
    ]);
    to.answer = (response) => response.end();
    to.received = [];
    const current = await to.hook(webhook.id);
    const edited = await to.api.call(
      to.tokens.station,
      'PATCH',
      `/api/arco/webhooks/${webhook.id}`,
      {
        version: current.version,
        name: 'shop',
        url: to.url,
        events: webhookKinds,
        station_id: null,
        with_below: 0,
        password,
      },
    );
    expect(edited, JSON.stringify(edited.data)).toMatchObject({ status: 200 });
    await to.run();
    expect(to.received.length).toBeGreaterThan(0);
    expect(await to.hook(webhook.id)).toMatchObject({ status: 'live', failures: 0, waiting: 0 });
  });

  it('a webhook can be created with only a URL and events, and is disabled and enabled by changing its status', async () => {
    const made = await to.make('station', { station_id: undefined, with_below: undefined });
    expect(made.webhook).toMatchObject({ station_id: null, with_below: 0, status: 'live' });
    const becomes = async (who: 'partner' | 'station', input: object) => {
      const path = `/api/arco/webhooks/${made.webhook.id}/status`;
      const { status, data } = await to.api.call<Refused & { status: string }>(
        to.tokens[who],
        'POST',
        path,
        input,
      );
      return status === 200 ? data.status : (data.fields ?? data.code);
    };
    expect(await becomes('station', { status: 'disabled' })).toBe('disabled');
    expect(await becomes('station', { status: 'live' })).toEqual({
      password: { code: 'required' },
    });
    expect(await becomes('station', { status: 'live', password: 'wrong' })).toEqual({
      password: { code: 'password_wrong' },
    });
    expect(await becomes('station', { status: 'live', password })).toBe('live');
  });

  it('a webhook whose endpoint answers 410 is disabled immediately', async () => {
    const { webhook } = await to.make('station');
    to.answer = (response) => response.writeHead(410).end();
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect(await to.hook(webhook.id)).toMatchObject({ status: 'disabled', stopped_by: 'gone' });
  });

  it.each([
    [
      'a redirect is not followed',
      (response: ServerResponse) => response.writeHead(302, { location: to.url }).end(),
      'status',
    ],
    [
      'an endless answer is cut off',
      (response: ServerResponse) => response.end('x'.repeat(200_000)),
      'too_large',
    ],
    [
      'a closed connection is a failure',
      (response: ServerResponse) => response.destroy(),
      'connection_lost',
    ],
  ] as const)(
    'a webhook delivery with an unusable answer is tried again: %s',
    async (_, answers, error) => {
      const { webhook } = await to.make('station');
      to.answer = answers;
      const { id } = await to.order();
      await to.becomes(id, 100);
      await to.run();
      expect(to.received).toHaveLength(1);
      expect((await to.deliveries(webhook.id))[0]).toMatchObject({
        status: 'pending',
        attempts: 1,
        error,
      });
    },
  );

  it('a webhook URL with a private address or without TLS is refused; a webhook whose host becomes private later is not called', async () => {
    for (const bad of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'ftp://example.com',
      'none',
      'https://user:pass@example.com/',
    ])
      expect((await to.make('station', { url: bad })).fields?.['url'], bad).toBeDefined();
    const { webhook } = await to.make('station');
    // The URL is changed in the database, because the API refuses a private address.
    await to.api.rows(
      sql`update webhooks set url = 'https://localhost:1/' where id = ${webhook.id}`,
    );
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect((await to.deliveries(webhook.id))[0]).toMatchObject({ error: 'denied' });
  });

  it('new deliveries of a webhook are dropped, with one notice, if its queue is full and it has failed for an hour or its account is disabled', async () => {
    const { webhook } = await to.make('station');
    const { id } = await to.order();
    await to.api
      .rows(sql`insert into webhook_deliveries (webhook_id, message_id, event_no, kind, subject,
        subject_id, at, begun_at, next_at)
      select ${webhook.id}, 'msg_' || n, 0, 'parcel.moved', 'expresses', ${id}, ${to.api.clock.now()},
        ${to.api.clock.now()}, ${new Date(to.api.clock.now().getTime() + hour)}
      from generate_series(1, ${mostDeliveriesWaiting - 1}) n`);
    to.answer = () => {};
    const failing = (since: number) =>
      to.api.rows(sql`update webhooks set failing_since =
        ${new Date(to.api.clock.now().getTime() - since)}, failures = 1,
        resume_at = ${new Date(to.api.clock.now().getTime() + hour)}`);
    for (const [since, state] of [
      [hour / 2, 100],
      [hour, 200],
      [hour, 210],
    ] as const) {
      await failing(since);
      await to.becomes(id, state);
      await to.run();
    }
    expect(await to.hook(webhook.id)).toMatchObject({ dropped: 2, waiting: mostDeliveriesWaiting });
    expect(await to.api.rows(sql`select data from inbox_notices where kind = 'webhook'`)).toEqual([
      { data: { name: 'shop', reason: 'full' } },
    ]);
    await to.api.rows(sql`update webhooks set failing_since = null, failures = 0`);
    const switchTo = (status: 0 | 1) =>
      to.api.rows(sql`update accounts set status = ${status} where username = 'station'`);
    await to.api.rows(sql`delete from webhook_deliveries where id in
      (select id from webhook_deliveries where webhook_id = ${webhook.id} limit 2)`);
    await switchTo(0);
    for (const state of [220, 300, 400]) {
      await to.becomes(id, state);
      await to.run();
    }
    expect(await to.hook(webhook.id)).toMatchObject({ dropped: 3, waiting: mostDeliveriesWaiting });
    await switchTo(1);
  });
});

describe('managing a webhook and its deliveries', () => {
  it('the test event of a webhook is sent immediately, and the eleventh test within a minute is refused', async () => {
    const { webhook } = await to.make('station');
    const test = () =>
      to.api.call<Refused>(to.tokens.station, 'POST', `/api/arco/webhooks/${webhook.id}/test`, {});
    expect((await test()).status).toBe(200);
    await to.run();
    expect(to.received[0]!.json).toMatchObject({ type: 'webhook.test', data: { name: 'shop' } });
    for (let n = 0; n < 9; n++) await test();
    expect((await test()).data.code).toBe('too_many_requests');
  });

  it('only the owner of a webhook can resend one delivery or the failed deliveries of a period; a resent delivery keeps its message ID', async () => {
    const { webhook } = await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    const [one] = await to.deliveries(webhook.id);
    const path = `/api/arco/webhooks/${webhook.id}`;
    const again = (token: string) =>
      to.api.call(token, 'POST', `${path}/deliveries/${one!.id}/replay`, {});
    expect((await again(to.tokens.partner)).status).toBe(404);
    expect((await again(to.tokens.station)).status).toBe(200);
    await to.run();
    expect(to.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      one!.message_id,
      one!.message_id,
    ]);
    await to.api.rows(sql`update webhook_deliveries set status = 'failed'`);
    const range = (from: number, until: number) =>
      to.api.call<{ replayed: number }>(to.tokens.station, 'POST', `${path}/replay`, {
        from: new Date(Date.parse(one!.at) + from).toISOString(),
        to: new Date(Date.parse(one!.at) + until).toISOString(),
      });
    expect((await range(1, hour)).data.replayed).toBe(0);
    expect((await range(0, hour)).data.replayed).toBe(1);
    await to.run();
    expect(to.received).toHaveLength(3);
  });

  it('creating a webhook requires the password, and an account has at most five webhooks', async () => {
    expect((await to.make('station', { password: 'wrong' })).fields).toEqual({
      password: { code: 'password_wrong' },
    });
    for (let n = 0; n < 5; n++) expect((await to.make('station')).status).toBe(200);
    expect((await to.make('station')).code).toBe('too_many_webhooks');
  });

  it('a webhook’s secret is stored encrypted and is returned only when the webhook is created', async () => {
    const { webhook, secret } = await to.make('station');
    const [row] = await to.api.rows(
      sql<{ secret: Buffer }>`select secret from webhooks where id = ${webhook.id}`,
    );
    expect(row!.secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
    expect(JSON.stringify(await to.hook(webhook.id))).not.toContain('secret');
  });

  it('removing a webhook also removes its deliveries, and webhook deliveries older than 14 days are removed', async () => {
    const { webhook } = await to.make('station');
    const other = await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect(
      (await to.api.call(to.tokens.partner, 'POST', `/api/arco/webhooks/${webhook.id}/remove`, {}))
        .data,
    ).toEqual({ id: webhook.id });
    expect(await to.hook(webhook.id)).toBeUndefined();
    to.api.clock.advance(20 * 24 * hour);
    // The database's clock sets the time of a delivery, so the test changes that time afterwards.
    await to.api.rows(
      sql`update webhook_deliveries set at = ${new Date(to.api.clock.now().getTime() - 15 * 24 * hour)}`,
    );
    await runTask(to.api.app, 'tidy');
    expect(await to.api.rows(sql`select id from webhooks`)).toEqual([{ id: other.webhook.id }]);
    expect(await to.api.rows(sql`select from webhook_deliveries`)).toEqual([]);
  });
});

describe('many webhook deliveries', () => {
  const isOf = ({ json }: Received, id: number): boolean =>
    (json.data['parcel'] as { id: number }).id === id;

  it('two workers deliver the webhook events of each parcel in order, and every event once', async () => {
    await to.make('station');
    const parcels = await Promise.all(Array.from({ length: 6 }, () => to.order()));
    const states = [100, 200, 210, 220, 300];
    for (const state of states) for (const { id } of parcels) await to.becomes(id, state);
    await Promise.all([to.run(), to.run()]);
    await to.run();
    for (const { id } of parcels)
      expect(
        to.received.filter((one) => isOf(one, id)).map(({ json }) => json.data['state_code']),
      ).toEqual(states);
  });

  it('a webhook endpoint that does not answer does not delay other endpoints, and never has more than four open calls', async () => {
    const slow = await to.make('station', { url: `${to.url}?slow` });
    await to.make('partner');
    let held = 0;
    let most = 0;
    const waiting: ServerResponse[] = [];
    to.answer = (response) => {
      if (response.req.url?.endsWith('?slow') !== true) return void response.end();
      most = Math.max(most, ++held);
      waiting.push(response);
    };
    const parcels = await Promise.all(Array.from({ length: 12 }, () => to.order()));
    for (const { id } of parcels) await to.becomes(id, 100);
    const worker = startWebhooks(to.api.app);
    const sent = async (status: string, webhook: 'slow' | 'other') =>
      (
        await to.api.rows(sql`select from webhook_deliveries where status = ${status}
          and (webhook_id = ${slow.webhook.id}) = ${webhook === 'slow'}`)
      ).length;
    await eventually(async () => (await sent('delivered', 'other')) === 12);
    expect(await sent('pending', 'slow')).toBe(12);
    expect(most).toBe(4);
    for (const response of waiting) response.end();
    to.answer = (response) => response.end();
    await eventually(async () => (await sent('delivered', 'slow')) === 12);
    await worker.stop();
  });

  it('a webhook delivery whose worker died is sent again after its lease has ended', async () => {
    const { webhook } = await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    await to.api.rows(sql`update webhook_deliveries set status = 'pending',
      leased_until = now() + interval '1 minute'`);
    await to.run();
    expect(to.received).toHaveLength(1);
    await to.api.rows(sql`update webhook_deliveries set leased_until = now()`);
    await to.run();
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(to.received).toHaveLength(2);
    expect(await to.hook(webhook.id)).toMatchObject({ waiting: 0 });
  });
});
