import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openNoticeReceiver } from '#testing/notice-receiver.ts';
import type { CaughtMail, NoticeReceiver } from '#testing/notice-receiver.ts';
import { runTask } from '#testing/run-task.ts';
import { exampleOrder } from '#testing/test-system.ts';

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
const webhook = () => ({ kind: 'webhook', address: `http://${to.host}/hook` });
const lowBalance = (data: object = { available: 1_250, days_left: 2, low_limit: null }) =>
  to.happens('low_balance', { station: nanshan(), data });
const waiting = async (id: number): Promise<number> =>
  (
    await to.api.rows(
      sql<{ n: number }>`select count(*)::int as n from notice_outbox where channel_id = ${id}`,
    )
  )[0]!.n;

describe('a notification channel', () => {
  it('a new notification channel receives only a verification code until the code is entered; the code is invalid after five wrong entries', async () => {
    const { status, data } = await to.make('station', mailTo);
    expect(status).toBe(200);
    const { id } = data.channel;
    expect(data.channel).toMatchObject({ status: 'unconfirmed', hint: 'w***@example.com' });
    expect(to.mails).toHaveLength(1);
    expect(to.mails[0]?.to).toEqual(['wang@example.com']);
    const code = /\d{6}/.exec(to.mails[0]?.text ?? '')?.[0] ?? '';
    await lowBalance();
    await to.run();
    expect(to.mails).toHaveLength(1);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n++) {
      const refused = await to.act('station', id, '/confirm', { code: wrong });
      expect(refused).toMatchObject({
        status: 422,
        data: { fields: { code: { code: 'channel_code_wrong' } } },
      });
    }
    expect((await to.act('station', id, '/confirm', { code })).status).toBe(422);
    await to.act('station', id, '/code');
    const next = /\d{6}/.exec(to.mails[1]?.text ?? '')?.[0] ?? '';
    expect(await to.act('station', id, '/confirm', { code: next })).toMatchObject({
      status: 200,
      data: { status: 'live', code_until: null },
    });
  });

  it('a verification code is refused after half an hour, and is refused if it is entered for a channel of another account', async () => {
    const { data } = await to.make('station', mailTo);
    const code = /\d{6}/.exec(to.mails[0]?.text ?? '')?.[0] ?? '';
    to.api.clock.advance(31 * 60_000);
    expect((await to.act('station', data.channel.id, '/confirm', { code })).status).toBe(422);
    expect((await to.act('clerk', data.channel.id, '/confirm', { code })).status).toBe(404);
  });

  it('an account has at most five notification channels, and one address gets at most ten codes a day from all accounts together', async () => {
    for (let n = 0; n < 5; n++)
      expect((await to.make('station', { ...mailTo, address: `a${n}@example.com` })).status).toBe(
        200,
      );
    expect((await to.make('station', mailTo)).data.code).toBe('too_many_channels');
    const victim = { ...mailTo, address: 'victim@example.com' };
    const asks = [];
    for (const who of ['super', 'admin', 'partner', 'clerk'] as const) {
      const { data } = await to.make(who, victim);
      asks.push(data.code ?? 'sent');
      for (let n = 0; n < 3 && data.channel; n++)
        asks.push((await to.act(who, data.channel.id, '/code')).data.code ?? 'sent');
    }
    expect(asks.filter((one) => one === 'sent')).toHaveLength(10);
    expect(asks.at(-1)).toBe('too_many_channel_messages');
    expect(to.mails.filter((mail) => mail.to[0] === 'victim@example.com')).toHaveLength(10);
  });

  it.each([
    ['mail', 'a@example.com,b@example.com', 'invalid'],
    ['mail', 'Wang <a@example.com>', 'invalid'],
    ['wecom', 'https://hooks.example.com/cgi-bin/webhook/send?key=1', 'channel_host_wrong'],
    ['wecom', 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send', 'channel_host_wrong'],
    ['dingtalk', 'https://oapi.dingtalk.com/other?access_token=1', 'channel_host_wrong'],
    ['feishu', 'http://open.feishu.cn/open-apis/bot/v2/hook/1', 'webhook_url_denied'],
    ['webhook', 'https://10.0.0.7/hook', 'webhook_url_denied'],
    ['webhook', 'https://me:secret@hooks.example.com/', 'invalid'],
    ['webhook', 'file:///etc/passwd', 'invalid'],
  ])('a %s notification channel to the address %s is refused', async (kind, address, code) => {
    expect(await to.make('station', { kind, address })).toMatchObject({
      status: 422,
      data: { fields: { address: { code } } },
    });
  });

  it('a notification channel’s address is stored encrypted, and removing the channel removes the address and the waiting entries', async () => {
    const { id } = await to.live('station', { ...mailTo, pace: 'daily' });
    await lowBalance();
    await to.run();
    expect(await waiting(id)).toBe(1);
    const stored = () =>
      to.api.rows(sql<{ row: string; address: Buffer | null }>`select row_to_json(c)::text as row,
        address from notice_channels c where id = ${id}`);
    const [before] = await stored();
    expect(before!.row).not.toContain('wang');
    const audit = () =>
      to.api.rows(sql<{ action: string; changes: object }>`select action, changes from audit_log
        where subject = 'notice_channels' and subject_id = ${id} order by id`);
    expect((await audit()).map(({ action }) => action)).toEqual(['create', 'enable']);
    expect((await audit())[0]!.changes).toMatchObject({ kind: [null, 'mail'] });
    expect(before!.address!.toString('latin1')).not.toContain('wang');
    await to.act('station', id, '/remove');
    expect(JSON.stringify(await audit())).not.toContain('wang');
    expect((await stored())[0]!.address).toBeNull();
    expect(await waiting(id)).toBe(0);
    to.api.clock.advance(25 * hour);
    await runTask(to.api.app, 'tidy');
    expect(await stored()).toEqual([]);
  });
});

describe('sending inbox entries to notification channels', () => {
  it('one email is sent for an inbox entry, in the language of the notification channel, with a link to the console', async () => {
    await to.live('station', mailTo);
    await lowBalance();
    await to.run();
    await to.run();
    expect(to.mails).toHaveLength(1);
    expect(to.mails[0]).toMatchObject({ subject: 'Waystation：余额预计还可用 2 天，可用 ¥12.50' });
    expect(to.mails[0]?.text).toContain(
      `https://console.example.com/#/model/stations?id=${nanshan()}`,
    );
    expect(to.mails[0]?.text).toContain('可随时修改或移除');
    const english = await to.live('station', { ...mailTo, language: 'en' });
    await lowBalance();
    await to.run();
    expect(
      to.mails.some(({ subject }) => subject.includes('The balance lasts about 2 more days')),
    ).toBe(true);
    expect(await waiting(english.id)).toBe(0);
  });

  it('an inbox entry and its notification in the outbox are written in one transaction, and rolled back together', async () => {
    const { id } = await to.live('station', { ...mailTo, pace: 'daily' });
    await lowBalance();
    const owner = new pg.Client(to.api.database.owner);
    await owner.connect();
    await owner.query(`create function planted() returns trigger language plpgsql as
        $$ begin raise exception 'planted'; end $$;
      create trigger planted before insert on live_events for each row execute function planted()`);
    await expect(runTask(to.api.app, 'deliver_inbox')).rejects.toThrow('planted');
    expect(await waiting(id)).toBe(0);
    await owner.query('drop trigger planted on live_events; drop function planted');
    await owner.end();
    await runTask(to.api.app, 'deliver_inbox');
    expect(await waiting(id)).toBe(1);
  });

  it('an inbox entry is sent only to the notification channels that chose its kind', async () => {
    await to.live('station', { ...mailTo, kinds: ['month_closed'] });
    await to.live('station', dingtalk());
    await lowBalance();
    await to.run();
    expect(to.mails).toEqual([]);
    expect(to.calls).toHaveLength(1);
  });

  it('if more inbox entries wait than one notification can contain, several notifications are sent and no entry is lost', async () => {
    const { id } = await to.live('station', { ...mailTo, pace: 'hourly' });
    await to.api.rows(sql`with e as (insert into inbox_entries (account_id, kind, thread,
        station_id, count, data, at)
      select c.account_id, 'month_closed', 'm' || n, ${nanshan()}, 1, '{"period":"2026-01"}',
        ${to.api.clock.now()} from notice_channels c, generate_series(1, 130) n where c.id = ${id}
      returning id)
      insert into notice_outbox (channel_id, entry_id, at) select ${id}, id,
        ${to.api.clock.now()} from e`);
    to.api.clock.advance(hour);
    await to.run();
    expect(to.mails.map(({ subject }) => subject)).toEqual(['Waystation：100 条通知']);
    expect(to.mails[0]?.text).toContain('还有 80 条');
    expect(await waiting(id)).toBe(30);
    await to.run();
    expect(to.mails).toHaveLength(2);
    expect(await waiting(id)).toBe(0);
  });

  it('an inbox entry is not sent in an hourly notification if the entry was read before', async () => {
    await to.live('station', { ...mailTo, pace: 'hourly' });
    await lowBalance();
    await to.run();
    await to.api.call(to.tokens.station, 'POST', '/api/arco/inbox/read', {
      ids: (await to.inbox('station')).map(({ id }) => id),
    });
    to.api.clock.advance(hour);
    await to.run();
    expect(to.mails).toEqual([]);
  });

  it('a low-balance message contains no amount of another station, and shows the station’s name without phone numbers and markup', async () => {
    await to.live('partner', feishu());
    await to.live('partner', mailTo);
    const name =
      '<at user_id="all">所有人</at> @all\r\nBcc: x [点我](https://evil.example) 13800138000';
    await to.api.rows(sql`update stations set name = ${name} where id = ${nanshan()}`);
    await lowBalance();
    await to.run();
    const text = (to.calls[0]!.body as { content: { text: string } }).content.text;
    for (const one of [text, to.mails[0]!.text, to.mails[0]!.subject]) {
      expect(one).toContain('余额预计还可用 2 天');
      expect(one).not.toMatch(/12\.50|13800138000|<at|@all|https:\/\/evil|\[点我\]/);
    }
    expect(text.split('\n')).toHaveLength(2);
    expect(to.mails[0]!.html).not.toContain('<at');
  });

  it('a notification about a parcel contains its waybill number, but not the recipient’s name or phone', async () => {
    await to.live('station', { ...mailTo, kinds: ['on_hold'] });
    const { data: parcel } = await to.api.call<{ id: number; order_id: string }>(
      { token: to.tokens.clerk, headers: { 'idempotency-key': crypto.randomUUID() } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ wait: 0 }),
    );
    await to.api.rows(sql`update expresses set delivery_id = 'JDVE00000012345'
      where id = ${parcel.id}`);
    await to.run();
    const [{ subject, text, html }] = to.mails as [CaughtMail];
    expect(subject).toBe('Waystation：JDVE00000012345 余额不足，已暂挂');
    const { receive_name, receive_phone } = exampleOrder();
    for (const one of [subject, text, html]) {
      expect(one).not.toContain(String(receive_name));
      expect(one).not.toContain(String(receive_phone));
      expect(one).not.toContain('***');
    }
  });

  it('a disabled account receives no notifications, and the addresses of its channels are erased within an hour', async () => {
    const { id } = await to.live('clerk', { ...mailTo, kinds: ['job'], pace: 'hourly' });
    const [clerk] = await to.api.rows(
      sql<{ id: number }>`select account_id as id from notice_channels where id = ${id}`,
    );
    await to.api.rows(sql`with e as (insert into inbox_entries (account_id, kind, thread,
        station_id, count, data, at)
      values (${clerk!.id}, 'low_balance', 'x', ${nanshan()}, 1, '{}', ${to.api.clock.now()})
      returning id)
      insert into notice_outbox (channel_id, entry_id, at) select ${id}, id,
        ${to.api.clock.now()} from e`);
    await to.api.rows(sql`update accounts set status = 0 where id = ${clerk!.id}`);
    to.api.clock.advance(hour);
    await to.run();
    expect(to.mails).toEqual([]);
    expect(await waiting(id)).toBe(0);
    await runTask(to.api.app, 'tidy');
    expect(
      await to.api.rows(sql`select status, address, hint from notice_channels where id = ${id}`),
    ).toEqual([{ status: 'removed', address: null, hint: '' }]);
    await to.api.rows(sql`update accounts set status = 1 where id = ${clerk!.id}`);
  });

  it('a waiting notification is dropped if its recipient can no longer see the station', async () => {
    const { id } = await to.live('partner', { ...mailTo, pace: 'hourly' });
    await lowBalance();
    await to.run();
    expect(await waiting(id)).toBe(1);
    const [before] = await to.api.rows(
      sql<{ parent_id: number }>`select parent_id from stations where id = ${nanshan()}`,
    );
    await to.api.rows(sql`update stations set parent_id = null where id = ${nanshan()}`);
    to.api.clock.advance(hour);
    await to.run();
    expect(to.mails).toEqual([]);
    expect(await waiting(id)).toBe(0);
    await to.api.rows(
      sql`update stations set parent_id = ${before!.parent_id} where id = ${nanshan()}`,
    );
  });

  it('a password reset by a super admin disables the account’s notification channels and invalidates a pending verification code', async () => {
    const { id } = await to.live('clerk', mailTo);
    const { data: open } = await to.make('clerk', webhook());
    const [clerk] = await to.api.rows(
      sql<{ account_id: number }>`select account_id from notice_channels where id = ${id}`,
    );
    const reset = await to.api.call(
      to.tokens.super,
      'POST',
      `/api/arco/users/${clerk!.account_id}/password`,
      {},
    );
    expect(reset.status).toBe(200);
    expect(
      await to.api.rows(sql`select status, stopped_by from notice_channels where id = ${id}`),
    ).toEqual([{ status: 'disabled', stopped_by: 'access' }]);
    expect(
      await to.api.rows(sql`select code_hash from notice_channels where id = ${open.channel.id}`),
    ).toEqual([{ code_hash: null }]);
  });
});

describe('the preview of a notification', () => {
  it('the preview of a notification channel shows the newest notification as it would be sent, and sends nothing', async () => {
    const { id } = await to.live('station', { ...mailTo, language: 'en' });
    await lowBalance();
    await runTask(to.api.app, 'deliver_inbox');
    const { data } = await to.api.call(
      to.tokens.station,
      'GET',
      `/api/arco/notices/channels/${id}/preview`,
    );
    expect(data).toMatchObject({
      subject: 'Waystation: The balance lasts about 2 more days; available ¥12.50',
    });
    expect(to.mails).toEqual([]);
  });
});
