import { createHmac } from 'node:crypto';
import { Webhook as SpecifiedWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookKinds } from '@waystation/contract/people/webhook.ts';
import { sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
import { openReceiver } from '#testing/webhook-receiver.ts';
import type { WebhookReceiver } from '#testing/webhook-receiver.ts';

const password = 'waystation-demo';
const hour = 3_600_000;

let to: WebhookReceiver;
beforeAll(async () => {
  to = await openReceiver();
});
afterAll(() => to.close());
beforeEach(() => to.reset());

describe('the signature of a webhook', () => {
  it('the signature of every webhook delivery is valid by the specification’s formula and by the specification’s library', async () => {
    to.api.clock.set(new Date());
    to.tokens = await to.api.loginAll();
    const { secret } = await to.make('station');
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    const [got] = to.received;
    const headers = got!.headers as Record<string, string>;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${got!.body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(headers['content-type']).toBe('application/json');
    expect(new SpecifiedWebhook(secret).verify(got!.body, headers)).toMatchObject({
      type: 'parcel.ordered',
      data: { state_code: 100, path: `/api/arco/expresses/${id}`, parcel: { id, state_code: 100 } },
    });
    expect(() =>
      new SpecifiedWebhook(secret).verify(got!.body.replace('ordered', 'signed'), headers),
    ).toThrow();
  });

  it('for a day after a change of a webhook’s secret, deliveries are signed with both secrets; afterwards with the new secret only', async () => {
    to.api.clock.set(new Date());
    to.tokens = await to.api.loginAll();
    const { webhook, secret } = await to.make('station');
    const { data } = await to.api.call<{ secret: string }>(
      to.tokens.station,
      'POST',
      `/api/arco/webhooks/${webhook.id}/secret`,
      { password },
    );
    expect(data.secret).not.toBe(secret);
    const { id } = await to.order();
    await to.becomes(id, 100);
    await to.run();
    const headers = to.received[0]!.headers as Record<string, string>;
    for (const one of [secret, data.secret])
      new SpecifiedWebhook(one).verify(to.received[0]!.body, headers);
    to.api.clock.advance(25 * hour);
    await to.becomes(id, 300);
    await to.run();
    expect(String(to.received[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });
});

describe('the events of a webhook', () => {
  it('each change of a parcel sends one webhook event, in the order of the changes, without personal data', async () => {
    const { webhook } = await to.make('station');
    const { id } = await to.order();
    for (const state of [100, 200, 210, 220, 400, 410, 420, 300, 500]) await to.becomes(id, state);
    await to.api.rows(
      sql`update expresses set exception = 'unmoved', exception_at = now() where id = ${id}`,
    );
    await to.api.rows(
      sql`update expresses set fact_no = fact_no + 1, post_amount = post_amount + 100 where id = ${id}`,
    );
    await to.api.rows(sql`update expresses set jd_weight = 2500 where id = ${id}`);
    await to.api.rows(
      sql`update expresses set fact_no = fact_no + 1, post_amount = post_amount + 100,
        re_weight = 3000 where id = ${id}`,
    );
    await to.run();
    expect(to.types()).toEqual([
      'parcel.ordered',
      'parcel.moved',
      'parcel.moved',
      'parcel.moved',
      'parcel.exception',
      'parcel.returning',
      'parcel.returned',
      'parcel.signed',
      'parcel.cancelled',
      'parcel.exception',
      'parcel.repriced',
      'parcel.reweighed',
      'parcel.reweighed',
    ]);
    const sent = to.received.map(({ body }) => body).join('\n');
    const [row] = await to.api.rows(
      sql<{
        sender_name: string;
        receive_name: string;
        receive_phone: string;
        receive_address: string;
      }>`
        select sender_name, receive_name, receive_phone, receive_address from expresses where id = ${id}`,
    );
    for (const personal of Object.values(row!)) expect(sent).not.toContain(personal);
    expect(new Set((await to.deliveries(webhook.id)).map(({ status }) => status))).toEqual(
      new Set(['delivered']),
    );
  });

  it('a change that is rolled back sends no webhook event, and an event that no webhook subscribes to is not stored', async () => {
    await to.make('station', { events: ['parcel.signed'] });
    const { id } = await to.order();
    await to.becomes(id, 100);
    expect(await to.api.rows(sql`select from webhook_events`)).toEqual([]);
    await to.api
      .rows(sql`with moved as (update expresses set state_code = 300 where id = ${id} returning id)
        select 1 / (id - id) from moved`)
      .catch(() => {});
    expect(await to.api.rows(sql`select from webhook_events`)).toEqual([]);
    await to.becomes(id, 300);
    expect(await to.api.rows(sql`select from webhook_events`)).toHaveLength(1);
  });

  it('transactions, decisions, low balances, month closings and finished imports are webhook events with the current data', async () => {
    await to.make('station', { events: webhookKinds });
    const station = to.api.station('nanshan').id;
    const { data: request } = await to.api.call<{ id: number }>(
      to.tokens.station,
      'POST',
      `/api/arco/stations/${station}/top-ups`,
      { amount: 100, description: '充值' },
    );
    to.api.clock.advance(60_000);
    await to.api.call(to.tokens.super, 'POST', `/api/arco/statements/${request.id}/approve`, {});
    await to.api.rows(sql`insert into inbox_notices (kind, station_id, data, at)
      values ('low_balance', ${station}, '{"available": 5}', now()),
        ('month_closed', ${station}, '{"period": "2026-01"}', now())`);
    await to.api
      .rows(sql`insert into imports (station_id, user_id, file_name, file_type, file_bytes,
        file_hash, status) select station_id, id, 'a.xlsx', 'xlsx', 1, 'x', 'ordering'
        from accounts where username = 'clerk'`);
    await to.api.rows(sql`update imports set status = 'done'`);
    await to.run();
    expect(to.types().toSorted()).toEqual([
      'balance.low',
      'import.finished',
      'month.closed',
      'request.decided',
      'statement.posted',
    ]);
    const dataOf = (type: string) => to.received.find(({ json }) => json.type === type)!.json.data;
    expect(dataOf('request.decided')).toMatchObject({
      path: `/api/arco/statements/${request.id}/journal`,
      statement: { id: request.id, status: 'posted', amount: 100 },
    });
    expect(dataOf('month.closed')).toMatchObject({ period: '2026-01', station: { id: station } });
    expect(dataOf('import.finished')).toMatchObject({ import: { status: 'done' } });
    for (const type of to.types()) {
      const path = String(dataOf(type)['path']);
      expect((await to.api.call(to.tokens.station, 'GET', path)).status, path).toBe(200);
    }
    await to.api.rows(sql`delete from imports`);
  });
});

describe('the events that a webhook may receive', () => {
  const sees = async (id: number): Promise<number> => {
    to.received = [];
    to.api.clock.advance(1_000);
    await to.becomes(id, 200);
    await to.becomes(id, 210);
    await to.run();
    return to.received.length;
  };

  it.each([
    { name: 'the station itself', who: 'station', watched: null, with_below: 1, count: 2 },
    {
      name: 'its partner with the stations below',
      who: 'partner',
      watched: 'own',
      with_below: 1,
      count: 2,
    },
    {
      name: 'its partner without the stations below',
      who: 'partner',
      watched: 'own',
      with_below: 0,
      count: 0,
    },
    {
      name: 'its partner with everything in scope',
      who: 'partner',
      watched: null,
      with_below: 0,
      count: 2,
    },
    { name: 'the office', who: 'admin', watched: null, with_below: 0, count: 2 },
  ] as const)(
    'the events of a station’s parcel reach the webhook of those who may see the station: $name',
    async ({ who, watched, with_below, count }) => {
      const [place] = await to.api.rows(
        sql<{ station_id: number }>`select station_id from accounts where username = ${who}`,
      );
      const station_id = watched === 'own' ? place!.station_id : null;
      const { webhook } = await to.make(who, { station_id, with_below });
      const { id } = await to.order();
      expect(webhook.status).toBe('live');
      expect(await sees(id)).toBe(count);
    },
  );

  it('a webhook gets no event of a station in another network tree, and cannot be set to watch that station', async () => {
    const stranger = to.api.network.stations.find(
      ({ key, id }) => key !== 'nanshan' && id !== to.api.station('nanshan').id,
    )!;
    await to.api.rows(
      sql`update accounts set station_id = ${stranger.id} where username = 'station'`,
    );
    to.tokens = await to.api.loginAll();
    await to.make('station');
    const { id } = await to.order();
    expect(await sees(id)).toBe(0);
    const { fields } = await to.make('station', { station_id: to.api.station('nanshan').id });
    expect(fields).toEqual({ station_id: { code: 'invalid' } });
    await to.api.rows(
      sql`update accounts set station_id = ${to.api.station('nanshan').id} where username = 'station'`,
    );
  });

  it('the waiting deliveries of a webhook are dropped if their station leaves the owner’s network tree', async () => {
    const { webhook } = await to.make('partner');
    const { id } = await to.order();
    await to.becomes(id, 200);
    to.answer = (response) => response.writeHead(500).end();
    await to.run();
    expect(to.received).toHaveLength(1);
    const station = to.api.station('nanshan').id;
    const [before] = await to.api.rows(
      sql<{ parent_id: number }>`select parent_id from stations where id = ${station}`,
    );
    await to.api.rows(sql`update stations set parent_id = null where id = ${station}`);
    to.api.clock.advance(hour);
    await to.run();
    expect(await sees(id)).toBe(0);
    expect((await to.deliveries(webhook.id)).map(({ status }) => status)).toEqual(['skipped']);
    await to.api.rows(
      sql`update stations set parent_id = ${before!.parent_id} where id = ${station}`,
    );
  });

  it.each([
    [
      'its account is disabled',
      sql`update accounts set status = 0 where username = 'station'`,
      sql`update accounts set status = 1 where username = 'station'`,
      1,
    ],
    [
      'its account has another role',
      sql`update accounts set role = 'user' where username = 'station'`,
      sql`update accounts set role = 'station' where username = 'station'`,
      0,
    ],
    [
      'its station is disabled',
      sql`update stations set status = 0 where id = (select station_id from accounts where username = 'station')`,
      sql`update stations set status = 1 where id = (select station_id from accounts where username = 'station')`,
      1,
    ],
  ] as const)(
    'a webhook sends nothing while %s, and its waiting deliveries are sent once it is enabled again',
    async (_, change, back, sent) => {
      const { webhook } = await to.make('station');
      const { id } = await to.order();
      await to.becomes(id, 100);
      await to.api.rows(change);
      await to.run();
      expect(to.received).toEqual([]);
      expect(await to.hook(webhook.id)).toMatchObject({ status: 'stopped', waiting: sent });
      await to.api.rows(back);
      await to.run();
      expect(to.received).toHaveLength(sent);
    },
  );

  it('events for the webhook of a disabled account wait for a day; after that they fail with the error “paused”', async () => {
    to.api.clock.set(new Date());
    to.tokens = await to.api.loginAll();
    const { webhook } = await to.make('station');
    const switchTo = (status: 0 | 1) =>
      to.api.rows(sql`update accounts set status = ${status} where username = 'station'`);
    const { id } = await to.order();
    await switchTo(0);
    for (const [hours, state] of [
      [0, 100],
      [23, 200],
      [2, 210],
    ] as const) {
      to.api.clock.advance(hours * hour);
      await to.becomes(id, state);
      await to.run();
    }
    const kept = async () =>
      (
        await to.api.rows(
          sql<{ status: string; error: string | null }>`select status, error from webhook_deliveries
          where webhook_id = ${webhook.id} order by id`,
        )
      ).map(({ status, error }) => [status, error]);
    expect(await kept()).toEqual([
      ['pending', null],
      ['pending', null],
    ]);
    await runTask(to.api.app, 'tidy');
    expect(await kept()).toEqual([
      ['failed', 'paused'],
      ['pending', null],
    ]);
    await switchTo(1);
    await runTask(to.api.app, 'tidy');
    await to.run();
    expect(to.types()).toEqual(['parcel.moved']);
    await switchTo(0);
    await to.becomes(id, 220);
    await to.run();
    await switchTo(1);
    await to.run();
    expect(to.types()).toEqual(['parcel.moved', 'parcel.moved']);
  });

  it('the webhooks of an account are disabled when a manager sets a new password for the account', async () => {
    const { webhook } = await to.make('station');
    await to.api.call(
      to.tokens.super,
      'POST',
      `/api/arco/users/${webhook.account_id}/password`,
      {},
    );
    expect(await to.hook(webhook.id)).toMatchObject({ status: 'disabled', stopped_by: 'access' });
    await to.api.rows(sql`update accounts set must_change = 0, password_hash =
      (select password_hash from accounts where username = 'clerk') where username = 'station'`);
  });
});
