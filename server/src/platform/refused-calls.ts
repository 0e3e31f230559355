import { oneRow, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';

const scope = systemScope('refused calls');

export type RefusalKind = 'login_failed' | 'call_forbidden' | 'row_not_found';

export interface Refusal {
  action: RefusalKind;
  address: string;
  /** The account that was logged in, or whose login was tried; 0 if it does not exist. */
  account_id: number;
  /** The API key of the call; 0 if the call had no API key. */
  key_id: number;
  at: Date;
  /** Method and path, without the query. */
  call: string;
}

/**
 * The largest number of rows per minute. Calls from further IP addresses are counted together in
 * one row.
 */
export const mostAMinute = 500;
const others = { address: 'others', account_id: 0, key_id: 0 };

/**
 * Counts a refused call in one row per IP address, account, key, kind and minute, however many
 * calls are refused (requirements §10.12.6). It never throws, because the response to the caller
 * must not depend on it.
 */
export const countRefusal = async (
  db: Db,
  log: Log,
  { action, address, account_id, key_id, at, call }: Refusal,
): Promise<void> => {
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  try {
    await db.tx(scope, async (work) => {
      const again = await sql`update refused_calls set tries = tries + 1, last_at = ${at}
        where minute = ${minute} and address = ${address} and account_id = ${account_id}
          and action = ${action} and key_id = ${key_id} returning 1`.execute(work.tx);
      if (again.rows.length > 0) return;
      const row = await oneRow(
        work,
        sql<{ n: number }>`select count(*) as n from refused_calls
        where minute = ${minute}`,
      );
      const key = row.n < mostAMinute ? { address, account_id, key_id } : others;
      await sql`insert into refused_calls (minute, address, account_id, key_id, action, last_at, call)
        values (${minute}, ${key.address}, ${key.account_id}, ${key.key_id}, ${action}, ${at},
          ${call.slice(0, 200)})
        on conflict (minute, address, account_id, action, key_id) do update
          set tries = refused_calls.tries + 1, last_at = excluded.last_at`.execute(work.tx);
    });
  } catch (error) {
    log.warn({ err: error, action }, 'a refused call was not counted');
  }
};

/** Moves the counts of refused calls of all past minutes into the audit log. */
export const auditRefusals = async (db: Db, now: Date): Promise<void> => {
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  await db.tx(scope, async (work) => {
    await sql`with moved as (delete from refused_calls where minute < ${minute} returning *)
      insert into audit_log (at, account_id, account_name, key_id, key_name, role, address, action, subject,
        subject_id, station_id, changes)
      select m.last_at, case when m.action <> 'login_failed' then a.id
        end, coalesce(a.username, ''), nullif(m.key_id, 0), coalesce(k.name, ''),
        case when m.action = 'login_failed' or a.id is null then 'stranger' else a.role
          end, m.address, m.action,
        'accounts', a.id, a.station_id, jsonb_build_object('tries',
          jsonb_build_array(null, m.tries), 'call', jsonb_build_array(null, m.call))
      from moved m left join accounts a on a.id = m.account_id
        left join api_keys k on k.id = m.key_id
        order by m.last_at`.execute(work.tx);
  });
};
