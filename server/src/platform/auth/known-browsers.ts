import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { createToken, hashToken } from './actor.ts';

/** Days in which a browser counts as known after its last login. */
export const knownDays = 30;
/**
 * The largest number of known browsers of one account. Only the latest are kept, because a client
 * without cookies adds one at every login.
 */
const mostBrowsers = 20;

const since = (now: Date): Date => daysBefore(now, knownDays);

/**
 * Returns the hash of the browser's id if this browser has logged in to the account within 30 days;
 * otherwise null. `username` is in lower case.
 */
export const knownBrowser = async (
  work: Work,
  username: string,
  id: string | null,
  now: Date,
): Promise<Buffer | null> => {
  if (id === null) return null;
  const { rows } = await sql<RowOf<'known_browsers', 'id_hash'>>`select b.id_hash
    from known_browsers b join accounts a on a.id = b.account_id
    where b.id_hash = ${hashToken(id)} and lower(a.username) = ${username}
      and b.last_login_at > ${since(now)}`.execute(work.tx);
  return rows[0]?.id_hash ?? null;
};

/**
 * Stores a login and returns the browser's new id, of which only the hash is stored. The id changes
 * at every login, so that an attacker cannot give a browser a known id. The new id is also stored
 * for the browser's other accounts and its failed attempts.
 */
export const rememberBrowser = async (
  work: Work,
  account_id: number,
  id: string | null,
  now: Date,
): Promise<string> => {
  const renewed = createToken();
  const hash = hashToken(renewed);
  if (id !== null) {
    await work.tx
      .updateTable('known_browsers')
      .set({ id_hash: hash })
      .where('id_hash', '=', hashToken(id))
      .execute();
    // Failed attempts are counted for the new id too. Otherwise a user could log in to one account,
    // get a new id each time, and guess another account's password without limit.
    await work.tx
      .updateTable('login_failures')
      .set({ known_as: hash })
      .where('known_as', '=', hashToken(id))
      .execute();
  }
  await sql`insert into known_browsers (account_id, id_hash, last_login_at)
    values (${account_id}, ${hash}, ${now})
    on conflict (account_id, id_hash) do update
      set last_login_at = excluded.last_login_at`.execute(work.tx);
  await sql`delete from known_browsers where account_id = ${account_id} and id_hash not in
    (select id_hash from known_browsers where account_id = ${account_id}
      order by last_login_at desc limit ${mostBrowsers})`.execute(work.tx);
  return renewed;
};

/** Removes all known browsers of the account, except the browser that set the new password. */
export const forgetBrowsers = async (
  work: Work,
  account_id: number,
  keep: string | null = null,
): Promise<void> => {
  await sql`delete from known_browsers where account_id = ${account_id}
    and id_hash is distinct from ${keep === null ? null : hashToken(keep)}`.execute(work.tx);
};

/** Removes expired known browsers. */
export const removeOldBrowsers = async (work: Work, now: Date): Promise<void> => {
  await work.tx.deleteFrom('known_browsers').where('last_login_at', '<=', since(now)).execute();
};
