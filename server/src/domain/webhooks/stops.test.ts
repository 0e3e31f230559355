import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Inbox, InboxEntry } from '@waystation/contract/shell/inbox.ts';
import type { Webhook, WebhookDelivery } from '@waystation/contract/people/webhook.ts';
import { sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
import { openReceiver } from '#testing/webhook-receiver.ts';
import type { WebhookReceiver } from '#testing/webhook-receiver.ts';
import type { Refused, Tokens } from '#testing/test-api.ts';
import { claim, renewLeases } from './claim.ts';
import type { Claimed } from './claim.ts';
import { fanOut } from './fan-out.ts';
import { settle } from './settle.ts';

const password = 'waystation-demo';

let to: WebhookReceiver;
beforeAll(async () => {
  to = await openReceiver();
});
afterAll(() => to.close());
beforeEach(() => to.reset());

const setStatus = (who: keyof Tokens, id: number, status: 'live' | 'disabled') =>
  to.api.call<Refused & Webhook>(to.tokens[who], 'POST', `/api/arco/webhooks/${id}/status`, {
    status,
    password,
  });

const shownTo = async (who: keyof Tokens, id: number): Promise<Webhook> =>
  (
    await to.api.call<{ items: Webhook[] }>(to.tokens[who], 'GET', '/api/arco/webhooks')
  ).data.items.find((one) => one.id === id)!;

const notices = async (who: keyof Tokens): Promise<InboxEntry['webhook'][]> => {
  await runTask(to.api.app, 'deliver_inbox');
  const { data } = await to.api.call<Inbox>(to.tokens[who], 'GET', '/api/arco/inbox');
  return data.items.filter(({ kind }) => kind === 'webhook').map(({ webhook }) => webhook);
};

describe('a webhook that a manager disabled', () => {
  it('the owner of a webhook that a manager disabled gets a notice and can change the webhook, but cannot enable it', async () => {
    const { webhook } = await to.make('station');
    expect((await setStatus('partner', webhook.id, 'disabled')).data).toMatchObject({
      status: 'disabled',
      stopped_by: 'manager',
      may_enable: 1,
    });
    expect(await notices('station')).toEqual([{ name: 'shop', reason: 'manager' }]);
    const refused = await setStatus('station', webhook.id, 'live');
    expect([refused.status, refused.data.code]).toEqual([409, 'webhook_stopped_by_manager']);
    const { name, url, events, station_id, with_below, version } = await shownTo(
      'station',
      webhook.id,
    );
    const saved = await to.api.call<Webhook>(
      to.tokens.station,
      'PATCH',
      `/api/arco/webhooks/${webhook.id}`,
      { name: `${name} 2`, url, events, station_id, with_below, version, password },
    );
    expect(saved.data).toMatchObject({
      name: 'shop 2',
      status: 'disabled',
      stopped_by: 'manager',
      may_enable: 0,
    });
  });

  it('a webhook that a manager disabled can be enabled by that manager, an admin or a super admin, and then sends events again', async () => {
    for (const who of ['partner', 'admin', 'super'] as const) {
      const { webhook } = await to.make('station');
      await setStatus('partner', webhook.id, 'disabled');
      expect((await setStatus(who, webhook.id, 'live')).data).toMatchObject({
        status: 'live',
        stopped_by: null,
      });
      to.received = [];
      const { id } = await to.order();
      await to.becomes(id, 100);
      await to.run();
      expect(to.received, who).toHaveLength(1);
      await to.api.rows(sql`delete from webhooks`);
    }
  });

  it('a partner or owner cannot enable a webhook that an admin disabled, even if the owner had disabled it before', async () => {
    const { webhook } = await to.make('station');
    await setStatus('station', webhook.id, 'disabled');
    await setStatus('admin', webhook.id, 'disabled');
    expect((await setStatus('partner', webhook.id, 'live')).status).toBe(409);
    expect((await setStatus('station', webhook.id, 'live')).status).toBe(409);
    await setStatus('partner', webhook.id, 'disabled');
    expect((await setStatus('partner', webhook.id, 'live')).status).toBe(409);
    expect((await setStatus('admin', webhook.id, 'live')).status).toBe(200);
  });

  it('a manager cannot enable a webhook that its owner disabled', async () => {
    const { webhook } = await to.make('station');
    await setStatus('station', webhook.id, 'disabled');
    expect((await setStatus('partner', webhook.id, 'live')).status).toBe(404);
    expect((await setStatus('station', webhook.id, 'live')).data.status).toBe('live');
  });

  it('the owner of a webhook gets a notice when a manager removes the webhook', async () => {
    const { webhook } = await to.make('station');
    await to.api.call(to.tokens.admin, 'POST', `/api/arco/webhooks/${webhook.id}/remove`);
    expect(await notices('station')).toEqual([{ name: 'shop', reason: 'removed' }]);
  });
});

describe('the attempts of a webhook delivery', () => {
  it('a webhook delivery keeps its last twenty attempts, each with the first 2,000 characters of the answer', async () => {
    const { webhook } = await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    let attempts = 0;
    to.answer = (response) => response.writeHead(500).end(`${++attempts} `.padEnd(3_000, '好'));
    for (let n = 0; n < 22; n++) {
      await to.api.rows(sql`update webhooks set resume_at = ${to.api.clock.now()}`);
      await to.api.rows(sql`update webhook_deliveries set next_at = ${to.api.clock.now()}`);
      await to.run();
      to.api.clock.advance(1_000);
    }
    const [{ answer, earlier }] = (await to.deliveries(webhook.id)) as [WebhookDelivery];
    expect([answer!.length, earlier.length]).toEqual([2_000, 19]);
    expect(earlier.map((one) => one.answer!.split(' ')[0])).toEqual(
      Array.from({ length: 19 }, (_, n) => String(21 - n)),
    );
    expect(earlier[0]).toMatchObject({
      http_status: 500,
      error: 'status',
      answer: '21 '.padEnd(200, '好'),
      ms: expect.any(Number),
    });
  });
});

describe('the URL of a webhook', () => {
  it('only the owner of a webhook sees its whole address; others see the host, in lists, searches and the audit log', async () => {
    const url = `${to.url}/T0KEN?key=T0KEN`;
    const { webhook } = await to.make('station', { url });
    expect((await shownTo('station', webhook.id)).url).toBe(url);
    for (const who of ['super', 'admin', 'partner'] as const) {
      expect((await shownTo(who, webhook.id)).url).toBe(`${new URL(url).origin}/…`);
      for (const path of ['/api/arco/webhooks?q=T0KEN', '/api/arco/audit?subject=webhooks']) {
        const { data } = await to.api.call(to.tokens[who], 'GET', path);
        expect(JSON.stringify(data), `${who} ${path}`).not.toContain('T0KEN');
      }
    }
  });

  it('a webhook delivery to an unknown host has the same error as a delivery to a host in the internal network', async () => {
    const seen = [];
    for (const host of ['localhost:1', 'no-such-host.invalid']) {
      const { webhook } = await to.make('station');
      await to.api.rows(
        sql`update webhooks set url = ${`https://${host}/`} where id = ${webhook.id}`,
      );
      const { id } = await to.order();
      await to.becomes(id, 100);
      await to.run();
      const [{ error, detail, http_status } = expect.fail(host)] = await to.deliveries(webhook.id);
      seen.push({ error, detail, http_status });
      await to.api.rows(sql`delete from webhooks`);
    }
    expect(seen[0]).toEqual({ error: 'denied', detail: '', http_status: null });
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe('an API key with the scope of webhooks', () => {
  it('an API key with the scope for webhooks can list failed deliveries and send them again, but not change a webhook', async () => {
    const { webhook } = await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    await to.api.rows(sql`update webhook_deliveries set status = 'failed'`);
    const { data } = await to.api.call<{ key: string }>(
      to.tokens.station,
      'POST',
      '/api/arco/keys',
      { name: 'shop', password, scopes: ['webhooks'] },
    );
    const [failed] = (
      await to.api.call<{ items: { id: number }[] }>(
        data.key,
        'GET',
        `/api/arco/webhooks/${webhook.id}/deliveries?status=failed`,
      )
    ).data.items;
    const path = `/api/arco/webhooks/${webhook.id}`;
    const post = async (what: string, input: object = {}) =>
      (await to.api.call(data.key, 'POST', `${path}/${what}`, input)).status;
    expect(await post(`deliveries/${failed!.id}/replay`)).toBe(200);
    expect(await post('status', { status: 'disabled' })).toBe(403);
    expect(await post('secret', { password })).toBe(403);
    expect(await post('remove')).toBe(403);
  });
});

describe('the lease of a webhook delivery', () => {
  it('a worker claims webhook deliveries with a lease of at most 20 seconds, and can renew the lease', async () => {
    await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    const { db, clock } = to.api.app;
    await fanOut(db, clock.now());
    const claimed = await claim(db, clock.now(), { all: 9, healthy: 9, failing: 9 });
    const ids = claimed.map((one) => one.id);
    const secondsLeft = async () =>
      (
        await to.api.rows(sql<{ left: number }>`select
          extract(epoch from leased_until - clock_timestamp())::float8 as left
          from webhook_deliveries where id = any(${ids}::bigint[])`)
      ).map(({ left }) => left);
    const [held] = await secondsLeft();
    expect(held).toBeGreaterThan(15);
    expect(held).toBeLessThanOrEqual(20);
    await to.api.rows(
      sql`update webhook_deliveries set leased_until = now() + interval '9 seconds'`,
    );
    await renewLeases(db, claimed);
    expect((await secondsLeft())[0]).toBeGreaterThan(15);
  });

  it('a process can renew the expired lease of its own webhook delivery, and does not claim that delivery a second time', async () => {
    await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    const { db, clock } = to.api.app;
    await fanOut(db, clock.now());
    const room = { all: 9, healthy: 9, failing: 9 };
    const [mine] = (await claim(db, clock.now(), room)) as [Claimed];
    await to.api.rows(
      sql`update webhook_deliveries set leased_until = now() - interval '1 second'`,
    );
    expect(await claim(db, clock.now(), room, [mine.id])).toEqual([]);
    await renewLeases(db, [mine]);
    expect(await claim(db, clock.now(), room)).toEqual([]);
  });

  it('a process cannot renew a webhook delivery that another process has claimed, and the other process stores the result', async () => {
    await to.make('station');
    const { id } = await to.order();
    await to.becomes(id, 100);
    const { db, clock } = to.api.app;
    await fanOut(db, clock.now());
    const room = { all: 9, healthy: 9, failing: 9 };
    const [mine] = (await claim(db, clock.now(), room)) as [Claimed];
    const ended = sql`update webhook_deliveries set leased_until = now() - interval '1 second'`;
    await to.api.rows(ended);
    const [others] = (await claim(db, clock.now(), room)) as [Claimed];
    expect(others).toMatchObject({ id: mine.id, attempts: mine.attempts + 1 });
    await to.api.rows(ended);
    await renewLeases(db, [mine]);
    const failed = {
      request: null,
      sent_at: clock.now(),
      ms: 1,
      http_status: 500,
      answer: null,
      error: 'status' as const,
      detail: '',
    };
    await settle(to.api.app, mine, failed);
    const stored = () =>
      to.api.rows(sql`select sent_at is not null as stored, leased_until > now() as leased
        from webhook_deliveries where id = ${mine.id}`);
    expect(await stored()).toEqual([{ stored: false, leased: false }]);
    await settle(to.api.app, others, failed);
    expect(await stored()).toEqual([{ stored: true, leased: null }]);
  });
});
