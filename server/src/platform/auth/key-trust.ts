import type { Changes } from '#platform/audit.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { mayWork } from './sessions.ts';

/**
 * SQL that is true if the account `m` may work and may manage the account `a`. That is the case for
 * a super admin or an admin, for the manager of `a`'s station, and for a partner whose station is
 * that station or above it.
 */
export const manages = sql<boolean>`(m.status = 1
  and not exists (select 1 from stations s where s.id = m.station_id and s.status = 0)
  and case m.role when 'super' then true when 'admin' then true
    when 'station' then m.station_id = a.station_id
    when 'partner' then m.station_id in (
      with recursive above as (select s.id, s.parent_id from stations s where s.id = a.station_id
        union all select s.id, s.parent_id from stations s join above b on s.id = b.parent_id)
      select id from above)
    else false end)`;

/**
 * SQL that is true if the API key `k` may be used. Its account `a` and the account's station `t`,
 * if any, must be enabled. The account's role and station must be those at the time when the key
 * was made. The key's maker `m` must be the account itself or still manage it.
 */
export const isTrusted = sql<boolean>`(${mayWork} and a.role <> 'super'
  and a.role = k.role and a.station_id is not distinct from k.station_id
  and (m.id = a.id or ${manages}))`;

/** The fields of a revoked API key that its audit entry needs. */
export interface EndedKey {
  id: number;
  name: string;
  hint: string;
  account_id: number;
  station_id: number | null;
}

/**
 * Revokes all valid keys of an account. If `made` is true, also revokes the keys that the account
 * made for others, because a person who uses the account may know them. `by` is null for the
 * command line. The caller writes the audit entries.
 */
export const endKeys = async (
  work: Work,
  account_id: number,
  { by, now, made }: { by: number | null; now: Date; made: boolean },
): Promise<EndedKey[]> =>
  (
    await sql<EndedKey>`update api_keys set revoked_at = ${now}, revoked_by = ${by}
      where (account_id = ${account_id} or ${made} and made_by = ${account_id})
        and revoked_at is null
        and (expires_at is null or expires_at > ${now})
      returning id, name, hint, account_id, station_id`.execute(work.tx)
  ).rows;

/** Returns the changes for the audit log when a key ends. */
export const changesOfEnd = ({
  id,
  name,
  hint,
}: Pick<EndedKey, 'id' | 'name' | 'hint'>): Changes => ({
  key: [name, null],
  key_id: [id, null],
  hint: [hint, null],
});
