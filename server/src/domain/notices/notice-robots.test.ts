import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { channelMessagesInHour } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import { channelSettings, openNoticeReceiver } from '#testing/notice-receiver.ts';
import type { NoticeReceiver, RobotCall } from '#testing/notice-receiver.ts';

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
const feishu = (secret = 'feishu-key') => ({
  kind: 'feishu',
  address: `http://${to.host}/open-apis/bot/v2/hook/0000-1111`,
  secret,
});
const wecom = () => ({ kind: 'wecom', address: `http://${to.host}/cgi-bin/webhook/send?key=k-1` });
const webhook = () => ({ kind: 'webhook', address: `http://${to.host}/hook` });
const lowBalance = (data: object = { available: 1_250, days_left: 2, low_limit: null }) =>
  to.happens('low_balance', { station: nanshan(), data });
const waiting = async (id: number): Promise<number> =>
  (
    await to.api.rows(
      sql<{ n: number }>`select count(*)::int as n from notice_outbox where channel_id = ${id}`,
    )
  )[0]!.n;
const contentOf = ({ body }: RobotCall): string =>
  (body as { text: { content: string } }).text.content;

describe('notifications to chat robots and webhook channels', () => {
  it('a call to DingTalk has the timestamp and signature that DingTalk’s published rule requires in the query', async () => {
    await to.live('station', dingtalk('SEC-one'));
    await lowBalance();
    await to.run();
    const [call] = to.calls;
    const timestamp = call!.query.get('timestamp')!;
    expect(timestamp).toBe(String(to.api.clock.now().getTime()));
    expect(call!.query.get('sign')).toBe(
      createHmac('sha256', 'SEC-one').update(`${timestamp}\nSEC-one`).digest('base64'),
    );
    expect(call!.query.get('access_token')).toBe('abc');
    expect(call!.body).toMatchObject({ msgtype: 'text', at: { isAtAll: false } });
    expect(contentOf(call!)).toContain('余额预计还可用 2 天');
  });

  it('a message to Feishu has a timestamp and a sign that are computed by Feishu’s published formula', async () => {
    await to.live('station', feishu('fs-key'));
    await lowBalance();
    await to.run();
    const { timestamp, sign, msg_type } = to.calls[0]!.body as Record<string, string>;
    expect(timestamp).toBe(String(Math.floor(to.api.clock.now().getTime() / 1_000)));
    expect(sign).toBe(createHmac('sha256', `${timestamp}\nfs-key`).update('').digest('base64'));
    expect(msg_type).toBe('text');
  });

  it('a WeCom robot is called with its key and a text message, and a Feishu robot without a secret is called without a signature', async () => {
    await to.live('station', wecom());
    await lowBalance();
    await to.run();
    expect(to.calls[0]!.query.get('key')).toBe('k-1');
    expect(Object.keys(to.calls[0]!.body)).toEqual(['msgtype', 'text']);
    await to.live('station', feishu(''));
    await lowBalance({ available: 0, days_left: 0, low_limit: null });
    await to.run();
    expect(to.calls.some(({ body }) => 'sign' in body)).toBe(false);
  });

  it('a notification counts as failed if the chat robot answers HTTP status 200 with an error code; the error code is shown', async () => {
    const { id } = await to.live('station', dingtalk());
    to.answer = (response) => response.end('{"errcode":310000,"errmsg":"sign not match"}');
    const { data } = await to.act('station', id, '/test');
    expect(data).toMatchObject({ error: 'refused', detail: '310000', failures: 1 });
  });

  it('a notification to a webhook channel has a signature that is valid by the Standard Webhooks specification', async () => {
    to.api.clock.set(new Date());
    to.tokens = await to.api.loginAll();
    const { data } = await to.make('station', webhook());
    const code = /\d{6}/.exec(to.calls[0]!.raw)?.[0] ?? '';
    await to.act('station', data.channel.id, '/confirm', { code });
    await lowBalance();
    await to.run();
    const { raw, headers } = to.calls.at(-1)!;
    expect(new Webhook(data.secret!).verify(raw, headers as Record<string, string>)).toMatchObject({
      type: 'notice',
      data: { notices: [{ kind: 'low_balance', title: '余额预计还可用 2 天，可用 ¥12.50' }] },
    });
  });
});

describe('the time at which a notification channel gets its messages', () => {
  it('an hourly notification channel gets one message with all notifications of the hour', async () => {
    await to.live('station', { ...mailTo, pace: 'hourly' });
    await lowBalance();
    await to.happens('month_closed', { station: nanshan(), data: { period: '2026-02' } });
    await to.run();
    expect(to.mails).toEqual([]);
    to.api.clock.advance(hour);
    await to.run();
    expect(to.mails).toHaveLength(1);
    expect(to.mails[0]).toMatchObject({ subject: 'Waystation：2 条通知' });
    expect(to.mails[0]?.text).toMatch(/2026-02 已结账/);
  });

  it('messages of a notification channel that fall into its quiet hours wait until the quiet hours end', async () => {
    await to.live('station', { ...mailTo, quiet_from: 9, quiet_to: 12 });
    await lowBalance();
    await to.run();
    to.api.clock.advance(1.9 * hour);
    await to.run();
    expect(to.mails).toEqual([]);
    to.api.clock.advance(0.2 * hour);
    await to.run();
    expect(to.mails).toHaveLength(1);
  });

  it('a changed sending interval of a notification channel applies to waiting entries, and entries of deselected kinds are dropped', async () => {
    const { id, version } = await to.live('station', { ...mailTo, pace: 'daily', daily_hour: 8 });
    await lowBalance();
    await to.happens('month_closed', { station: nanshan(), data: { period: '2026-02' } });
    await to.run();
    expect(await waiting(id)).toBe(2);
    const { status } = await to.api.call(
      to.tokens.station,
      'PATCH',
      `/api/arco/notices/channels/${id}`,
      { ...channelSettings, version, kinds: ['low_balance'] },
    );
    expect(status).toBe(200);
    await to.run();
    expect(to.mails.map(({ subject }) => subject)).toEqual([
      'Waystation：余额预计还可用 2 天，可用 ¥12.50',
    ]);
  });

  it('notifications above a channel’s hourly message limit are sent together as one message when the hour is over', async () => {
    await to.live('station', mailTo);
    for (let n = 1; n <= channelMessagesInHour + 3; n++) {
      await to.happens('month_closed', {
        station: nanshan(),
        data: { period: `20${10 + n}-01` },
      });
      await to.run();
    }
    // The verification code was the first message of this hour, so one notification less can be
    // sent.
    expect(to.mails).toHaveLength(channelMessagesInHour - 1);
    to.api.clock.advance(hour);
    await to.run();
    expect(to.mails).toHaveLength(channelMessagesInHour);
    expect(to.mails.at(-1)).toMatchObject({ subject: 'Waystation：4 条通知' });
  });
});
