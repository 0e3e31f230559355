import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { limitMs } from '#testing/limits.ts';
import { openReceiver } from '#testing/webhook-receiver.ts';
import type { WebhookReceiver } from '#testing/webhook-receiver.ts';
import { claim } from './claim.ts';

const hour = 3_600_000;
const room = { all: 48, healthy: 24, failing: 24 };

let to: WebhookReceiver;
beforeAll(async () => {
  to = await openReceiver();
});
afterAll(() => to.close());
beforeEach(() => to.reset());

const wait = (webhook: number, count: number, after = 0): Promise<unknown> =>
  to.api
    .rows(sql`insert into webhook_deliveries (webhook_id, message_id, event_no, kind, station_id,
      subject, subject_id, at, begun_at, next_at)
    select ${webhook}, 'msg_' || n, n, 'parcel.moved', ${to.api.station('nanshan').id}, 'expresses',
      n, ${to.api.clock.now()}, ${to.api.clock.now()},
      ${new Date(to.api.clock.now().getTime() + after)}
    from generate_series(1, ${count}) n`);
const taken = () => claim(to.api.app.db, to.api.clock.now(), room);

describe('claiming webhook deliveries', () => {
  it('a worker claims some of ten thousand waiting webhook deliveries within half a second, even if the database’s statistics are out of date', async () => {
    const { webhook } = await to.make('station');
    await wait(webhook.id, 10_000);
    const started = performance.now();
    expect(await taken()).toHaveLength(4);
    expect(performance.now() - started).toBeLessThan(limitMs(500));
  });

  it('a webhook endpoint that answers slowly receives only one call at a time', async () => {
    const { webhook } = await to.make('station');
    await to.api.rows(sql`update webhooks set usual_ms = 9000`);
    await wait(webhook.id, 6);
    expect(await taken()).toMatchObject([{ failing: true }]);
    expect(await taken()).toEqual([]);
  });

  it('one fast answer of a webhook endpoint lowers the endpoint’s average response time only partly', async () => {
    await to.make('station');
    const { id } = await to.order();
    await to.api.rows(sql`update webhooks set usual_ms = 8000`);
    await to.becomes(id, 100);
    await to.run();
    const [row] = await to.api.rows(sql<{ usual_ms: number }>`select usual_ms from webhooks`);
    expect(row!.usual_ms).toBeGreaterThanOrEqual(6_000);
    expect(row!.usual_ms).toBeLessThan(8_000);
  });

  it('all webhooks of a station together have at most eight simultaneous calls', async () => {
    for (let n = 0; n < 4; n++) await wait((await to.make('station')).webhook.id, 6);
    expect(await taken()).toHaveLength(8);
    expect(await taken()).toEqual([]);
  });

  it('a working webhook endpoint gets a new event immediately, and no event is dropped, while ten thousand deliveries wait', async () => {
    const { webhook } = await to.make('station');
    await wait(webhook.id, 10_000, hour);
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect(to.types()).toEqual(['parcel.ordered']);
    expect(await to.hook(webhook.id)).toMatchObject({ dropped: 0 });
  });

  it('the test event of a webhook is sent before the events that wait for a failing endpoint', async () => {
    const { webhook } = await to.make('station');
    await wait(webhook.id, 8);
    const later = new Date(to.api.clock.now().getTime() + hour);
    await to.api.rows(sql`update webhooks set failures = 5, resume_at = ${later}`);
    await to.api.call(to.tokens.station, 'POST', `/api/arco/webhooks/${webhook.id}/test`, {});
    await to.run();
    expect(to.types()[0]).toBe('webhook.test');
  });
});

describe('a webhook endpoint after an outage', () => {
  it('all waiting deliveries of a failing webhook are sent after its first success', async () => {
    const { webhook } = await to.make('station');
    const [down, up] = [await to.order(), await to.order()];
    to.answer = (response) => response.writeHead(502).end();
    await to.becomes(down.id, 100);
    for (let n = 0; n < 8; n++) {
      await to.run();
      to.api.clock.advance(hour);
    }
    to.answer = (response) => response.end();
    to.received = [];
    await to.becomes(up.id, 100);
    await to.run();
    expect(to.received).toHaveLength(2);
    expect(await to.hook(webhook.id)).toMatchObject({ waiting: 0, failures: 0 });
  });

  it('a second failure of a webhook endpoint, days after the first failure, does not disable the webhook', async () => {
    const { webhook } = await to.make('station');
    const before = new Date(to.api.clock.now().getTime() - 96 * hour);
    await to.api.rows(
      sql`update webhooks set failures = 8, failing_since = ${before}, failed_at = ${before}`,
    );
    to.answer = (response) => response.writeHead(502).end();
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect((await to.hook(webhook.id)).status).toBe('live');
  });

  it('a webhook endpoint that answers 429 is called again after its Retry-After time, or after one hour if that time is longer', async () => {
    const { webhook } = await to.make('station');
    let wanted = '600';
    to.answer = (response) => response.writeHead(429, { 'retry-after': wanted }).end();
    const { id } = await to.order();
    await to.becomes(id, 100);
    const pause = async (): Promise<number> => {
      await to.run();
      const [one] = await to.deliveries(webhook.id);
      return (Date.parse(one!.next_at!) - to.api.clock.now().getTime()) / 1_000;
    };
    expect(await pause()).toBe(600);
    to.api.clock.advance(600_000);
    wanted = '999999';
    expect(await pause()).toBe(3_600);
  });

  it('a webhook delivery whose request cannot be built gets the error “internal” and is tried again', async () => {
    const { webhook } = await to.make('station');
    await to.api.rows(sql`update webhooks set secret = '\\x00'`);
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect((await to.deliveries(webhook.id))[0]).toMatchObject({
      status: 'pending',
      error: 'internal',
      request: null,
    });
    expect(await to.hook(webhook.id)).toMatchObject({ failures: 1 });
  });
});

describe('the right to read webhook deliveries', () => {
  it('a partner no longer sees the webhook deliveries of a station that moved to another network tree', async () => {
    const { webhook } = await to.make('partner');
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    expect(await to.deliveries(webhook.id, 'partner')).toHaveLength(1);
    const station = to.api.station('nanshan').id;
    const [before] = await to.api.rows(
      sql<{ parent_id: number }>`select parent_id from stations where id = ${station}`,
    );
    await to.api.rows(sql`update stations set parent_id = null where id = ${station}`);
    expect(await to.deliveries(webhook.id, 'partner')).toEqual([]);
    const [delivery] = await to.deliveries(webhook.id);
    const path = `/api/arco/webhooks/${webhook.id}/deliveries/${delivery!.id}/replay`;
    expect((await to.api.call(to.tokens.partner, 'POST', path, {})).status).toBe(404);
    await to.api.rows(
      sql`update stations set parent_id = ${before!.parent_id} where id = ${station}`,
    );
  });

  it('an admin who becomes the manager of a station no longer sees webhook deliveries of other stations', async () => {
    const { webhook } = await to.make('admin');
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    const elsewhere = to.api.network.stations.find(({ key }) => key !== 'nanshan')!.id;
    await to.api.rows(sql`update accounts set role = 'station', station_id = ${elsewhere}
      where username = 'admin'`);
    to.tokens = await to.api.loginAll();
    expect(await to.deliveries(webhook.id, 'admin')).toEqual([]);
    await to.api.rows(
      sql`update accounts set role = 'admin', station_id = null where username = 'admin'`,
    );
  });
});

describe('the URL of a webhook', () => {
  it('a webhook URL whose host is allowed for carrier calls only is refused', async () => {
    to.api.app.config.outboundAllow.push('127.0.0.1:1');
    expect((await to.make('station', { url: 'http://127.0.0.1:1/' })).fields).toMatchObject({
      url: { code: 'webhook_url_denied' },
    });
  });
});
