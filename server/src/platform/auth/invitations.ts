import { timingSafeEqual } from 'node:crypto';
import { invitationHours, mostInvitationMails } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { createToken, hashToken } from './actor.ts';
import { manages } from './key-trust.ts';

const hour = 3_600_000;

/**
 * SQL that is true if the link of the invitation `i` can be used. The account `a` and its station
 * `s`, if any, must be enabled. The account's role, station and password must be those at the time
 * when the link was made.
 */
const isOpen = (now: Date) => sql<boolean>`(i.expires_at > ${now} and a.status = 1
  and coalesce(s.status, 1) = 1 and i.role = a.role
  and i.station_id is not distinct from a.station_id and i.issued_at = a.password_changed_at)`;

/** SQL for the state of an invitation `i`, as users see it; null if there is no invitation. */
export const invitationState = (now: Date) => sql<'open' | 'ended' | null>`case
  when i.account_id is null then null when ${isOpen(now)} then 'open' else 'ended' end`;

/** A new link for an invitation. Its token is never stored. */
export interface IssuedInvitation {
  token: string;
  expires_at: Date;
}

interface Issue {
  account_id: number;
  by: number;
  now: Date;
  /** True if the link is sent by mail, which counts towards the manager's limit. */
  isMailed: boolean;
}

/**
 * Throws if the manager has reached the limit of mailed links per hour, which is counted for all
 * processes together.
 */
const requireRoomToMail = async (work: Work, { by, now }: Issue): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`invitations of ${by}`}, 13))`.execute(
    work.tx,
  );
  const { rows } = await sql<{ mailed: number }>`select coalesce(sum(mailed), 0)::int as mailed
    from account_invitations where made_by = ${by}
      and mailed_from > ${new Date(now.getTime() - hour)}`.execute(work.tx);
  if ((rows[0]?.mailed ?? 0) >= mostInvitationMails)
    fail('too_many_invitation_mails', { limit: mostInvitationMails });
};

/**
 * Creates an invitation link for an account; an older link of the account becomes invalid. Before
 * this call, the caller has set the account's password to a random one at the time `now`.
 */
export const issueInvitation = async (work: Work, issue: Issue): Promise<IssuedInvitation> => {
  const { account_id, by, now, isMailed } = issue;
  if (isMailed) await requireRoomToMail(work, issue);
  const token = createToken();
  const expires_at = new Date(now.getTime() + invitationHours * hour);
  await sql`insert into account_invitations (account_id, token_hash, made_by, role, station_id,
      issued_at, expires_at, mailed_from, mailed)
    select id, ${hashToken(token)}, ${by}, role, station_id, ${now}, ${expires_at},
      ${isMailed ? now : null}, ${isMailed ? 1 : 0} from accounts where id = ${account_id}
    on conflict (account_id) do update set token_hash = excluded.token_hash,
      made_by = excluded.made_by, role = excluded.role, station_id = excluded.station_id,
      issued_at = excluded.issued_at, expires_at = excluded.expires_at,
      mailed = excluded.mailed + case when account_invitations.mailed_from
        > ${new Date(now.getTime() - hour)} then account_invitations.mailed else 0 end,
      mailed_from = case when account_invitations.mailed_from
        > ${new Date(now.getTime() - hour)} then account_invitations.mailed_from
        else excluded.mailed_from end`.execute(work.tx);
  return { token, expires_at };
};

/** The account that a link was issued for. */
export interface Invited {
  account_id: number;
  username: string;
  station_name: string | null;
  is_open: boolean;
}

/**
 * Returns the invitation with this token. It is open while the account that made it still manages
 * the invited account. Null if the invitation was used, was replaced or never existed. The
 * transaction must be able to see all accounts.
 */
export const invitationOf = async (
  work: Work,
  token: string,
  now: Date,
): Promise<Invited | null> => {
  const token_hash = hashToken(token);
  const { rows } = await sql<Invited & { token_hash: Buffer }>`select i.account_id, i.token_hash,
      a.username, s.name as station_name, (${isOpen(now)} and ${manages}) as is_open
    from account_invitations i join accounts a on a.id = i.account_id
      join accounts m on m.id = i.made_by left join stations s on s.id = a.station_id
    where i.token_hash = ${token_hash}`.execute(work.tx);
  const [row] = rows;
  return row && timingSafeEqual(row.token_hash, token_hash) ? row : null;
};

/**
 * Ends the invitation links that an account has made. If `own` is true, also ends the link of the
 * account itself. Users still see these links, with the state "ended". The transaction must be able
 * to see all accounts.
 */
export const expireInvitations = async (
  work: Work,
  account_id: number,
  { now, own }: { now: Date; own: boolean },
): Promise<void> => {
  await sql`update account_invitations set expires_at = least(expires_at, ${now})
    where made_by = ${account_id} or (${own} and account_id = ${account_id})`.execute(work.tx);
};

/** Removes the invitation link of an account that now has a password. */
export const removeInvitation = async (work: Work, account_id: number): Promise<void> => {
  await work.tx.deleteFrom('account_invitations').where('account_id', '=', account_id).execute();
};
