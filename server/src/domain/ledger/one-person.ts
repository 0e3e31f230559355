import { businessDay } from '#platform/clock.ts';
import { sqlDayStart } from '#platform/db/days.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';

interface Person {
  /** The user's account, and the accounts that count as the same person (domain/second-person). */
  account_ids: readonly number[];
  at: Date;
}

/** The start of the business day of `at`. */
const today = (at: Date) => sqlDayStart(businessDay(at));

/**
 * The sum in fen, regardless of sign, that one user moved at a station on the business day of `at`
 * without a second person. It includes adjustments, refunds, payouts, and reversals of charged
 * parcels. The station must be locked, so that two concurrent movements cannot both pass the limit.
 */
export const givenAlone = async (
  work: Work,
  station_id: number,
  { account_ids, at }: Person,
): Promise<number> => {
  const mine = sql`account_id = any(${account_ids}::bigint[]) and station_id = ${station_id}
    and decided_by is null and posted_at >= ${today(at)}`;
  const row = await oneRow(
    work,
    sql<{ amount: number }>`select (select coalesce(sum(abs(amount)), 0) from statements
      where ${mine} and type in ('top_up', 'adjustment', 'refund', 'payout')
        and type <> 'top_up')::bigint
      + (select coalesce(sum(abs(amount)), 0) from statements where ${mine}
        and type = 'reversal' and post_amount is not null)::bigint as amount`,
  );
  return row.amount;
};

/**
 * The sum in fen that one person topped up on the business day of `at` without a second person,
 * over all stations. It includes requests of stations that the person approved without a second
 * person. Locks the person's accounts until the transaction ends, in the order of their ids.
 */
export const toppedUpAlone = async (work: Work, { account_ids, at }: Person): Promise<number> => {
  const ids = sql`${account_ids}::bigint[]`;
  await sql`select pg_advisory_xact_lock(hashtextextended('top_ups ' || id::text, 0))
    from (select unnest(${ids}) as id order by 1 offset 0) a`.execute(work.tx);
  const row = await oneRow(
    work,
    sql<{ amount: number }>`select (select coalesce(sum(amount), 0) from statements
      where account_id = any(${ids}) and type in ('top_up', 'adjustment', 'refund', 'payout')
        and type = 'top_up'
        and decided_by is null and posted_at >= ${today(at)})::bigint
      + (select coalesce(sum(amount), 0) from request_approvals where account_id = any(${ids})
        and alone = 1 and at >= ${today(at)})::bigint as amount`,
  );
  return row.amount;
};

/** The amount in fen that a reversal of a charged parcel would return to its station now. */
export const reversible = async (
  work: Work,
  express_id: number,
  station_id: number,
): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{ amount: number }>`select ledger_refund_left(${express_id},
    ${station_id}, false) as amount`,
  );
  return row.amount;
};

/**
 * The amount in fen that can still be refunded for a parcel after its posted and requested refunds;
 * 0 if nothing can be refunded.
 */
export const refundLeft = async (
  work: Work,
  express_id: number,
  station_id: number,
): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{ amount: number; reversed: boolean }>`select ledger_refund_left(${express_id},
      ${station_id}, true) as amount,
    ledger_reversed(${express_id}) as reversed`,
  );
  return row.reversed ? 0 : Math.max(row.amount, 0);
};

/**
 * The payouts of a parcel in fen, including requested payouts, and its charge before any reversal.
 * The charge is null if the parcel was not charged.
 */
export const paidOut = async (
  work: Work,
  express_id: number,
  station_id: number,
): Promise<{ paid_amount: number; charged_amount: number | null }> => {
  return oneRow(
    work,
    sql<{
      paid_amount: number;
      charged_amount: number | null;
    }>`select ledger_paid_out(${express_id},
      true) as paid_amount,
    (select (ledger_charged(${express_id}, ${station_id})).post_amount) as charged_amount`,
  );
};

/**
 * The account that requested or posted a statement, and the time; the account is null for the
 * system.
 */
export const requesterOf = async (
  work: Work,
  statement_id: number,
): Promise<{ account_id: number | null; at: Date }> => {
  return oneRow(
    work,
    sql<RowOf<'statements', 'account_id'> & { at: Date }>`select account_id,
    created_at as at from statements where id = ${statement_id}`,
  );
};

/** True if a station manager, a clerk or a partner made the request, and not an administrator. */
export const isStationRequest = async (work: Work, statement_id: number): Promise<boolean> => {
  const row = await oneRow(
    work,
    sql<{
      is: boolean;
    }>`select coalesce(a.role not in ('super', 'admin'), false) as is from statements s left
      join accounts a on a.id = s.account_id where s.id = ${statement_id}`,
  );
  return row.is;
};

/** The user who gave the first of two approvals of a station's request; null if there is none. */
export const firstApproval = async (
  work: Work,
  statement_id: number,
): Promise<{ account_id: number; at: Date } | null> =>
  (await work.tx
    .selectFrom('request_approvals')
    .select(['account_id', 'at'])
    .where('statement_id', '=', statement_id)
    .orderBy('at')
    .executeTakeFirst()) ?? null;

/** Stores an approval of a station's request. Each account can approve once. */
export const storeApproval = async (
  work: Work,
  row: { statement_id: number; account_id: number; at: Date; amount: number; alone: 0 | 1 },
): Promise<void> => {
  await work.tx.insertInto('request_approvals').values(row).execute();
};
