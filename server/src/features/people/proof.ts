import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { countAttempt, loggedIn } from '#platform/auth/login-throttle.ts';
import type { Attempt } from '#platform/auth/login-throttle.ts';
import { verifyPassword } from '#platform/auth/password.ts';
import { twoFactorOf, verifyTwoFactor } from '#platform/auth/two-factor.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const own = systemScope('own account');

/**
 * The attempt of a user to prove the password. Attempts from all sessions of an account are counted
 * together.
 */
export const attemptOf = (actor: Actor, request: RequestContext, at: Date): Attempt => ({
  username: actor.username.toLowerCase(),
  address: request.address,
  at,
  known_as: loggedIn,
});

/**
 * Fails at `field` if `password` is not the actor's. Counts the attempt; the caller clears it when
 * everything else is right. Returns the hash with which the password was compared.
 */
export const provePassword = async (
  app: App,
  actor: Actor,
  attempt: Attempt,
  { field, password }: { field: 'current' | 'password'; password: string },
): Promise<string> => {
  const stored = await app.db.tx(own, async (work) => {
    await countAttempt(work, attempt);
    return (await lockRow(work, 'accounts', actor.account_id)).password_hash;
  });
  if (!(await verifyPassword(password, stored)))
    failFields({ [field]: { code: 'password_wrong' } });
  return stored;
};

/**
 * Fails unless the actor's hash is still `stored`, with which the password was compared, and the
 * session still exists. A reset in between therefore ends a request that began before it. Locks the
 * account.
 */
export const requireStillProved = async (
  work: Work,
  actor: Actor,
  stored: string,
): Promise<void> => {
  const { password_hash } = await lockRow(work, 'accounts', actor.account_id);
  const { rows } = await sql`select from sessions where id = ${actor.session_id}
    for key share`.execute(work.tx);
  if (rows.length === 0) fail('not_logged_in');
  if (password_hash !== stored) failFields({ password: { code: 'password_wrong' } });
};

interface Code {
  account_id: number;
  otp: string;
  now: Date;
}

/** Fails at the field `otp` unless it is a valid code of the account. The code is then used up. */
export const proveCode = async (work: Work, app: App, code: Code): Promise<void> => {
  if (!(await verifyTwoFactor(work, app.secrets, code)))
    failFields({ otp: { code: 'second_factor_wrong' } });
};

/**
 * Does the same as `proveCode` if the account has two-factor authentication. Fails at the field if
 * the code is missing.
 */
export const proveCodeIfOn = async (work: Work, app: App, code: Code): Promise<void> => {
  const factor = await twoFactorOf(work, code.account_id);
  if (!factor?.confirmed_at) return;
  if (code.otp.trim() === '') failFields({ otp: { code: 'otp_required' } });
  await proveCode(work, app, code);
};
