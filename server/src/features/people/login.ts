import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type { InputOf } from '@waystation/contract/base/endpoint.ts';
import type { login } from '@waystation/contract/people/session.ts';
import type { App } from '#app.ts';
import { verifyNothing, verifyPassword } from '#platform/auth/password.ts';
import { knownBrowser, rememberBrowser } from '#platform/auth/known-browsers.ts';
import { clearAttempt, countAttempt } from '#platform/auth/login-throttle.ts';
import type { Attempt } from '#platform/auth/login-throttle.ts';
import { verifyTwoFactor } from '#platform/auth/two-factor.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure, fail } from '#platform/fail.ts';
import { countRefusal } from '#platform/refused-calls.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { installationOf, loginPath } from './installations.ts';

const scope = systemScope('login');

interface AccountRow {
  id: number;
  status: 0 | 1;
  password_hash: string;
  station_status: 0 | 1;
  second_factor: 0 | 1;
}

const accountNamed = async (work: Work, username: string): Promise<AccountRow | undefined> => {
  const { rows } = await sql<AccountRow>`select a.id, a.status, a.password_hash,
      coalesce(s.status, 1) as station_status,
      (f.confirmed_at is not null)::int as second_factor
    from accounts a left join stations s on s.id = a.station_id left
      join two_factor_secrets f on f.account_id = a.id
      where lower(a.username) = ${username}`.execute(work.tx);
  return rows[0];
};

/** The reason why a login is refused although the password is right; null if it is not refused. */
const obstacle = (
  { status, station_status, second_factor }: AccountRow,
  otp: string,
): ErrorCode | null => {
  if (status !== 1) return 'account_disabled';
  if (station_status !== 1) return 'station_disabled';
  return second_factor === 1 && otp === '' ? 'second_factor_required' : null;
};

/**
 * Stores the login in the account's locked row. Fails if the account was disabled, or its password
 * changed, after it was checked.
 */
const arrive = async (work: Work, { id, password_hash }: AccountRow, now: Date): Promise<void> => {
  const rows = await work.tx
    .updateTable('accounts')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('status', '=', 1)
    .where('password_hash', '=', password_hash)
    .returning('id')
    .execute();
  if (rows.length === 0) fail('login_failed');
};

/**
 * Counts the attempt as a failed one. A browser that has logged in to the account before has
 * attempts of its own.
 */
const beginAttempt = (
  app: App,
  username: string,
  request: RequestContext,
  at: Date,
): Promise<{ attempt: Attempt; account: AccountRow | undefined }> =>
  app.db.tx(scope, async (work) => {
    const attempt = {
      username,
      address: request.address,
      at,
      known_as: await knownBrowser(work, username, request.browser, at),
    };
    await countAttempt(work, attempt);
    return { attempt, account: await accountNamed(work, username) };
  });

/** Completes a login and returns its session; throws if the verification code is wrong. */
const letIn = (
  app: App,
  account: AccountRow,
  { otp, attempt }: { otp: string; attempt: Attempt },
  request: RequestContext,
): Promise<{ access_token: string; browser: string }> =>
  app.db.tx(scope, async (work) => {
    const now = attempt.at;
    await arrive(work, account, now);
    const step =
      account.second_factor === 1
        ? await verifyTwoFactor(work, app.secrets, { account_id: account.id, otp, now })
        : null;
    if (account.second_factor === 1 && !step) fail('second_factor_wrong');
    await clearAttempt(work, attempt);
    const access_token = await openSession(work, {
      account_id: account.id,
      address: request.address,
      user_agent: request.user_agent,
      now,
      limits: app.config.session,
    });
    await sql`insert into audit_log (at, account_id, account_name, role, address, request_id,
      action, subject, subject_id, station_id, reason)
      select ${now}, id, username, role, ${request.address}, ${request.request_id}, 'login',
        'accounts', id, station_id, ${step === 'recovery' ? 'recovery code' : ''}
      from accounts where id = ${account.id}`.execute(work.tx);
    return { access_token, browser: await rememberBrowser(work, account.id, request.browser, now) };
  });

/**
 * The id of the account with the typed username, or 0 if it is unknown. The text itself is not
 * stored, because it may be a password.
 */
const triedAccount = (app: App, username: string): Promise<number> =>
  app.db.tx(scope, async (work) => (await accountNamed(work, username))?.id ?? 0).catch(() => 0);

/** The errors after a right password, which are not counted as failed logins. */
const notCounted: readonly ErrorCode[] = ['second_factor_required', 'account_elsewhere'];

/**
 * True if the password is right for the username. Counts a wrong password as a failed attempt, like
 * a login from an unknown browser. Throws `login_throttled` after too many attempts.
 */
export const knowsPassword = async (
  app: App,
  typed: { username: string; password: string; address: string },
): Promise<boolean> => {
  const at = app.clock.now();
  const username = typed.username.toLowerCase();
  const attempt = { username, address: typed.address, at, known_as: null };
  const account = await app.db.tx(scope, async (work) => {
    await countAttempt(work, attempt);
    return accountNamed(work, username);
  });
  const right = await (account
    ? verifyPassword(typed.password, account.password_hash)
    : verifyNothing(typed.password));
  if (!account || !right) {
    // Counted for unknown names too: otherwise the time of the answer would show where a name has
    // its account.
    await countRefusal(app.db, app.log, {
      action: 'login_failed',
      address: typed.address,
      account_id: account?.id ?? 0,
      key_id: 0,
      at,
      call: `POST ${loginPath}`,
    });
    return false;
  }
  await app.db.tx(scope, (work) => clearAttempt(work, attempt));
  return true;
};

/**
 * Opens a session. An unknown name and a wrong password get the same answer in the same time.
 * Attempts are counted across all processes, before the password is checked. A wrong verification
 * code counts like a wrong password; a successful login does not count. All refusals are summed for
 * the audit log.
 */
export const logIn = async (
  app: App,
  _actor: null,
  input: InputOf<typeof login>,
  request: RequestContext,
): Promise<{ access_token: string }> => {
  const at = app.clock.now();
  const username = input.username.toLowerCase();
  const otp = (input.otp ?? '').trim();
  try {
    const { attempt, account } = await beginAttempt(app, username, request, at);
    const right = account
      ? await verifyPassword(input.password, account.password_hash)
      : await verifyNothing(input.password);
    if (!account || !right) {
      const { password } = input;
      const { address } = request;
      const { url, away } = await installationOf(app, { username, password, address });
      if (url === null) return fail(away ? 'login_failed_or_away' : 'login_failed');
      await app.db.tx(scope, (work) => clearAttempt(work, attempt));
      return fail('account_elsewhere', { url });
    }
    const why = obstacle(account, otp);
    if (why) {
      await app.db.tx(scope, (work) => clearAttempt(work, attempt));
      return fail(why);
    }
    const { access_token, browser } = await letIn(app, account, { otp, attempt }, request);
    request.nameBrowser(browser);
    return { access_token };
  } catch (error) {
    if (error instanceof Failure && !notCounted.includes(error.code))
      await countRefusal(app.db, request.log, {
        action: 'login_failed',
        address: request.address,
        account_id: await triedAccount(app, username),
        key_id: 0,
        at,
        call: request.call,
      });
    throw error;
  }
};
