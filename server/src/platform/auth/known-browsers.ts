import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { createToken, hashToken } from './actor.ts';

/** A browser counts as known for so long after its last login. */
export const knownDays = 30;
/** Browsers of one account that are kept, the latest first: a client without cookies leaves one more at every login. */
const mostBrowsers = 20;

const since = (now: Date): Date => daysBefore(now, knownDays);

/** The hash of the browser's id where it has logged in to the account of this name (lower case) within 30 days, else null: a stranger. */
export const knownBrowser = async (tx: Tx, username: string, id: string | null, now: Date): Promise<Buffer | null> => {
  if (id === null) return null;
  const { rows } = await sql<RowOf<'known_browsers', 'id_hash'>>`select b.id_hash from known_browsers b join accounts a on a.id = b.account_id
    where b.id_hash = ${hashToken(id)} and lower(a.username) = ${username} and b.last_login_at > ${since(now)}`.execute(tx);
  return rows[0]?.id_hash ?? null;
};

/**
 * Notes a login and answers the browser's new id, which is never stored. The id changes at every login, so that nobody can plant one that they know;
 * other accounts that this browser has logged in to, and its failed attempts at them, follow the change.
 */
export const rememberBrowser = async (tx: Tx, account_id: number, id: string | null, now: Date): Promise<string> => {
  const renewed = createToken();
  const hash = hashToken(renewed);
  if (id !== null) {
    await tx.updateTable('known_browsers').set({ id_hash: hash }).where('id_hash', '=', hashToken(id)).execute();
    // Otherwise a user of one account could guess at another one without limit, with a new id after every login.
    await tx.updateTable('login_failures').set({ known_as: hash }).where('known_as', '=', hashToken(id)).execute();
  }
  await sql`insert into known_browsers (account_id, id_hash, last_login_at) values (${account_id}, ${hash}, ${now})
    on conflict (account_id, id_hash) do update set last_login_at = excluded.last_login_at`.execute(tx);
  await sql`delete from known_browsers where account_id = ${account_id} and id_hash not in
    (select id_hash from known_browsers where account_id = ${account_id} order by last_login_at desc limit ${mostBrowsers})`.execute(tx);
  return renewed;
};

/** With another password every browser is a stranger again, but the one that set it. */
export const forgetBrowsers = async (tx: Tx, account_id: number, keep: string | null = null): Promise<void> => {
  await sql`delete from known_browsers where account_id = ${account_id} and id_hash is distinct from ${keep === null ? null : hashToken(keep)}`.execute(tx);
};

/** Forgets what counts no more. */
export const removeOldBrowsers = async (tx: Tx, now: Date): Promise<void> => {
  await tx.deleteFrom('known_browsers').where('last_login_at', '<=', since(now)).execute();
};
