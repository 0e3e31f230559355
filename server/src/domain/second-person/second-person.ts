import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';

/** What of an account somebody else may have set. */
export type Setup = 'password' | 'two_factor' | 'role' | 'station' | 'status';

const day = 86_400_000;
/** Days for which who set up an account is not independent of it. */
export const setupDays = 30;
/** Hours after which a request that nobody else may decide can be executed, and a raised money limit takes effect. */
export const waitHours = 24;

/** Keeps that `by` set something of another account; one's own account is one's own. Runs in any scope. */
export const recordSetup = async (
  tx: Tx,
  { account_id, by, what, at }: { account_id: number; by: number; what: readonly Setup[]; at: Date },
): Promise<void> => {
  if (by === account_id || what.length === 0) return;
  await sql`insert into account_setups (account_id, by_account_id, what, at)
    select ${account_id}, ${by}, w, ${at} from unnest(${what as Setup[]}::text[]) w`.execute(tx);
};

interface ApprovalRequest {
  /** Who asked; null: the system. */
  account_id: number | null;
  /** When. */
  at: Date;
}

/**
 * Accounts of the office that may decide what `asked.account_id` asked for: enabled, not the same, and with nobody who set up both within 30 days before the
 * request or since. Whoever set up an account could act as it, and through it as every account that was set up from there; so setups are followed upward from
 * both, and the two must not meet. Needs a transaction that sees all rows.
 */
export const independentApprovers = async (tx: Tx, asked: ApprovalRequest): Promise<number[]> => {
  const since = new Date(asked.at.getTime() - setupDays * day);
  const { rows } = await sql<{ id: number }>`
    with recursive office as (select id from accounts where role in ('super', 'admin') and status = 1 and id is distinct from ${asked.account_id}),
    setters (account_id, setter_id) as (
      select id, id from office union select ${asked.account_id}::bigint, ${asked.account_id}::bigint
      union select s.account_id, p.by_account_id from setters s join account_setups p on p.account_id = s.setter_id and p.at > ${since})
    select o.id from office o where not exists (
      select 1 from setters mine join setters theirs on theirs.setter_id = mine.setter_id where mine.account_id = o.id and theirs.account_id = ${asked.account_id})
    order by o.id`.execute(tx);
  return rows.map(({ id }) => id);
};

/** Since when everybody in the office could know of a request that nobody else may decide; null: it was not announced. */
export const announcedAt = async (tx: Tx, statement_id: number): Promise<Date | null> => {
  const row = await tx.selectFrom('request_announcements').select('at').where('statement_id', '=', statement_id).executeTakeFirst();
  return row?.at ?? null;
};

/** Keeps the first announcement of a request; true when it is this one. */
export const announceRequest = async (tx: Tx, { statement_id, account_id, at }: { statement_id: number; account_id: number; at: Date }): Promise<boolean> => {
  const { rows } = await sql`insert into request_announcements (statement_id, account_id, at) values (${statement_id}, ${account_id}, ${at})
    on conflict (statement_id) do nothing returning 1 as kept`.execute(tx);
  return rows.length > 0;
};

/** When what was announced at `at` can be executed. */
export const executableAt = (at: Date): Date => new Date(at.getTime() + (waitHours / 24) * day);
