import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/** The parts of an account that another account can have set up. */
export type Setup = 'password' | 'two_factor' | 'role' | 'station' | 'status' | 'key';

const day = 86_400_000;
/**
 * The number of days for which an account that set up another account does not count as independent
 * of that account.
 */
export const setupDays = 30;
/**
 * Hours after which a request without an independent approver can be executed, and after which a
 * raised money limit takes effect.
 */
export const waitHours = 24;

/**
 * Records that `by` set up parts of another account, such as its password or role. An account's
 * change of itself is not recorded. Runs in any scope.
 */
export const recordSetup = async (
  work: Work,
  {
    account_id,
    by,
    what,
    at,
  }: { account_id: number; by: number; what: readonly Setup[]; at: Date },
): Promise<void> => {
  if (by === account_id || what.length === 0) return;
  await sql`insert into account_setups (account_id, by_account_id, what, at)
    select ${account_id}, ${by}, w, ${at}
      from unnest(${what as Setup[]}::text[]) w`.execute(work.tx);
};

interface ApprovalRequest {
  /** The requester; null for the system. */
  account_id: number | null;
  /** The time of the request. */
  at: Date;
}

/**
 * The admins and super admins who may decide a request: enabled, not the requester, and independent
 * of the requester. An account can act as every account that it set up, directly or through others,
 * since 30 days before the request. Two accounts are independent if no account can act as both.
 * Needs a transaction that sees all rows.
 */
export const independentApprovers = async (
  work: Work,
  request: ApprovalRequest,
): Promise<number[]> => {
  const since = new Date(request.at.getTime() - setupDays * day);
  const { rows } = await sql<{ id: number }>`
    with recursive office as (select id from accounts where role in ('super', 'admin')
      and status = 1 and id is distinct from ${request.account_id}),
    setters (account_id, setter_id) as (
      select id, id from office union select ${request.account_id}::bigint,
        ${request.account_id}::bigint
      union select s.account_id, p.by_account_id from setters s
        join account_setups p on p.account_id = s.setter_id and p.at > ${since})
    select o.id from office o where not exists (
      select 1 from setters mine join setters theirs on theirs.setter_id = mine.setter_id
        where mine.account_id = o.id and theirs.account_id = ${request.account_id})
    order by o.id`.execute(work.tx);
  return rows.map(({ id }) => id);
};

/**
 * The accounts, including this one, that count as the same person as the account `account_id`: they
 * were set up by a common account within 30 days. An account that set up another one directly or
 * through others also counts. A limit for one person therefore covers all accounts that the person
 * creates, even disabled ones. Needs a transaction that sees all rows.
 */
export const sameHand = async (
  work: Work,
  { account_id, at }: { account_id: number; at: Date },
): Promise<number[]> => {
  const since = new Date(at.getTime() - setupDays * day);
  const { rows } = await sql<{ id: number }>`
    with recursive office as (select id from accounts where role in ('super', 'admin') union
      select ${account_id}::bigint),
    setters (account_id, setter_id) as (
      select id, id from office
      union select s.account_id, p.by_account_id from setters s
        join account_setups p on p.account_id = s.setter_id and p.at > ${since})
    select distinct theirs.account_id as id from setters mine
      join setters theirs on theirs.setter_id = mine.setter_id
    where mine.account_id = ${account_id} order by 1`.execute(work.tx);
  return rows.map(({ id }) => id);
};

/**
 * The time at which admins were notified that a request has no independent approver; null if they
 * were not notified.
 */
export const announcedAt = async (work: Work, statement_id: number): Promise<Date | null> => {
  const row = await work.tx
    .selectFrom('request_announcements')
    .select('at')
    .where('statement_id', '=', statement_id)
    .executeTakeFirst();
  return row?.at ?? null;
};

/**
 * Records that a request was announced, unless it was announced before. Returns true if this was
 * the first time.
 */
export const announceRequest = async (
  work: Work,
  { statement_id, account_id, at }: { statement_id: number; account_id: number; at: Date },
): Promise<boolean> => {
  const { rows } = await sql`insert into request_announcements (statement_id, account_id, at)
    values (${statement_id}, ${account_id}, ${at})
    on conflict (statement_id) do nothing returning 1 as stored`.execute(work.tx);
  return rows.length > 0;
};

/** The time at which a request that was announced at `at` can be executed: `waitHours` later. */
export const executableAt = (at: Date): Date => new Date(at.getTime() + (waitHours / 24) * day);
