import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Health } from '@waystation/contract/shell/health.ts';
import { sql } from '#platform/db/db.ts';
import { limitMs } from '#testing/limits.ts';
import { openNoticeReceiver } from '#testing/notice-receiver.ts';
import type { NoticeReceiver } from '#testing/notice-receiver.ts';
import { runTask } from '#testing/run-task.ts';

const hour = 3_600_000;
const mailTo = { kind: 'mail', address: 'wang@example.com' };
let to: NoticeReceiver;
beforeAll(async () => {
  to = await openNoticeReceiver();
});
afterAll(() => to.close());
beforeEach(() => to.reset());

const nanshan = () => to.api.station('nanshan').id;
const dingtalk = (secret = 'SECsigning') => ({
  kind: 'dingtalk',
  address: `http://${to.host}/robot/send?access_token=abc`,
  secret,
});
const webhook = () => ({ kind: 'webhook', address: `http://${to.host}/hook` });
const lowBalance = (data: object = { available: 1_250, days_left: 2, low_limit: null }) =>
  to.happens('low_balance', { station: nanshan(), data });
const waiting = async (id: number): Promise<number> =>
  (
    await to.api.rows(
      sql<{ n: number }>`select count(*)::int as n from notice_outbox where channel_id = ${id}`,
    )
  )[0]!.n;

describe('a notification channel that fails', () => {
  it('a failing notification channel is tried again with growing pauses, and its owner gets one inbox entry', async () => {
    const { id } = await to.live('station', dingtalk());
    to.answer = (response) => {
      response.statusCode = 500;
      response.end();
    };
    await lowBalance();
    for (const minutes of [0, 1, 5, 15, 60]) {
      to.api.clock.advance(minutes * 60_000);
      await to.run();
    }
    expect(to.calls).toHaveLength(5);
    expect(await to.shown('station', id)).toMatchObject({
      status: 'live',
      failures: 5,
      error: 'status',
      detail: '500',
      waiting: 1,
    });
    await to.run();
    const entries = (await to.inbox('station')).filter(({ kind }) => kind === 'channel');
    expect(entries).toMatchObject([{ channel: { name: '值班群', reason: 'failing' }, count: 1 }]);
    to.answer = (response) => response.end('{"errcode":0}');
    const { data } = await to.act('station', id, '/test');
    expect(data).toMatchObject({ failures: 0, error: null, failing_since: null });
    await to.run();
    expect(await waiting(id)).toBe(0);
  });

  it('a notification channel without success for three days is disabled, and its waiting entries are dropped', async () => {
    const { id } = await to.live('station', dingtalk());
    to.answer = (response) => response.end('{"errcode":1}');
    await lowBalance();
    for (let n = 0; n < 16; n++) {
      to.api.clock.advance(6 * hour);
      await lowBalance();
      await to.run();
    }
    expect(await to.shown('station', id)).toMatchObject({
      status: 'disabled',
      stopped_by: 'failures',
      waiting: 0,
    });
    const sent = to.calls.length;
    to.api.clock.advance(12 * hour);
    await to.run();
    expect(to.calls).toHaveLength(sent);
    expect((await to.act('station', id, '/test')).data.code).toBe('channel_state');
  });

  it('a notification channel is disabled immediately if the mail server permanently refuses its address', async () => {
    const { id } = await to.live('station', mailTo);
    await to.api.rows(sql`update notice_channels set address = (select address from
      notice_channels where id = ${(await to.make('admin', { ...mailTo, address: 'nobody@example.com' })).data.channel.id})
      where id = ${id}`);
    await lowBalance();
    await to.run();
    expect(await to.shown('station', id)).toMatchObject({
      status: 'disabled',
      stopped_by: 'refused',
      error: 'refused',
      detail: '550',
    });
  });

  it('if a mail server accepts no mail, no notification channel is disabled, Health shows the problem, and the mail is sent later', async () => {
    const { id } = await to.live('station', mailTo);
    const robot = await to.live('station', dingtalk());
    to.takesMail = false;
    await lowBalance();
    for (let n = 0; n < 12; n++) {
      await to.run();
      to.api.clock.advance(5 * hour);
    }
    expect(await to.shown('station', id)).toMatchObject({
      status: 'live',
      failures: 0,
      error: 'server',
      waiting: 1,
    });
    expect(await waiting(robot.id)).toBe(0);
    const { data } = await to.api.call<Health>(to.tokens.super, 'GET', '/api/arco/health');
    expect(data.problems.map(({ code }) => code)).toContain('mail_failing');
    expect(data.notices).toMatchObject({ mail: 'failing' });
    to.takesMail = true;
    to.api.clock.advance(hour / 4);
    await to.run();
    expect(to.mails).toHaveLength(1);
    const { data: after } = await to.api.call<Health>(to.tokens.super, 'GET', '/api/arco/health');
    expect(after.notices).toMatchObject({ mail: 'ready' });
  });

  it('a mail server that accepts mail again is no longer counted as failing, even if no mail waits', async () => {
    to.takesMail = false;
    await to.make('station', mailTo);
    const failures = async () =>
      (await to.api.rows(sql<{ failures: number }>`select failures from mail_state`))[0]!.failures;
    expect(await failures()).toBe(1);
    await runTask(to.api.app, 'send_notices');
    expect(await failures()).toBe(1);
    to.api.clock.advance(hour / 4);
    await runTask(to.api.app, 'send_notices');
    expect(await failures()).toBe(0);
  });

  it('testing a notification channel while a worker sends an entry to it does not make another worker send the same entry', async () => {
    const { id } = await to.live('station', dingtalk());
    let release = () => {};
    to.answer = (response) => {
      if (to.calls.length > 1) return void response.end('{"errcode":0}');
      release = () => response.end('{"errcode":0}');
    };
    await lowBalance();
    await runTask(to.api.app, 'deliver_inbox');
    const running = runTask(to.api.app, 'send_notices');
    await expect.poll(() => to.calls.length, { timeout: limitMs(5_000) }).toBe(1);
    await to.act('station', id, '/test');
    await runTask(to.api.app, 'send_notices');
    release();
    await running;
    expect(to.calls).toHaveLength(2);
    expect(await waiting(id)).toBe(0);
  });

  it('a notification channel whose server does not answer does not delay other channels', async () => {
    const hanging = await to.live('admin', { ...webhook(), kinds: ['request'] });
    await to.live('station', mailTo);
    to.answer = () => {};
    await to.api.rows(sql`with e as (insert into inbox_entries (account_id, kind, thread, count,
        data, at) select account_id, 'channel', 'x', 1, '{"name":"x","reason":"failing"}',
        ${to.api.clock.now()} from notice_channels where id = ${hanging.id} returning id)
      insert into notice_outbox (channel_id, entry_id, at)
      select ${hanging.id}, id, ${to.api.clock.now()} from e`);
    await lowBalance();
    await runTask(to.api.app, 'deliver_inbox');
    const running = runTask(to.api.app, 'send_notices');
    await expect.poll(() => to.mails.length, { timeout: limitMs(8_000) }).toBe(1);
    expect((await to.shown('admin', hanging.id)).failures).toBe(0);
    await running;
    expect(await to.shown('admin', hanging.id)).toMatchObject({ error: 'timeout', failures: 1 });
  });
});
