import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { sqlMonthStart } from '#platform/db/days.ts';
import { fail } from '#platform/fail.ts';
import { requirePostedMonth } from './posted-months.ts';

type MissingBill = BookPeriod['missing_bills'][number];

/**
 * Adds the stored reasons to the accounts with missing bills. `accounts`: SQL with the columns
 * merchant_id and parcels.
 */
const withReasons = async (
  work: Work,
  period: string,
  accounts: ReturnType<typeof sql>,
): Promise<MissingBill[]> => {
  const { rows } = await sql<Omit<MissingBill, 'at'> & { at: Date | null }>`
    select p.merchant_id, m.name, m.provider, m.customer_code, p.parcels, g.reason, g.at,
      a.nickname as by_name
    from (${accounts}) p join merchants m on m.id = p.merchant_id
      left join period_bill_reasons g on g.period = ${period} and g.merchant_id = m.id left
        join accounts a on a.id = g.account_id
    order by m.name, m.id`.execute(work.tx);
  return rows.map(({ at, ...row }) => ({ ...row, at: at?.toISOString() ?? null }));
};

/**
 * The source for counting the parcels picked up in a month. `sums`: the sums by day, stored with
 * each pickup. `parcels`: the parcels themselves, for a closing.
 */
type CountedFrom = 'sums' | 'parcels';

/**
 * SQL: the number of parcels of the carrier account `m` picked up in a month, as the column
 * `parcels`.
 */
const pickedUp = (period: string, from: CountedFrom) =>
  from === 'sums'
    ? sql`select coalesce(sum(u.n), 0)::integer as parcels from express_uses u
      where u.what = 'picked_up' and u.of_id = m.id
        and u.day >= ${`${period}-01`}::date
          and u.day < ${`${period}-01`}::date + interval '1 month'`
    : sql`select count(*)::integer as parcels from expresses e where e.provider = m.provider
      and e.merchant_id = m.id
        and e.picked_up_at >= ${sqlMonthStart(period)}
          and e.picked_up_at < ${sqlMonthStart(period, 1)}`;

/**
 * Returns the carrier accounts that have parcels picked up in a month, but no bill. A bill belongs
 * to an account if it has the account's customer code or one of its parcels. Each account has its
 * stored reason. For a closed month, only the accounts with a reason are returned.
 */
export const missingBills = (
  work: Work,
  period: string,
  closed: boolean,
  from: CountedFrom,
): Promise<MissingBill[]> =>
  withReasons(
    work,
    period,
    closed
      ? sql`select merchant_id, parcels from period_bill_reasons where period = ${period}`
      : sql`select m.id as merchant_id, p.parcels from merchants m cross
        join lateral (${pickedUp(period, from)}) p where p.parcels > 0
        and not exists (select 1 from reconciliations c
          join reconciliation_rows r on r.reconciliation_id = c.id left
          join expresses b on b.id = r.express_id
          where c.period = ${period} and c.provider = m.provider
            and c.status in ('ready', 'settled') and r.no is not null and r.bucket is not null
            and (r.customer_code = m.customer_code or b.merchant_id = m.id))`,
  );

/**
 * Stores the reason why a carrier account has no bill for an open month; returns the previous
 * reason.
 */
export const giveBillReason = async (
  work: Work,
  {
    period,
    merchant_id,
    reason,
    by,
    at,
  }: { period: string; merchant_id: number; reason: string; by: number; at: Date },
): Promise<string | null> => {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('ledger_period',
    0))`.execute(work.tx);
  await requirePostedMonth(work, period, at);
  const { rows: closed } = await sql`select 1 from periods where period = ${period}
    and status = 'closed'`.execute(work.tx);
  if (closed.length > 0) fail('period_closed', { period });
  const { rows: known } = await sql<{ reason: string | null }>`select g.reason
    from merchants m
    left join period_bill_reasons g on g.period = ${period} and g.merchant_id = m.id
      where m.id = ${merchant_id}`.execute(work.tx);
  if (!known[0]) return fail('not_found');
  const parcels =
    (await missingBills(work, period, false, 'parcels')).find(
      (one) => one.merchant_id === merchant_id,
    )?.parcels ?? 0;
  await sql`insert into period_bill_reasons (period, merchant_id, reason, parcels, account_id,
    at) values (${period}, ${merchant_id}, ${reason}, ${parcels}, ${by}, ${at})
    on conflict (period, merchant_id) do update
      set reason = excluded.reason, parcels = excluded.parcels,
      account_id = excluded.account_id, at = excluded.at`.execute(work.tx);
  return known[0].reason;
};
