import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/people/profile.ts';
import type { SecondFactorStart } from '@waystation/contract/people/profile.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { clearAttempt, countAttempt } from '#platform/auth/login-throttle.ts';
import { qrPath } from '#platform/auth/qr.ts';
import {
  beginTwoFactor,
  removeTwoFactor,
  makeRecoveryCodes,
  twoFactorOf,
  consumeAppCode,
} from '#platform/auth/two-factor.ts';
import { mustHaveSecondFactor } from '#platform/auth/two-factor-duty.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import { base32, otpauthUri } from '#platform/auth/totp.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { attemptOf, proveCode, provePassword, requireStillProved } from './proof.ts';

const own = systemScope('own two-factor authentication');
const issuer = 'Waystation';
/** The number of minutes after which an unfinished setup must begin again. */
const setupMinutes = 15;

const audit = (work: UserWork, action: string, changes: Changes = {}): Promise<void> =>
  recordAudit(work, {
    action,
    subject: 'accounts',
    subject_id: work.actor.account_id,
    station_id: work.actor.station_id,
    changes,
  });

/**
 * Fails if two-factor authentication is off although `on` is true, or on although `on` is false.
 */
const expectOn = async (work: ReaderWork, on: boolean): Promise<void> => {
  const factor = await twoFactorOf(work, work.actor.account_id);
  if (on !== Boolean(factor?.confirmed_at)) fail(on ? 'second_factor_off' : 'second_factor_on');
};

/**
 * Calls `run` after the right password. Wrong passwords, and wrong codes that `run` refuses, are
 * counted together over all sessions of the account.
 */
const proven = async <T>(
  { app, actor, request, on }: { app: App; actor: Actor; request: RequestContext; on: boolean },
  password: string,
  run: (work: UserWork, now: Date) => Promise<T>,
): Promise<T> => {
  await app.db.tx(own, (work) => expectOn(work.by(actor), on));
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  const stored = await provePassword(app, actor, attempt, { field: 'password', password });
  return app.db.tx(own, async (work) => {
    // This locks the account, so that a setup cannot be started and ended at the same time.
    await requireStillProved(work, actor, stored);
    await expectOn(work.by(actor), on);
    const result = await run(work.by(actor, request), now);
    await clearAttempt(work, attempt);
    return result;
  });
};

export const state = (app: App, actor: Actor): Promise<OutputOf<typeof calls.secondFactor>> =>
  app.db.tx(own, async (work) => {
    const factor = await twoFactorOf(work, actor.account_id);
    const row = await oneRow(
      work,
      sql<{ required: 0 | 1; n: number }>`select (${mustHaveSecondFactor})::int as required,
        (select count(*) from recovery_codes c where c.account_id = a.id and c.used_at is null) as n
      from accounts a where a.id = ${actor.account_id}`,
    );
    const since = factor?.confirmed_at ?? null;
    return {
      on: since ? 1 : 0,
      required: row.required,
      since: since?.toISOString() ?? null,
      recovery_codes_left: row.n,
    };
  });

export const start = (
  app: App,
  actor: Actor,
  { password }: ParsedOf<typeof calls.startSecondFactor>,
  request: RequestContext,
): Promise<SecondFactorStart> =>
  proven({ app, actor, request, on: false }, password, async (work, now) => {
    const secret = await beginTwoFactor(work, app.secrets, actor.account_id, now);
    await audit(work, 'start_second_factor');
    const uri = otpauthUri(secret, actor.username, issuer);
    return { secret: base32(secret), uri, qr: qrPath(uri) };
  });

type Codes = Promise<{ recovery_codes: string[] }>;

export const confirm = async (
  app: App,
  actor: Actor,
  { otp }: ParsedOf<typeof calls.confirmSecondFactor>,
  request: RequestContext,
): Codes => {
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  await app.db.tx(own, (work) => countAttempt(work, attempt));
  return app.db.tx(own, async (work) => {
    await work.tx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', actor.account_id)
      .forNoKeyUpdate()
      .execute();
    const factor = await twoFactorOf(work, actor.account_id);
    if (
      !factor ||
      factor.confirmed_at ||
      now.getTime() - factor.created_at.getTime() > setupMinutes * 60_000
    )
      return fail('second_factor_off');
    if (!(await consumeAppCode(work, app.secrets, { account_id: actor.account_id, otp, now })))
      failFields({ otp: { code: 'second_factor_wrong' } });
    await work.tx
      .updateTable('two_factor_secrets')
      .set({ confirmed_at: now })
      .where('account_id', '=', actor.account_id)
      .execute();
    // Sessions that were opened without two-factor authentication, or with an earlier setup, end
    // here.
    await endSessions(work, actor.account_id, actor.session_id);
    await audit(work.by(actor, request), 'enable_second_factor', { second_factor: [0, 1] });
    await clearAttempt(work, attempt);
    return { recovery_codes: await makeRecoveryCodes(work, app.secrets, actor.account_id) };
  });
};

export const renewCodes = (
  app: App,
  actor: Actor,
  { password, otp }: ParsedOf<typeof calls.renewRecoveryCodes>,
  request: RequestContext,
): Codes =>
  proven({ app, actor, request, on: true }, password, async (work, now) => {
    await proveCode(work, app, { account_id: actor.account_id, otp, now });
    await audit(work, 'renew_recovery_codes');
    return { recovery_codes: await makeRecoveryCodes(work, app.secrets, actor.account_id) };
  });

export const end = (
  app: App,
  actor: Actor,
  { password, otp }: ParsedOf<typeof calls.endSecondFactor>,
  request: RequestContext,
): Promise<Record<string, never>> =>
  proven({ app, actor, request, on: true }, password, async (work, now) => {
    // `proven` locked the account row. So neither this user's role nor this user's own edit of
    // `second_factor_for` can make two-factor authentication mandatory before the commit.
    const { required } = await oneRow(
      work,
      sql<{ required: boolean }>`select ${mustHaveSecondFactor} as required
        from accounts a where a.id = ${actor.account_id}`,
    );
    if (required) fail('second_factor_stays');
    await proveCode(work, app, { account_id: actor.account_id, otp, now });
    await removeTwoFactor(work, actor.account_id);
    await endSessions(work, actor.account_id, actor.session_id);
    await audit(work, 'disable_second_factor', { second_factor: [1, 0] });
    return {};
  });
