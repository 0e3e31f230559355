import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mostResetMails } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import { openNoticeReceiver } from '#testing/notice-receiver.ts';
import type { NoticeReceiver } from '#testing/notice-receiver.ts';
import { runTask } from '#testing/run-task.ts';
import { from } from '#testing/test-api.ts';
import type { Refused, Tokens } from '#testing/test-api.ts';

// All tests use the same accounts, so each sets its own password and then restores the demo's.

const minute = 60_000;
const demo = 'waystation-demo';
const fresh = 'tulip river seven';
let to: NoticeReceiver;
beforeAll(async () => {
  to = await openNoticeReceiver();
});
afterAll(() => to.close());
beforeEach(async () => {
  await to.api.rows(sql`update accounts set password_hash = (select password_hash from accounts
    where username = 'super'), password_changed_at = ${to.api.clock.now()}, must_change = 0`);
  await to.reset();
});

const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)![0];
/** Makes and confirms a mailbox, by default with the account's password. */
const mailbox = async (who: keyof Tokens, proof: object = { password: demo }) => {
  const address = `${who}@example.com`;
  const { data } = await to.make(who, { kind: 'mail', address, language: 'en', pace: 'daily' });
  const code = codeIn(to.mails.at(-1)!.text);
  const { status, data: channel } = await to.act(who, data.channel.id, '/confirm', {
    code,
    ...proof,
  });
  to.mails = [];
  return { status, channel, id: data.channel.id, code };
};
const path = '/api/arco/password-resets';
const ask = (username: string, address = '192.0.2.1') =>
  to.api.call<Refused>({ token: null, headers: from(address) }, 'POST', path, { username });
const jobs = () =>
  to.api.rows(sql<{ payload: { account_id: number; asked_at: string } }>`delete from
    graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'mail_reset_link' returning j.payload`);
/** Runs the jobs that the request has queued, and returns the token in the mail. */
const mailed = async (): Promise<string | null> => {
  for (const { payload } of await jobs()) await runTask(to.api.app, 'mail_reset_link', payload);
  return /#\/password-reset\?token=([\w-]{43})/.exec(to.mails.at(-1)?.text ?? '')?.[1] ?? null;
};
const tokenOf = async (username: string): Promise<string> => {
  await ask(username);
  return (await mailed())!;
};
const open = (token: string, address = '192.0.2.2') =>
  to.api.call<{ username: string } & Refused>(
    { token: null, headers: from(address) },
    'POST',
    `${path}/open`,
    { token },
  );
const accept = (token: string, password = fresh, address = '192.0.2.2') =>
  to.api.call<{ username: string } & Refused>(
    { token: null, headers: from(address) },
    'POST',
    `${path}/accept`,
    { token, password },
  );
const idOf = async (username: string): Promise<number> =>
  (await to.api.rows(sql<{ id: number }>`select id from accounts where username = ${username}`))[0]!
    .id;

describe('the link for a forgotten password', () => {
  it('a mailed reset link sets a password once; the account’s sessions and API keys end, and a mail reports the change', async () => {
    const { channel, id } = await mailbox('clerk');
    expect(channel).toMatchObject({ status: 'live', resets_password: 1 });
    const robot = await to.live('clerk', { kind: 'webhook', address: `http://${to.host}/hook` });
    const token = await tokenOf('Clerk ');
    expect(to.mails).toMatchObject([{ to: ['clerk@example.com'] }]);
    expect(to.mails[0]!.text).toContain('https://console.example.com/#/password-reset?token=');
    expect((await open(token)).data).toEqual({ username: 'clerk' });
    expect((await accept(token, 'short')).data.fields?.['password']?.code).toBe(
      'password_too_short',
    );
    const both = await Promise.all([accept(token), accept(token, fresh, '192.0.2.3')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await accept(token)).data.code).toBe('reset_invalid');
    expect((await to.api.call(to.tokens.clerk, 'GET', '/api/arco/inbox')).status).toBe(401);
    expect((await to.api.tryLogin('clerk', demo)).status).toBe(400);
    expect((await to.api.tryLogin('clerk', fresh)).status).toBe(200);
    expect(
      await to.api.rows(sql`select id, status, reset_hash from notice_channels
        where id in (${id}, ${robot.id}) order by id`),
    ).toEqual([
      { id, status: 'live', reset_hash: null },
      { id: robot.id, status: 'disabled', reset_hash: null },
    ]);
    await runTask(to.api.app, 'mail_password_changed', {
      channel_id: id,
      at: to.api.clock.now().toISOString(),
    });
    expect(to.mails.at(-1)).toMatchObject({ subject: 'Waystation: your password was changed' });
    const audit = await to.api.rows(sql<{ action: string; account_name: string }>`select action,
      account_name from audit_log where subject = 'accounts' and subject_id = ${await idOf('clerk')}
        and action in ('mail_reset_link', 'reset_by_mail') order by id`);
    expect(audit.map(({ action, account_name }) => [action, account_name])).toEqual([
      ['mail_reset_link', 'system'],
      ['reset_by_mail', 'clerk'],
    ]);
  });

  it('a password-reset link is valid for half an hour, and ends earlier if a newer link is sent', async () => {
    await mailbox('station');
    const first = await tokenOf('station');
    const second = await tokenOf('station');
    expect((await open(first)).data.code).toBe('reset_invalid');
    to.api.clock.advance(30 * minute - 1);
    expect((await open(second)).status).toBe(200);
    to.api.clock.advance(1);
    expect((await open(second)).data.code).toBe('reset_ended');
    expect((await accept(second)).data.code).toBe('reset_ended');
  });

  it('a password-reset link is refused if the password was changed, the mailbox was removed or the account is disabled', async () => {
    const { id } = await mailbox('partner');
    const set = (what: ReturnType<typeof sql>) =>
      to.api.rows(sql`update accounts set ${what} where username = 'partner'`);
    const token = await tokenOf('partner');
    await set(sql`password_changed_at = password_changed_at + interval '1 second'`);
    expect((await accept(token)).data.code).toBe('reset_ended');
    await set(sql`password_changed_at = password_changed_at - interval '1 second', status = 0`);
    expect((await accept(token)).data.code).toBe('reset_ended');
    await set(sql`status = 1`);
    expect((await open(token)).status).toBe(200);
    await to.act('partner', id, '/remove');
    expect((await accept(token)).data.code).toBe('reset_ended');
    to.mails = [];
    expect(await tokenOf('partner')).toBeNull();
  });

  it('a manager’s password reset ends reset links and the mailbox’s right to reset; the user gets the right back by entering the password', async () => {
    const { id } = await mailbox('clerk');
    const token = await tokenOf('clerk');
    await to.api.call(to.tokens.super, 'POST', `/api/arco/users/${await idOf('clerk')}/password`, {
      password: fresh,
    });
    expect((await accept(token)).data.code).toBe('reset_invalid');
    await to.api.rows(sql`update accounts set must_change = 0 where username = 'clerk'`);
    to.tokens.clerk = await to.api.login('clerk', fresh);
    to.mails = [];
    await to.act('clerk', id, '/code');
    const code = codeIn(to.mails[0]!.text);
    const { data } = await to.act('clerk', id, '/confirm', { code });
    expect(data).toMatchObject({ status: 'live', resets_password: 0 });
    to.mails = [];
    expect(await tokenOf('clerk')).toBeNull();
  });

  it('two-factor authentication stays on after a password reset', async () => {
    await mailbox('station');
    const token = await tokenOf('station');
    await to.api
      .rows(sql`insert into two_factor_secrets (account_id, secret, confirmed_at, created_at)
      values (${await idOf('station')}, '', now(), now())`);
    expect((await accept(token)).status).toBe(200);
    expect((await to.api.tryLogin('station', fresh)).data).toMatchObject({
      code: 'second_factor_required',
    });
    await to.api.rows(sql`delete from two_factor_secrets`);
  });
});

describe('a mailbox for a forgotten password', () => {
  it('a mailbox gets no right to reset a password if the password is missing or wrong, or if the account is a super admin', async () => {
    expect((await mailbox('station', {})).channel).toMatchObject({ resets_password: 0 });
    expect(await tokenOf('station')).toBeNull();
    const { status, id, code } = await mailbox('clerk', { password: 'wrong password' });
    expect(status).toBe(422);
    expect((await to.act('clerk', id, '/confirm', { code, password: demo })).status).toBe(200);
    const office = await mailbox('super');
    expect(office.channel).toMatchObject({ resets_password: 0 });
    await to.api.rows(sql`update notice_channels set resets_password = true
      where id = ${office.id}`);
    expect(await tokenOf('super')).toBeNull();
  });

  it('a mailbox that was already confirmed gets the right to reset the password if the user enters a new code and the password', async () => {
    const { id } = await mailbox('station', {});
    const gain = async (proof: object) => {
      to.mails = [];
      expect((await to.act('station', id, '/code')).status).toBe(200);
      const code = codeIn(to.mails[0]!.text);
      return (await to.act('station', id, '/confirm', { code, ...proof })).data;
    };
    expect(await gain({})).toMatchObject({ resets_password: 0, status: 'live' });
    expect(await gain({ password: demo })).toMatchObject({ resets_password: 1, status: 'live' });
    expect((await to.act('station', id, '/code')).data.code).toBe('channel_state');
    const other = await mailbox('clerk', {});
    await to.act('clerk', other.id, '/code');
    await to.api.call(
      to.tokens.super,
      'POST',
      `/api/arco/users/${await idOf('clerk')}/password`,
      {},
    );
    expect(
      await to.api.rows(sql`select status, code_hash from notice_channels where id = ${other.id}`),
    ).toEqual([{ status: 'disabled', code_hash: null }]);
  });

  it('if a user confirms a newer mailbox for password resets, the older mailbox loses the right to reset the password', async () => {
    const older = await mailbox('station');
    await mailbox('station');
    expect(await to.shown('station', older.id)).toMatchObject({
      resets_password: 0,
      status: 'live',
    });
  });
});

describe('a request for a password-reset link', () => {
  it('a request for a reset link returns the same response and queues the same job whether or not the account exists or has a mailbox', async () => {
    await mailbox('clerk');
    const queued: number[] = [];
    for (const username of ['clerk', 'station', 'nobody here']) {
      const { status, data } = await ask(username);
      expect([status, data]).toEqual([200, {}]);
      const made = await jobs();
      queued.push(made.length);
      expect(JSON.stringify(made)).not.toContain('nobody');
    }
    expect(queued).toEqual([1, 1, 1]);
    expect(to.mails).toEqual([]);
  });

  it('a request for a reset link runs the same SQL statements whether or not the account exists or has a mailbox', async () => {
    await mailbox('clerk');
    const run = async (username: string): Promise<string[]> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await ask(username, '192.0.2.77');
      const texts = query.mock.calls.map((given) => {
        const [sent] = given as unknown as [string | { text: string }];
        return typeof sent === 'string' ? sent : sent.text;
      });
      query.mockRestore();
      return texts;
    };
    const [known, without, nobody] = [
      await run('clerk'),
      await run('station'),
      await run('nobody'),
    ];
    expect(known.length).toBeGreaterThan(4);
    expect(without).toEqual(known);
    expect(nobody).toEqual(known);
  });

  it('an account is mailed at most three reset links an hour', async () => {
    await mailbox('clerk');
    for (let n = 0; n < mostResetMails; n++) expect(await tokenOf('clerk')).not.toBeNull();
    await tokenOf('clerk');
    expect(to.mails).toHaveLength(mostResetMails);
    to.api.clock.advance(61 * minute);
    await tokenOf('clerk');
    expect(to.mails).toHaveLength(mostResetMails + 1);
  });

  it('requests for a reset link are limited per username, without locking logins, and per IP address or IPv6 /64 network', async () => {
    for (let n = 0; n < 5; n++) expect((await ask('station', `198.51.100.${n}`)).status).toBe(200);
    const sixth = await ask('station', '198.51.100.9');
    expect([sixth.status, sixth.data.code]).toEqual([429, 'login_throttled']);
    expect((await to.api.tryLogin('station', demo)).status).toBe(200);
    for (let n = 0; n < 10; n++)
      expect((await ask(`name-${n}`, `2001:db8:1:2::${n}`)).status).toBe(200);
    expect((await ask('name-x', '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await ask('name-x', '2001:db8:1:3::1')).status).toBe(200);
  });

  it('an IP address is blocked after five wrong reset tokens, and no mail is sent for a reset request that is half an hour old', async () => {
    for (let n = 0; n < 5; n++)
      expect((await open('x'.repeat(43), '203.0.113.7')).data.code).toBe('reset_invalid');
    expect((await open('x'.repeat(43), '203.0.113.7')).data.code).toBe('login_throttled');
    await mailbox('clerk');
    await ask('clerk');
    to.api.clock.advance(30 * minute);
    expect(await mailed()).toBeNull();
    expect(to.mails).toEqual([]);
  });
});
