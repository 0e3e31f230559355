import { timingSafeEqual } from 'node:crypto';
import { mostResetMails, resetMinutes } from '@waystation/contract/base/limits.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { createToken, hashToken } from '#platform/auth/actor.ts';
import { mayWork } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';

const [minute, hour] = [60_000, 3_600_000];

/**
 * SQL that is true if the account `a` may set a forgotten password with the mailbox `c`. `t` is the
 * account's station, if it has one. A super admin never may, because the mailbox would then control
 * the whole network (requirements §10.8.87).
 */
const maySet = sql<boolean>`(c.kind = 'mail' and c.status = 'live' and c.resets_password
  and a.role <> 'super' and ${mayWork})`;

/** A newly issued link: the token is never stored. */
export interface IssuedReset {
  token: string;
  channel_id: number;
  address: Buffer;
  language: Language;
  username: string;
  station_id: number | null;
}

type Mailbox = Omit<IssuedReset, 'token'> &
  Pick<RowOf<'notice_channels', 'reset_from' | 'reset_mailed'>, 'reset_from' | 'reset_mailed'>;

/**
 * Issues a reset link for an account. It replaces an older link. Null if the account has no mailbox
 * for reset links, or if the hourly limit of emails is reached.
 */
export const issueReset = async (
  work: Work,
  account_id: number,
  now: Date,
): Promise<IssuedReset | null> => {
  const { rows } = await sql<Mailbox>`select c.id as channel_id, c.address, c.language, a.username,
      a.station_id, c.reset_from, c.reset_mailed
    from notice_channels c join accounts a on a.id = c.account_id
      left join stations t on t.id = a.station_id
    where c.account_id = ${account_id} and ${maySet} order by c.id desc limit 1
    for update of c`.execute(work.tx);
  const [found] = rows;
  if (!found) return null;
  const { reset_from, reset_mailed, ...mailbox } = found;
  const isFresh = reset_from !== null && reset_from.getTime() > now.getTime() - hour;
  if (isFresh && reset_mailed >= mostResetMails) return null;
  const token = createToken();
  await sql`update notice_channels c set reset_hash = ${hashToken(token)},
      reset_until = ${new Date(now.getTime() + resetMinutes * minute)},
      reset_issued_at = a.password_changed_at, reset_from = ${isFresh ? reset_from : now},
      reset_mailed = ${isFresh ? reset_mailed + 1 : 1}
    from accounts a where a.id = c.account_id and c.id = ${mailbox.channel_id}`.execute(work.tx);
  return { token, ...mailbox };
};

/** The account for which a reset link was issued. */
export interface ResetOf {
  account_id: number;
  channel_id: number;
  username: string;
  station_name: string | null;
  is_open: boolean;
}

/**
 * The account of a reset token; null if the link was used or replaced, or never existed. `is_open`
 * is true if the link has not expired and the mailbox and password are unchanged. Needs a
 * transaction that sees all accounts.
 */
export const resetOf = async (work: Work, token: string, now: Date): Promise<ResetOf | null> => {
  const token_hash = hashToken(token);
  const { rows } = await sql<ResetOf & { token_hash: Buffer }>`select c.account_id,
      c.id as channel_id, c.reset_hash as token_hash, a.username, t.name as station_name,
      (${maySet} and c.reset_until > ${now} and c.reset_issued_at = a.password_changed_at)
        as is_open
    from notice_channels c join accounts a on a.id = c.account_id
      left join stations t on t.id = a.station_id
    where c.reset_hash = ${token_hash}`.execute(work.tx);
  const [row] = rows;
  return row && timingSafeEqual(row.token_hash, token_hash) ? row : null;
};

/** Removes the reset link of a mailbox, because the link was used. */
export const removeReset = async (work: Work, channel_id: number): Promise<void> => {
  await sql`update notice_channels set reset_hash = null, reset_until = null
    where id = ${channel_id}`.execute(work.tx);
};

/** The mailbox that gets an email about a changed password; null if the mailbox was removed. */
export const mailboxOf = async (
  work: Work,
  channel_id: number,
): Promise<Pick<IssuedReset, 'address' | 'language' | 'username'> | null> =>
  (
    await sql<Pick<IssuedReset, 'address' | 'language' | 'username'>>`select c.address, c.language,
        a.username from notice_channels c join accounts a on a.id = c.account_id
      where c.id = ${channel_id} and c.kind = 'mail' and c.address is not null`.execute(work.tx)
  ).rows[0] ?? null;
