import type { Role } from '@waystation/contract/base/roles.ts';
import type { AccountSession } from '@waystation/contract/people/account.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createToken, hashToken } from './actor.ts';
import type { Actor } from './actor.ts';
import { lacksSecondFactor } from './two-factor-duty.ts';

export interface SessionLimits {
  idleMinutes: number;
  absoluteHours: number;
}

const minute = 60_000;

/** Opens a session and returns its token, which is never stored. */
export const openSession = async (
  work: Work,
  session: {
    account_id: number;
    address: string;
    user_agent: string;
    now: Date;
    limits: SessionLimits;
  },
): Promise<string> => {
  const token = createToken();
  const expires = new Date(session.now.getTime() + session.limits.absoluteHours * 3_600_000);
  await work.tx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      account_id: session.account_id,
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: expires,
      address: session.address,
      user_agent: session.user_agent.slice(0, 300),
    })
    .execute();
  return token;
};

export const endSession = async (work: Work, token: string): Promise<void> => {
  await work.tx.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
};

/**
 * Ends every session of the account, except the one with the id `keep`. Returns the number of ended
 * sessions.
 */
export const endSessions = async (
  work: Work,
  account_id: number,
  keep: number | null = null,
): Promise<number> => {
  const { rows } = await sql`delete from sessions where account_id = ${account_id}
    and id is distinct from ${keep} returning id`.execute(work.tx);
  return rows.length;
};

/** SQL that is true for a session that has neither expired nor been idle too long. */
export const isLive = (now: Date, limits: SessionLimits) =>
  sql<boolean>`expires_at > ${now}
    and last_seen_at > ${new Date(now.getTime() - limits.idleMinutes * minute)}`;

type Shown = Omit<AccountSession, 'created_at' | 'last_seen_at'> & {
  created_at: Date;
  last_seen_at: Date;
};

/** The sessions of an account, the latest first. */
export const sessionsOf = async (
  work: Work,
  account_id: number,
  current: number,
  { now, limits }: { now: Date; limits: SessionLimits },
): Promise<AccountSession[]> => {
  const { rows } = await sql<Shown>`select id, address, user_agent, created_at, last_seen_at,
    (id = ${current})::int as current
    from sessions where account_id = ${account_id} and ${isLive(now, limits)}
      order by current desc, last_seen_at desc, id desc`.execute(work.tx);
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }));
};

/** The columns of an account with the alias `a`, with its present rights. */
export const accountColumns = sql`a.must_change, (${lacksSecondFactor})::int as needs_second_factor,
  a.may_export, a.id as account_id, a.username,
  a.nickname, a.role, a.station_id, a.made_under,
  case a.role
    when 'partner' then array(
      with recursive below as (select a.station_id as id union all select c.id from stations c
        join below b on c.parent_id = b.id)
      select id from below)
    when 'super' then '{}' when 'admin' then '{}' else array[a.station_id] end as stations`;
const actorColumns = sql`s.id as session_id, ${accountColumns}`;
const actorTables = sql`sessions s join accounts a on a.id = s.account_id left
  join stations t on t.id = a.station_id`;
/**
 * A SQL condition on an account `a` and its station `t`: both are enabled, or the account is
 * enabled and has no station.
 */
export const mayWork = sql<boolean>`a.status = 1 and coalesce(t.status, 1) = 1`;

export interface SessionRow {
  session_id: number;
  must_change: 0 | 1;
  needs_second_factor: 0 | 1;
  may_export: 0 | 1;
  account_id: number;
  username: string;
  nickname: string;
  role: Role;
  station_id: number | null;
  made_under: number | null;
  stations: number[];
  stale: boolean;
}

/** Returns the query for the valid session with a token. */
export const sessionQuery = (
  token_hash: Buffer,
  now: Date,
  limits: SessionLimits,
): RawBuilder<SessionRow> => {
  const idleSince = new Date(now.getTime() - limits.idleMinutes * minute);
  const staleSince = new Date(now.getTime() - minute);
  return sql<SessionRow>`select ${actorColumns}, s.last_seen_at < ${staleSince} as stale
    from ${actorTables}
      where s.token_hash = ${token_hash} and s.expires_at > ${now}
        and s.last_seen_at > ${idleSince} and ${mayWork}`;
};

/** Stores that a session and its account were used. */
export const noteUse = (db: Db, token_hash: Buffer, account_id: number, now: Date): Promise<void> =>
  db.tx(systemScope('a session is used'), async (work) => {
    await work.tx
      .updateTable('sessions')
      .set({ last_seen_at: now })
      .where('token_hash', '=', token_hash)
      .execute();
    await work.tx
      .updateTable('accounts')
      .set({ last_seen_at: now })
      .where('id', '=', account_id)
      .execute();
  });

/**
 * Returns the actors of open sessions with their present rights, by session id. Ended or expired
 * sessions and disabled accounts are left out. The call does not count as use of a session.
 */
export const actorsOfSessions = async (
  db: Db,
  ids: readonly number[],
  { now, limits }: { now: Date; limits: SessionLimits },
): Promise<Map<number, Actor>> => {
  const rows = await db.rows(
    systemScope('who listens'),
    sql<Actor>`select ${actorColumns}, s.token_hash from ${actorTables}
      where s.id = any(${ids}::bigint[]) and s.expires_at > ${now}
        and s.last_seen_at > ${new Date(now.getTime() - limits.idleMinutes * minute)}
        and ${mayWork}`,
  );
  return new Map(rows.map((row) => [row.session_id, row]));
};
