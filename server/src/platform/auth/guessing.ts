import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

/** Failed tries within the window, per account name and per address (requirements §5, docs/operating.md). */
const window = { minutes: 15, perAccount: 5, perAddress: 10 };

/** One try at a secret: a password or a code, at the login or inside. `username` in lower case. */
export interface Try {
  username: string;
  address: string;
  at: Date;
}

/** Seconds until the next try is heard, 0 when it may be now. */
const waitFor = async (tx: Tx, { username, address, at }: Try): Promise<number> => {
  const since = new Date(at.getTime() - window.minutes * 60_000);
  const { rows } = await sql<{ until: Date | null }>`
    select max(at) as until from (
      (select at, count(*) over () as tries, row_number() over (order by at desc) as nth from login_failures where username = ${username} and at > ${since}) union all
      (select at, count(*) over () + ${window.perAccount - window.perAddress}, row_number() over (order by at desc) + ${window.perAccount - window.perAddress}
        from login_failures where address = ${address} and at > ${since})) t
    where tries >= ${window.perAccount} and nth = ${window.perAccount}`.execute(tx);
  const until = rows[0]?.until;
  return until ? Math.max(0, Math.ceil((until.getTime() + window.minutes * 60_000 - at.getTime()) / 1000)) : 0;
};

/**
 * Counts a try as failed before the secret is looked at, over all processes; throws `login_throttled` where there were too many.
 * Needs a transaction of its own that commits before the secret is judged. Who was right calls `forgetTry`.
 */
export const countTry = async (tx: Tx, given: Try): Promise<void> => {
  // One try at a time per name and per address: guesses sent side by side are counted as if one after another.
  await sql`select pg_advisory_xact_lock(hashtextextended(${given.username}, 11))`.execute(tx);
  await sql`select pg_advisory_xact_lock(hashtextextended(${given.address}, 12))`.execute(tx);
  const seconds = await waitFor(tx, given);
  if (seconds > 0) fail('login_throttled', { seconds }, { retryAfter: seconds });
  await sql`insert into login_failures (username, address, at) values (${given.username}, ${given.address}, ${given.at})`.execute(tx);
};

/** The secret was right: this try was none. */
export const forgetTry = async (tx: Tx, { username, address, at }: Try): Promise<void> => {
  await sql`delete from login_failures where id = (select id from login_failures where username = ${username} and address = ${address} and at = ${at} limit 1)`.execute(
    tx,
  );
};
