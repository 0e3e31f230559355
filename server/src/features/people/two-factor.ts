import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/profile.ts';
import type { SecondFactorStart } from '@waystation/contract/profile.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { clearAttempt, countAttempt, loggedIn } from '#platform/auth/login-throttle.ts';
import type { Attempt } from '#platform/auth/login-throttle.ts';
import { verifyPassword } from '#platform/auth/password.ts';
import { qrPath } from '#platform/auth/qr.ts';
import { beginTwoFactor, removeTwoFactor, makeRecoveryCodes, twoFactorOf, consumeAppCode, verifyTwoFactor } from '#platform/auth/two-factor.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import { base32, otpauthUri } from '#platform/auth/totp.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const own = systemScope('own two-factor authentication');
const issuer = 'Waystation';
/** A setup that was not finished within so long is begun again. */
const setupMinutes = 15;

const audit = (tx: Tx, actor: Actor, request: RequestContext, action: string, changes: Changes = {}): Promise<void> =>
  recordAudit(tx, actor, request, { action, subject: 'accounts', subject_id: actor.account_id, station_id: actor.station_id, changes });

/** Throws unless two-factor authentication is on, or off, as required. */
const expectOn = async (tx: Tx, actor: Actor, on: boolean): Promise<void> => {
  const factor = await twoFactorOf(tx, actor.account_id);
  if (on !== Boolean(factor?.confirmed_at)) fail(on ? 'second_factor_off' : 'second_factor_on');
};

/** Attempts of everybody who is logged in to the account count together. */
const attemptOf = (actor: Actor, request: RequestContext, at: Date): Attempt => ({
  username: actor.username.toLowerCase(),
  address: request.address,
  at,
  known_as: loggedIn,
});

/** Does `work` once the password has proven right; a wrong one, and a wrong code that `work` refuses, count with those of everybody who is logged in to the account. */
const proven = async <T>(
  { app, actor, request, on }: { app: App; actor: Actor; request: RequestContext; on: boolean },
  password: string,
  work: (tx: Tx, now: Date) => Promise<T>,
): Promise<T> => {
  await app.db.tx(own, (tx) => expectOn(tx, actor, on));
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  const stored = await app.db.tx(own, async (tx) => {
    await countAttempt(tx, attempt);
    const row = await tx.selectFrom('accounts').select('password_hash').where('id', '=', actor.account_id).executeTakeFirstOrThrow();
    return row.password_hash;
  });
  if (!(await verifyPassword(password, stored))) failFields({ password: { code: 'password_wrong' } });
  return app.db.tx(own, async (tx) => {
    // One after another for one account, so that a step is not begun and ended at once.
    await tx.selectFrom('accounts').select('id').where('id', '=', actor.account_id).forNoKeyUpdate().execute();
    await expectOn(tx, actor, on);
    const result = await work(tx, now);
    await clearAttempt(tx, attempt);
    return result;
  });
};

export const state = (app: App, actor: Actor): Promise<{ on: 0 | 1; since: string | null; recovery_codes_left: number }> =>
  app.db.tx(own, async (tx) => {
    const factor = await twoFactorOf(tx, actor.account_id);
    const row = await oneRow(tx, sql<{ n: number }>`select count(*) as n from recovery_codes where account_id = ${actor.account_id} and used_at is null`);
    const since = factor?.confirmed_at ?? null;
    return { on: since ? 1 : 0, since: since?.toISOString() ?? null, recovery_codes_left: row.n };
  });

export const start = (app: App, actor: Actor, { password }: ParsedOf<typeof calls.startSecondFactor>, request: RequestContext): Promise<SecondFactorStart> =>
  proven({ app, actor, request, on: false }, password, async (tx, now) => {
    const secret = await beginTwoFactor(tx, app.secrets, actor.account_id, now);
    await audit(tx, actor, request, 'start_second_factor');
    const uri = otpauthUri(secret, actor.username, issuer);
    return { secret: base32(secret), uri, qr: qrPath(uri) };
  });

type Codes = Promise<{ recovery_codes: string[] }>;

export const confirm = async (app: App, actor: Actor, { otp }: ParsedOf<typeof calls.confirmSecondFactor>, request: RequestContext): Codes => {
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  await app.db.tx(own, (tx) => countAttempt(tx, attempt));
  return app.db.tx(own, async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', actor.account_id).forNoKeyUpdate().execute();
    const factor = await twoFactorOf(tx, actor.account_id);
    if (!factor || factor.confirmed_at || now.getTime() - factor.created_at.getTime() > setupMinutes * 60_000) return fail('second_factor_off');
    if (!(await consumeAppCode(tx, app.secrets, actor.account_id, otp, now))) failFields({ otp: { code: 'second_factor_wrong' } });
    await tx.updateTable('two_factor_secrets').set({ confirmed_at: now }).where('account_id', '=', actor.account_id).execute();
    // Sessions opened without two-factor authentication, or with an earlier setup, must log in again.
    await endSessions(tx, actor.account_id, actor.session_id);
    await audit(tx, actor, request, 'enable_second_factor', { second_factor: [0, 1] });
    await clearAttempt(tx, attempt);
    return { recovery_codes: await makeRecoveryCodes(tx, app.secrets, actor.account_id) };
  });
};

const consumeCodeOrFail = async (tx: Tx, app: App, actor: Actor, otp: string, now: Date): Promise<void> => {
  if (!(await verifyTwoFactor(tx, app.secrets, actor.account_id, otp, now))) failFields({ otp: { code: 'second_factor_wrong' } });
};

export const renewCodes = (app: App, actor: Actor, { password, otp }: ParsedOf<typeof calls.renewRecoveryCodes>, request: RequestContext): Codes =>
  proven({ app, actor, request, on: true }, password, async (tx, now) => {
    await consumeCodeOrFail(tx, app, actor, otp, now);
    await audit(tx, actor, request, 'renew_recovery_codes');
    return { recovery_codes: await makeRecoveryCodes(tx, app.secrets, actor.account_id) };
  });

export const end = (
  app: App,
  actor: Actor,
  { password, otp }: ParsedOf<typeof calls.endSecondFactor>,
  request: RequestContext,
): Promise<Record<string, never>> =>
  proven({ app, actor, request, on: true }, password, async (tx, now) => {
    await consumeCodeOrFail(tx, app, actor, otp, now);
    await removeTwoFactor(tx, actor.account_id);
    await endSessions(tx, actor.account_id, actor.session_id);
    await audit(tx, actor, request, 'disable_second_factor', { second_factor: [1, 0] });
    return {};
  });
