import type { AddressInfo, Server } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mostInvitationMails } from '@waystation/contract/base/limits.ts';
import type { Account, IssuedInvitation } from '@waystation/contract/people/account.ts';
import { invitationLink } from '@waystation/contract/people/invitation.ts';
import { hashToken } from '#platform/auth/actor.ts';
import { codeOf, stepOf } from '#platform/auth/totp.ts';
import { sql } from '#platform/db/db.ts';
import { createLog } from '#platform/log.ts';
import { from, openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

const publicUrl = 'https://console.example';
const minute = 60_000;
const lines: string[] = [];
const mails: { to: string[]; subject: string; text: string; html: string }[] = [];
let sink: SMTPServer;
let api: TestApi;
let tokens: Tokens;

beforeAll(async () => {
  sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('nobody')
        ? done(Object.assign(new Error('no such user'), { responseCode: 550 }))
        : address.startsWith('down')
          ? done(Object.assign(new Error('closing'), { responseCode: 421 }))
          : done(),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject, text, html }) => {
          mails.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            subject: subject ?? '',
            text: text ?? '',
            html: html ?? '',
          });
          done();
        });
      });
    },
  });
  const listening: Server = sink.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  api = await openTestApi({
    processes: 2,
    log: createLog('trace', { write: (line) => void lines.push(line) }),
    config: {
      publicUrl,
      mail: {
        host: '127.0.0.1',
        port: (listening.address() as AddressInfo).port,
        security: 'none',
        user: null,
        password: null,
        from: { name: 'Waystation', address: 'notices@waystation.example' },
      },
    },
  });
});
/** Each test begins an hour later with new sessions, so that tests do not share login attempts. */
beforeEach(async () => {
  api.clock.advance(60 * minute);
  tokens = await api.loginAll();
});
afterAll(async () => {
  await api.close();
  sink.close();
});

type Created = { account: Account; password: string | null; invitation: IssuedInvitation | null };
let count = 0;
const create = (values: object, as: keyof Tokens = 'station') =>
  api.call<Created & Refused>(tokens[as], 'POST', '/api/arco/users', {
    username: `guest-${++count}`,
    role: 'user',
    invite: 1,
    ...values,
  });
const invited = async (values: object = {}, as: keyof Tokens = 'station') => {
  const { status, data } = await create(values, as);
  expect(status, JSON.stringify(data)).toBe(200);
  return { ...data.account, token: data.invitation!.token, link: data.invitation! };
};
const reissue = (id: number, body: object = {}, as: keyof Tokens = 'station') =>
  api.call<{ account: Account; invitation: IssuedInvitation } & Refused>(
    tokens[as],
    'POST',
    `/api/arco/users/${id}/invitation`,
    body,
  );
const open = (token: string, address = '192.0.2.1') =>
  api.call<{ username: string } & Refused>(
    { token: null, headers: from(address) },
    'POST',
    '/api/arco/invitations/open',
    { token },
  );
const own = 'tulip river seven';
const accept = (token: string, password = own, address = '192.0.2.1') =>
  api.call<{ username: string } & Refused>(
    { token: null, headers: from(address) },
    'POST',
    '/api/arco/invitations/accept',
    { token, password },
  );
const read = async (id: number, as: keyof Tokens = 'station') =>
  (await api.call<Account>(tokens[as], 'GET', `/api/arco/users/${id}`)).data;
const auditOf = (id: number) =>
  api.rows(
    sql<{ action: string; account_name: string; changes: object }>`select action, account_name,
      changes from audit_log where subject = 'accounts' and subject_id = ${id} order by id`,
  );

describe('the link of an invitation', () => {
  it('an opened invitation link shows only the username; the person sets a password and logs in', async () => {
    const { status, data } = await create({});
    expect(status).toBe(200);
    const { account, password, invitation } = data;
    expect(password).toBeNull();
    expect(invitation).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/) as string,
      expires_at: new Date(api.clock.now().getTime() + 72 * 60 * minute).toISOString(),
      mailed: null,
    });
    expect(account).toMatchObject({
      invitation: 'open',
      invitation_until: invitation!.expires_at,
      must_change: 1,
    });
    for (const guess of ['', invitation!.token, 'waystation-demo'])
      expect((await api.tryLogin(account.username, guess || 'x')).status).toBe(400);
    const { token } = invitation!;
    expect((await open(token)).data).toEqual({ username: account.username });
    expect((await accept(token)).data).toEqual({ username: account.username });
    const session = await api.login(account.username, own);
    expect((await api.call(session, 'GET', '/api/arco/inbox')).status).toBe(200);
    expect(await read(account.id)).toMatchObject({
      invitation: null,
      invitation_until: null,
      must_change: 0,
    });
  });

  it('a password that breaks a rule is refused at the field and leaves the invitation link valid', async () => {
    const { token, username, station_name } = await invited();
    for (const [password, code] of [
      ['short', 'password_too_short'],
      ['password123', 'password_common'],
      [`${username}${username}`.slice(0, username.length).padEnd(12, '1'), 'password_is_username'],
      [`${station_name}${'1'.repeat(6)}`, 'password_is_station'],
    ] as const) {
      const { status, data } = await accept(token, password);
      expect([password, status, data.fields?.['password']?.code]).toEqual([
        password,
        422,
        password.length < 10 ? 'password_too_short' : code,
      ]);
    }
    expect((await accept(token)).status).toBe(200);
  });

  it('an invitation link works once: one of two simultaneous calls succeeds, and a repeated call is refused', async () => {
    for (let round = 0; round < 3; round++) {
      const { token, username } = await invited();
      const both = await Promise.all([
        accept(token, `${own} one`),
        accept(token, `${own} two`, '192.0.2.2'),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect(both.find(({ status }) => status === 400)!.data.code).toBe('invitation_invalid');
      const winner = both[0]!.status === 200 ? 'one' : 'two';
      expect((await api.tryLogin(username, `${own} ${winner}`)).status).toBe(200);
      expect((await accept(token)).data.code).toBe('invitation_invalid');
      expect((await open(token)).data.code).toBe('invitation_invalid');
      api.clock.advance(20 * minute);
      tokens = await api.loginAll();
    }
  });

  it('an invitation link is refused 72 hours after its creation, and its account then shows the invitation as ended', async () => {
    const { id, token } = await invited();
    api.clock.advance(72 * 60 * minute - 1);
    expect((await open(token)).status).toBe(200);
    api.clock.advance(1);
    expect((await open(token)).data.code).toBe('invitation_ended');
    expect((await accept(token)).data.code).toBe('invitation_ended');
    tokens = await api.loginAll();
    expect((await read(id)).invitation).toBe('ended');
    const again = await reissue(id);
    expect(again.data.account.invitation).toBe('open');
    expect((await accept(again.data.invitation.token)).status).toBe(200);
  });

  it('a new invitation link ends the previous link, and a password reset by the manager ends every link', async () => {
    const { id, token: first } = await invited();
    const { token: second } = (await reissue(id)).data.invitation;
    expect((await accept(first)).data.code).toBe('invitation_invalid');
    expect((await open(second)).status).toBe(200);
    const reset = await api.call<{ password: string }>(
      tokens.station,
      'POST',
      `/api/arco/users/${id}/password`,
      {},
    );
    expect(reset.status).toBe(200);
    expect((await accept(second)).data.code).toBe('invitation_invalid');
    expect(await read(id)).toMatchObject({ invitation: null, must_change: 1 });
  });

  it('disabling an account ends its invitation link, which remains ended once the account is enabled again', async () => {
    const { id, token } = await invited();
    const set = (status: 0 | 1) =>
      api.call(tokens.station, 'POST', `/api/arco/users/${id}/status`, { status });
    await set(0);
    expect((await accept(token)).data.code).toBe('invitation_ended');
    expect((await reissue(id)).data.code).toBe('invitation_of_disabled');
    await set(1);
    expect((await accept(token)).data.code).toBe('invitation_ended');
    expect((await read(id)).invitation).toBe('ended');
  });

  it('an invitation link of a disabled station is refused while the station is disabled', async () => {
    const keji = api.station('keji').id;
    const { token } = await invited({ station_id: keji }, 'partner');
    await api.rows(sql`update stations set status = 0 where id = ${keji}`);
    expect((await accept(token)).data.code).toBe('invitation_ended');
    await api.rows(sql`update stations set status = 1 where id = ${keji}`);
    expect((await accept(token)).status).toBe(200);
  });

  it.each([
    ['role', { role: 'station' }],
    ['station', { station_id: 'tianhe' }],
  ])(
    'an account loses its invitation link when its %s changes, even if the change is reversed later',
    async (_, change) => {
      const keji = api.station('keji').id;
      const { id, token } = await invited({ station_id: keji }, 'partner');
      const edit = async (values: { role?: string; station_id?: number }) => {
        const { version } = await read(id, 'super');
        const body = { version, ...values };
        expect((await api.call(tokens.super, 'PATCH', `/api/arco/users/${id}`, body)).status).toBe(
          200,
        );
      };
      await edit('role' in change ? { role: 'station' } : { station_id: api.station('tianhe').id });
      expect((await accept(token)).data.code).toBe('invitation_ended');
      await edit({ role: 'user', station_id: keji });
      expect((await accept(token)).data.code).toBe('invitation_ended');
    },
  );

  it.each(['disabled', 'given a new password', 'moved behind the product'])(
    'an invitation link ends when the manager who issued it is %s',
    async (what) => {
      const station_id = api.station('keji').id;
      const boss = await create({ role: 'station', station_id, invite: 0 }, 'super');
      const { id, username } = boss.data.account;
      await api.rows(sql`update accounts set must_change = 0 where id = ${id}`);
      const session = await api.login(username, boss.data.password!);
      const made = await api.call<Created>(session, 'POST', '/api/arco/users', {
        username: `guest-${++count}`,
        role: 'user',
        invite: 1,
      });
      const { token } = made.data.invitation!;
      expect((await open(token)).status).toBe(200);
      if (what === 'disabled')
        await api.call(tokens.super, 'POST', `/api/arco/users/${id}/status`, { status: 0 });
      else if (what === 'given a new password')
        await api.call(tokens.super, 'POST', `/api/arco/users/${id}/password`, {});
      else
        await api.rows(sql`update accounts set station_id = ${api.station('tianhe').id}
          where id = ${id}`);
      expect((await accept(token)).data.code).toBe('invitation_ended');
      if (what !== 'moved behind the product')
        expect((await read(made.data.account.id, 'super')).invitation).toBe('ended');
    },
  );

  it('a password set directly in the database ends the account’s invitation link', async () => {
    const { id, token } = await invited();
    await api.rows(sql`update accounts
      set password_changed_at = password_changed_at + interval '1 second' where id = ${id}`);
    expect((await accept(token)).data.code).toBe('invitation_ended');
  });

  it('a new invitation link for an account ends its sessions, API keys and old password, and keeps its two-factor authentication', async () => {
    const { account, password } = (await create({ invite: 0 })).data;
    const { id, username } = account;
    await api.rows(sql`update accounts set must_change = 0 where id = ${id}`);
    const session = await api.login(username, password!);
    const begun = await api.call<{ secret: string }>(
      session,
      'POST',
      '/api/arco/personal/second-factor/start',
      { password },
    );
    expect(begun.status).toBe(200);
    const bytes = Buffer.from(
      [...begun.data.secret.replaceAll(/[^A-Z2-7]/g, '')]
        .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
        .join('')
        .match(/.{8}/g)!
        .map((byte) => Number.parseInt(byte, 2)),
    );
    const code = () => codeOf(bytes, stepOf(api.clock.now()));
    const confirmed = await api.call<Refused>(
      session,
      'POST',
      '/api/arco/personal/second-factor/confirm',
      { otp: code() },
    );
    expect(confirmed.status, JSON.stringify(confirmed.data)).toBe(200);
    api.clock.advance(minute);
    const key = await api.call<{ key: string }>(session, 'POST', '/api/arco/keys', {
      name: 'shop',
      scopes: ['parcels'],
      password,
      otp: code(),
    });
    expect(key.status, JSON.stringify(key.data)).toBe(200);
    const { token } = (await reissue(id)).data.invitation;
    expect((await api.statusAtEachProcess(session)).every((status) => status === 401)).toBe(true);
    expect((await api.call(key.data.key, 'GET', '/api/arco/expresses')).status).toBe(401);
    expect((await api.tryLogin(username, password!)).status).toBe(400);
    expect((await accept(token)).status).toBe(200);
    api.clock.advance(minute);
    expect((await api.tryLogin(username, own)).data.code).toBe('second_factor_required');
    expect((await api.tryLogin(username, own, code())).status).toBe(200);
  });
});

describe('the right to invite', () => {
  it('a manager can invite only the accounts that it manages, and for any other account the request returns 404', async () => {
    const idOf = async (name: string): Promise<number> =>
      (await api.rows(sql<{ id: number }>`select id from accounts where username = ${name}`))[0]!
        .id;
    for (const [as, name] of [
      ['station', 'clerk-pudong'],
      ['station', 'station'],
      ['station', 'partner'],
      ['partner', 'clerk-pudong'],
      ['admin', 'admin'],
      ['admin', 'super'],
      ['super', 'super'],
    ] as const)
      expect([as, name, (await reissue(await idOf(name), {}, as)).data.code]).toEqual([
        as,
        name,
        'not_found',
      ]);
    expect((await reissue(await idOf('clerk-nanshan'), {}, 'clerk')).status).toBe(403);
    expect((await create({ role: 'admin', station_id: null })).status).toBe(422);
  });

  it('creating an account with an invitation is refused if a password is given or the account starts disabled', async () => {
    expect((await create({ password: own })).data.fields?.['password']?.code).toBe(
      'invitation_with_password',
    );
    expect((await create({ status: 0 })).data.code).toBe('invitation_of_disabled');
  });

  it('a manager who issues an invitation link cannot be the account’s second person, because the link counts as setting its password', async () => {
    const { id } = await invited();
    const setups = await api.rows(
      sql<{ what: string }>`select what from account_setups where account_id = ${id}`,
    );
    expect(setups.map(({ what }) => what)).toContain('password');
  });
});

describe('the mail of an invitation', () => {
  it('an invitation link is mailed to the given address, which is not stored, and the mail does not contain the username', async () => {
    const mail = 'wang.canary@example.com';
    const { token, link, username, id } = await invited({ mail });
    expect(link.mailed).toBe(1);
    const sent = mails.at(-1)!;
    expect(sent.to).toEqual([mail]);
    for (const text of [sent.text, sent.html]) {
      expect(text).toContain(invitationLink(publicUrl, token));
      expect(text).not.toContain(username);
    }
    expect(new URL(invitationLink(publicUrl, token)).hash).toContain(token);
    const stored = await api.rows(
      sql<{ row: string }>`select i::text as row from account_invitations i union all
        select a::text from accounts a union all select l::text from audit_log l`,
    );
    expect(stored.filter(({ row }) => row.includes(mail))).toEqual([]);
    expect((await auditOf(id))[0]!.changes).toMatchObject({
      password: [null, null],
      expires_at: [null, link.expires_at],
    });
  });

  it('an invitation link stays valid if its mail is refused, and the refusal is reported', async () => {
    const { token, link } = await invited({ mail: 'nobody@example.com' });
    expect(link.mailed).toBe(0);
    expect((await accept(token)).status).toBe(200);
  });

  it.each(['x', 'a@b', 'a@example.com, b@example.com', 'A <a@example.com>', 'a@example.com\nb'])(
    'the mail address %j for an invitation is refused at the field',
    async (mail) => {
      expect((await create({ mail })).data.fields?.['mail']?.code).toBe('mail_address');
    },
  );

  it('the mail server is shown as failing after it refuses an invitation, until it accepts another invitation', async () => {
    const failures = async () =>
      (await api.rows(sql<{ failures: number }>`select failures from mail_state`))[0]!.failures;
    expect((await invited({ mail: 'down@example.com' })).link.mailed).toBe(0);
    expect(await failures()).toBe(1);
    expect((await invited({ mail: 'li@example.com' })).link.mailed).toBe(1);
    expect(await failures()).toBe(0);
  });

  it('a manager can mail a limited number of invitation links an hour over all processes; further links are issued without mail', async () => {
    const { id } = await invited({}, 'partner');
    const sent = mails.length;
    for (let n = 0; n < 2; n++)
      expect((await reissue(id, { mail: 'li@example.com' }, 'partner')).status).toBe(200);
    const counted = await api.rows(sql<{ mailed: number }>`update account_invitations
      set mailed = mailed + ${mostInvitationMails - 3} where account_id = ${id}
      returning mailed`);
    expect(counted).toEqual([{ mailed: mostInvitationMails - 1 }]);
    expect((await reissue(id, { mail: 'li@example.com' }, 'partner')).status).toBe(200);
    const refused = await reissue(id, { mail: 'li@example.com' }, 'partner');
    expect([refused.status, refused.data.code]).toEqual([429, 'too_many_invitation_mails']);
    expect(mails.length).toBe(sent + 3);
    expect((await reissue(id, {}, 'partner')).status).toBe(200);
    expect((await invited({ mail: 'li@example.com' }, 'station')).link.mailed).toBe(1);
    api.clock.advance(60 * minute);
    tokens = await api.loginAll();
    expect((await reissue(id, { mail: 'li@example.com' }, 'partner')).status).toBe(200);
  });

  it('an installation without a mail server refuses an invitation by mail, and still creates invitation links', async () => {
    const { mailer } = api.app;
    for (const app of api.apps) app.mailer = null;
    expect((await create({ mail: 'li@example.com' })).data.fields?.['mail']?.code).toBe('mail_off');
    await invited();
    for (const app of api.apps) app.mailer = mailer;
  });
});

describe('a guessed link', () => {
  it('wrong invitation tokens are limited per IP address; wrong tokens and login attempts of one account count toward one limit', async () => {
    const guess = 'x'.repeat(43);
    for (let n = 0; n < 5; n++)
      expect((await open(guess, '198.51.100.7')).data.code).toBe('invitation_invalid');
    const stopped = await accept(guess, own, '198.51.100.7');
    expect([stopped.status, stopped.data.code]).toEqual([429, 'login_throttled']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await open(guess, '198.51.100.8')).data.code).toBe('invitation_invalid');

    const { token, username } = await invited();
    for (let n = 0; n < 5; n++)
      await api.tryLogin(username, 'wrong', undefined, `198.51.100.${20 + n}`);
    expect((await accept(token)).data.code).toBe('login_throttled');
    api.clock.advance(16 * minute);
    expect((await accept(token)).status).toBe(200);
  });

  it('a shortened, extended, empty or too long invitation token is refused', async () => {
    expect((await open('')).data.code).toBe('invitation_invalid');
    expect((await open('x'.repeat(101))).status).toBe(422);
    const { token } = await invited();
    expect((await open(token.slice(0, -1))).data.code).toBe('invitation_invalid');
    expect((await open(`${token} `)).data.code).toBe('invitation_invalid');
  });
});

describe('the record of an invitation', () => {
  it('issuing and accepting an invitation are audited with the account, and a refused link is stored as a refused login', async () => {
    const { id, username, token } = await invited();
    await reissue(id);
    await accept(token);
    const { token: second } = (await reissue(id)).data.invitation;
    await accept(second);
    expect((await auditOf(id)).map(({ action, account_name }) => [action, account_name])).toEqual([
      ['create', 'station'],
      ['invite', 'station'],
      ['invite', 'station'],
      ['accept_invitation', username],
    ]);
    const refused = await api.rows(
      sql`select 1 from refused_calls where action = 'login_failed' and address = '192.0.2.1'
        and last_at = ${api.clock.now()} and call = 'POST /api/arco/invitations/accept'`,
    );
    expect(refused).toHaveLength(1);
  });

  it('an invitation token appears only in the first response; only its hash is stored, and no log line contains it', async () => {
    const { id, token } = await invited({ mail: 'li@example.com' });
    const stored = await api.rows(
      sql<{ hash: Buffer }>`select token_hash as hash from account_invitations
        where account_id = ${id}`,
    );
    expect(stored[0]!.hash.equals(hashToken(token))).toBe(true);
    const later = [
      await open(token),
      await api.call(tokens.station, 'GET', `/api/arco/users/${id}`),
      await api.call(tokens.station, 'GET', '/api/arco/users?page_size=200'),
      await accept(token, 'short'),
      await accept(token),
    ];
    expect(later.filter(({ bytes }) => bytes.includes(token))).toEqual([]);
    expect(lines.filter((line) => line.includes(token) || line.includes('li@example.com'))).toEqual(
      [],
    );
    const tables = await api.rows(
      sql<{ name: string }>`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
        from pg_tables where schemaname in ('public', 'graphile_worker')`,
    );
    for (const { name } of tables) {
      const found = await api.rows(
        sql`select 1 from ${sql.raw(name)} t where strpos(t::text, ${token}) > 0 limit 1`,
      );
      expect([name, found]).toEqual([name, []]);
    }
  });

  it('an invitation row is visible in the database only within the scope of its station', async () => {
    const { id } = await invited();
    const seen = async (station: string): Promise<number> =>
      api.app.db.tx(
        { kind: 'stations', stations: [api.station(station).id], account: null },
        async (work) =>
          (await sql`select 1 from account_invitations where account_id = ${id}`.execute(work.tx))
            .rows.length,
      );
    expect([await seen('nanshan'), await seen('pudong')]).toEqual([1, 0]);
  });
});
