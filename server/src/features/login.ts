import type { InputOf } from '@waystation/contract/endpoint.ts';
import type { login } from '@waystation/contract/session.ts';
import type { App } from '#app.ts';
import { verifyNothing, verifyPassword } from '#platform/auth/password.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/** Failed tries within the window, per account name and per address (requirements §5, docs/operating.md). */
const window = { minutes: 15, perAccount: 5, perAddress: 10 };
const scope = systemScope('login');

interface AccountRow {
  id: number;
  status: 0 | 1;
  password_hash: string;
  station_status: 0 | 1;
}

/** Seconds until the next try is heard, 0 when it may be now. */
const waitFor = async (tx: Tx, username: string, address: string, now: Date): Promise<number> => {
  const since = new Date(now.getTime() - window.minutes * 60_000);
  const { rows } = await sql<{ until: Date | null }>`
    select max(at) as until from (
      (select at, count(*) over () as tries, row_number() over (order by at desc) as nth from login_failures where username = ${username} and at > ${since}) union all
      (select at, count(*) over () + ${window.perAccount - window.perAddress}, row_number() over (order by at desc) + ${window.perAccount - window.perAddress}
        from login_failures where address = ${address} and at > ${since})) t
    where tries >= ${window.perAccount} and nth = ${window.perAccount}`.execute(tx);
  const until = rows[0]?.until;
  return until ? Math.max(0, Math.ceil((until.getTime() + window.minutes * 60_000 - now.getTime()) / 1000)) : 0;
};

const accountNamed = async (tx: Tx, username: string): Promise<AccountRow | undefined> => {
  const { rows } = await sql<AccountRow>`select a.id, a.status, a.password_hash, coalesce(s.status, 1) as station_status
    from accounts a left join stations s on s.id = a.station_id where lower(a.username) = ${username}`.execute(tx);
  return rows[0];
};

/**
 * Opens a session. An unknown name and a wrong password look and take alike; tries are counted over all processes before the password is looked at,
 * and successes are not counted.
 */
export const logIn = async (app: App, _actor: null, input: InputOf<typeof login>, request: RequestContext): Promise<{ access_token: string }> => {
  const now = app.clock.now();
  const username = input.username.toLowerCase();
  const account = await app.db.tx(scope, async (tx) => {
    // One try at a time per name and per address: guesses sent side by side are counted as if one after another.
    await sql`select pg_advisory_xact_lock(hashtextextended(${username}, 11))`.execute(tx);
    await sql`select pg_advisory_xact_lock(hashtextextended(${request.address}, 12))`.execute(tx);
    const seconds = await waitFor(tx, username, request.address, now);
    if (seconds > 0) fail('login_throttled', { seconds }, { retryAfter: seconds });
    // Counted as failed until the password proves right.
    await sql`insert into login_failures (username, address, at) values (${username}, ${request.address}, ${now})`.execute(tx);
    return accountNamed(tx, username);
  });
  const right = account ? await verifyPassword(input.password, account.password_hash) : await verifyNothing(input.password);
  if (!account || !right) return fail('login_failed');
  await app.db.tx(scope, (tx) => forgetTry(tx, username, request.address, now));
  if (account.status !== 1) fail('account_disabled');
  if (account.station_status !== 1) fail('station_disabled');
  return app.db.tx(scope, async (tx) => {
    const access_token = await openSession(tx, {
      account_id: account.id,
      address: request.address,
      user_agent: request.user_agent,
      now,
      limits: app.config.session,
    });
    await sql`insert into audit_log (at, account_id, account_name, role, address, request_id, action, subject, subject_id)
      select ${now}, id, username, role, ${request.address}, ${request.request_id}, 'login', 'accounts', id from accounts where id = ${account.id}`.execute(tx);
    return { access_token };
  });
};

/** The password was right: this try was none. */
const forgetTry = async (tx: Tx, username: string, address: string, at: Date): Promise<void> => {
  await sql`delete from login_failures where id = (select id from login_failures where username = ${username} and address = ${address} and at = ${at} limit 1)`.execute(
    tx,
  );
};
