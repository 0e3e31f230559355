import type { Role } from '@waystation/contract/roles.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createToken, hashToken } from './actor.ts';
import type { Actor } from './actor.ts';

export interface SessionLimits {
  idleMinutes: number;
  absoluteHours: number;
}

/** Opens a session and returns its token, which is never stored. */
export const openSession = async (
  tx: Tx,
  session: { account_id: number; address: string; user_agent: string; now: Date; limits: SessionLimits },
): Promise<string> => {
  const token = createToken();
  const expires = new Date(session.now.getTime() + session.limits.absoluteHours * 3_600_000);
  await sql`insert into sessions (token_hash, account_id, created_at, last_seen_at, expires_at, address, user_agent)
    values (${hashToken(token)}, ${session.account_id}, ${session.now}, ${session.now}, ${expires}, ${session.address}, ${session.user_agent.slice(0, 300)})`.execute(
    tx,
  );
  return token;
};

export const endSession = async (tx: Tx, token: string): Promise<void> => {
  await sql`delete from sessions where token_hash = ${hashToken(token)}`.execute(tx);
};

interface SessionRow {
  account_id: number;
  username: string;
  nickname: string;
  role: Role;
  station_id: number | null;
  stations: number[];
  stale: boolean;
}

const minute = 60_000;

/** Who the token belongs to, or null: unknown, ended, idle too long, account or station disabled. One round trip; the session's last use is noted at most once a minute. */
export const actorOfToken = async (db: Db, token: string, now: Date, limits: SessionLimits): Promise<Actor | null> => {
  const token_hash = hashToken(token);
  const idleSince = new Date(now.getTime() - limits.idleMinutes * minute);
  const staleSince = new Date(now.getTime() - minute);
  return db.tx(systemScope('who is asking'), async (tx) => {
    const { rows } = await sql<SessionRow>`
      select a.id as account_id, a.username, a.nickname, a.role, a.station_id, s.last_seen_at < ${staleSince} as stale,
        case a.role
          when 'partner' then array(
            with recursive below as (select a.station_id as id union all select c.id from stations c join below b on c.parent_id = b.id)
            select id from below)
          when 'super' then '{}' when 'admin' then '{}' else array[a.station_id] end as stations
      from sessions s join accounts a on a.id = s.account_id left join stations t on t.id = a.station_id
      where s.token_hash = ${token_hash} and s.expires_at > ${now} and s.last_seen_at > ${idleSince}
        and a.status = 1 and coalesce(t.status, 1) = 1`.execute(tx);
    const row = rows[0];
    if (!row) return null;
    if (row.stale) {
      await sql`update sessions set last_seen_at = ${now} where token_hash = ${token_hash}`.execute(tx);
      await sql`update accounts set last_seen_at = ${now} where id = ${row.account_id}`.execute(tx);
    }
    const { stale: _, ...actor } = row;
    return { ...actor, token_hash };
  });
};
