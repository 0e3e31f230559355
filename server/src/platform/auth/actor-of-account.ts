import type { Role } from '@waystation/contract/base/roles.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Actor } from './actor.ts';

const noToken = Buffer.alloc(0);

/**
 * Returns the same actor as `actorOfAccount`, read in an open transaction that sees all accounts
 * and stations.
 */
export const readActor = async (work: Work, account_id: number): Promise<Actor | null> => {
  const { rows } = await sql<{
    username: string;
    nickname: string;
    role: Role;
    station_id: number | null;
    made_under: number | null;
    may_export: 0 | 1;
    stations: number[];
  }>`
      select a.username, a.nickname, a.role, a.station_id, a.made_under, a.may_export,
        case when a.role = 'partner' then array(
            with recursive below as (select a.station_id as id union all select c.id
              from stations c join below b on c.parent_id = b.id)
            select id from below)
          when a.station_id is null then '{}' else array[a.station_id] end as stations
      from accounts a left join stations t on t.id = a.station_id
      where a.id = ${account_id} and a.status = 1 and coalesce(t.status, 1) = 1`.execute(work.tx);
  return rows[0]
    ? {
        account_id,
        ...rows[0],
        token_hash: noToken,
        session_id: 0,
        must_change: 0,
        needs_second_factor: 0,
      }
    : null;
};

/**
 * Returns an account with its present rights, for work in its name outside a request. Returns null
 * if the account or its station is disabled or deleted.
 */
export const actorOfAccount = (db: Db, account_id: number): Promise<Actor | null> =>
  db.tx(systemScope('who asked for this job'), (work) => readActor(work, account_id));
