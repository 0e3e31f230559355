import type { ErrorCode } from '@waystation/contract/errors.ts';
import type { InputOf } from '@waystation/contract/endpoint.ts';
import type { login } from '@waystation/contract/session.ts';
import type { App } from '#app.ts';
import { verifyNothing, verifyPassword } from '#platform/auth/password.ts';
import { countTry, forgetTry } from '#platform/auth/guessing.ts';
import type { Try } from '#platform/auth/guessing.ts';
import { takeSecondStep } from '#platform/auth/second-factor.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const scope = systemScope('login');

interface AccountRow {
  id: number;
  status: 0 | 1;
  password_hash: string;
  station_status: 0 | 1;
  second_factor: 0 | 1;
}

const accountNamed = async (tx: Tx, username: string): Promise<AccountRow | undefined> => {
  const { rows } =
    await sql<AccountRow>`select a.id, a.status, a.password_hash, coalesce(s.status, 1) as station_status, (f.confirmed_at is not null)::int as second_factor
    from accounts a left join stations s on s.id = a.station_id left join second_factors f on f.account_id = a.id where lower(a.username) = ${username}`.execute(
      tx,
    );
  return rows[0];
};

/** What only somebody who knows the password is told in place of being let in. */
const obstacle = ({ status, station_status, second_factor }: AccountRow, otp: string): ErrorCode | null => {
  if (status !== 1) return 'account_disabled';
  if (station_status !== 1) return 'station_disabled';
  return second_factor === 1 && otp === '' ? 'second_factor_required' : null;
};

/** Notes the login at the account as it was judged, which holds it; throws where it was disabled, or its password changed, since. */
const arrive = async (tx: Tx, { id, password_hash }: AccountRow, now: Date): Promise<void> => {
  const { rows } =
    await sql`update accounts set last_seen_at = ${now} where id = ${id} and status = 1 and password_hash = ${password_hash} returning id`.execute(tx);
  if (rows.length === 0) fail('login_failed');
};

/**
 * Opens a session. An unknown name and a wrong password look and take alike; tries are counted over all processes before the password is looked at,
 * a wrong code of the second step as much as a wrong password; successes are not counted.
 */
export const logIn = async (app: App, _actor: null, input: InputOf<typeof login>, request: RequestContext): Promise<{ access_token: string }> => {
  const now = app.clock.now();
  const given: Try = { username: input.username.toLowerCase(), address: request.address, at: now };
  const otp = (input.otp ?? '').trim();
  const account = await app.db.tx(scope, async (tx) => {
    await countTry(tx, given);
    return accountNamed(tx, given.username);
  });
  const right = account ? await verifyPassword(input.password, account.password_hash) : await verifyNothing(input.password);
  if (!account || !right) return fail('login_failed');
  const why = obstacle(account, otp);
  if (why) {
    await app.db.tx(scope, (tx) => forgetTry(tx, given));
    return fail(why);
  }
  return app.db.tx(scope, async (tx) => {
    await arrive(tx, account, now);
    const step = account.second_factor === 1 ? await takeSecondStep(tx, app.secrets, account.id, otp, now) : null;
    if (account.second_factor === 1 && !step) fail('second_factor_wrong');
    await forgetTry(tx, given);
    const access_token = await openSession(tx, {
      account_id: account.id,
      address: request.address,
      user_agent: request.user_agent,
      now,
      limits: app.config.session,
    });
    await sql`insert into audit_log (at, account_id, account_name, role, address, request_id, action, subject, subject_id, station_id, reason)
      select ${now}, id, username, role, ${request.address}, ${request.request_id}, 'login', 'accounts', id, station_id, ${step === 'recovery' ? 'recovery code' : ''}
      from accounts where id = ${account.id}`.execute(tx);
    return { access_token };
  });
};
