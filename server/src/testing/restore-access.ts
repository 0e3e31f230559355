import type { App } from '#app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const all = systemScope('test');

interface Account {
  id: number;
  role: string;
  station_id: number | null;
}
interface Session {
  token_hash: Buffer;
  account_id: number;
  expires_at: Date;
}

/**
 * Stores all sessions, and the role and station of their accounts. The returned function restores
 * them, even if accounts were disabled or moved or sessions ended in between.
 */
export const rememberAccess = async (app: App): Promise<() => Promise<void>> => {
  const { accounts, sessions } = await app.db.tx(all, async (work) => ({
    accounts: (
      await sql<Account>`select id, role, station_id from accounts
      where id in (select account_id from sessions)`.execute(work.tx)
    ).rows,
    sessions: (
      await sql<Session>`select token_hash, account_id, expires_at
      from sessions`.execute(work.tx)
    ).rows,
  }));
  return () =>
    app.db.tx(all, async (work) => {
      await sql`update stations set status = 1 where status = 0`.execute(work.tx);
      for (const { id, role, station_id } of accounts)
        await sql`update accounts set role = ${role}, station_id = ${station_id}, status = 1,
          must_change = 0 where id = ${id}`.execute(work.tx);
      for (const { token_hash, account_id, expires_at } of sessions)
        await sql`insert into sessions (token_hash, account_id, created_at, last_seen_at,
          expires_at, address, user_agent)
          values (${token_hash}, ${account_id}, ${app.clock.now()}, ${app.clock.now()},
            ${expires_at}, '', '') on conflict (token_hash) do nothing`.execute(work.tx);
    });
};
