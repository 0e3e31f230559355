import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { firstOf, lastOf } from '@waystation/contract/base/present.ts';
import { periodOf } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { sqlMonthStart } from '#platform/db/days.ts';
import { fail } from '#platform/fail.ts';
import { sumsOfMonths } from './book-sums.ts';
import type { MonthSums } from './book-sums.ts';
import { missingBills } from './period-bills.ts';
import { firstPeriod } from './posted-months.ts';

interface Stored {
  period: string;
  status: 'open' | 'closed';
  entries: number;
  trial_balance: BookPeriod['trial_balance'];
  closed_at: Date | null;
  closed_by: number | null;
  closed_by_name: string | null;
  reopened_at: Date | null;
  reopened_by_name: string | null;
  reopen_reason: string;
}

const monthAfter = (period: string): string => {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
};

const stored = async (work: Work): Promise<Map<string, Stored>> => {
  const { rows } = await sql<Stored>`select p.*, c.nickname as closed_by_name,
    o.nickname as reopened_by_name
    from periods p left join accounts c on c.id = p.closed_by left
      join accounts o on o.id = p.reopened_by`.execute(work.tx);
  return new Map(rows.map((row) => [row.period, row]));
};

/**
 * Returns the bills that are not completely read or have undecided lines. `late`: true to include
 * bills of earlier closed months, which are posted into this month.
 */
const openBills = async (
  work: Work,
  period: string,
  late: boolean,
): Promise<BookPeriod['open_bills']> => {
  const { rows } = await sql<BookPeriod['open_bills'][number]>`
    select c.id, c.period, c.provider, c.status, case when c.status = 'ready' then
      (select count(*) from reconciliation_rows r where r.reconciliation_id = c.id
        and r.bucket is not null and r.decision = 'open') else 0 end as open_rows
    from reconciliations c
    where ${late ? sql`c.period <= ${period}` : sql`c.period = ${period}`}
      and c.status in ('reading', 'mapping', 'matching', 'ready')
    order by c.period, c.id`.execute(work.tx);
  return rows.filter(({ status, open_rows }) => status !== 'ready' || open_rows > 0);
};

const undecided = (bills: BookPeriod['open_bills']): number =>
  bills.reduce((sum, { open_rows }) => sum + open_rows, 0);

/**
 * `reconciliations`: the number of carrier bills of a month. `pending`: the number of requests made
 * in this month that nobody has decided.
 */
const waiting = (
  work: Work,
  period: string,
): Promise<Pick<BookPeriod, 'reconciliations' | 'pending'>> =>
  oneRow(
    work,
    sql<Pick<BookPeriod, 'reconciliations' | 'pending'>>`select
      (select count(*) from reconciliations c where c.period = ${period}
        and c.status not in ('failed', 'discarded')) as reconciliations,
      (select count(*) from statements s where s.transfer_id is null and s.status = 'pending'
        and s.created_at >= ${sqlMonthStart(period)}
        and s.created_at < ${sqlMonthStart(period, 1)}) as pending`,
  );

/** The earliest month before this month that is not closed; null if all are closed. */
const earlierOpen = (
  first: string | null,
  known: ReadonlyMap<string, Stored>,
  period: string,
): string | null => {
  for (let month = first ?? period; month < period; month = monthAfter(month))
    if (known.get(month)?.status !== 'closed') return month;
  return null;
};

interface Books {
  known: ReadonlyMap<string, Stored>;
  first: string | null;
  totals: ReadonlyMap<string, MonthSums>;
  now: Date;
}

const openBooks = async (work: Work, now: Date): Promise<Books> => ({
  known: await stored(work),
  first: await firstPeriod(work),
  totals: await sumsOfMonths(work),
  now,
});

const nothing: MonthSums = { entries: 0, trial_balance: [] };

const shown = async (
  work: Work,
  period: string,
  { known, first, totals: open, now }: Books,
): Promise<BookPeriod> => {
  const row = known.get(period);
  const { entries, trial_balance } = row?.status === 'closed' ? row : (open.get(period) ?? nothing);
  const status = row?.status ?? 'open';
  const earlier_open = earlierOpen(first, known, period);
  const open_bills = status === 'open' ? await openBills(work, period, earlier_open === null) : [];
  return {
    period,
    status,
    entries,
    trial_balance,
    sum: trial_balance.reduce((sum, { amount }) => sum + amount, 0),
    ...(await waiting(work, period)),
    open_rows: undecided(open_bills),
    open_bills,
    late_bills: status === 'closed' ? await openBills(work, period, false) : [],
    ended: period < periodOf(now) ? 1 : 0,
    earlier_open,
    missing_bills: await missingBills(work, period, row?.status === 'closed', 'sums'),
    closed_at: row?.closed_at?.toISOString() ?? null,
    closed_by_name: row?.closed_by_name ?? null,
    reopened_at: row?.reopened_at?.toISOString() ?? null,
    reopened_by_name: row?.reopened_by_name ?? null,
    reopen_reason: row?.reopen_reason ?? '',
  };
};

/** One month, with the data that the list of months shows. */
export const booksOf = async (work: Work, period: string, now: Date): Promise<BookPeriod> =>
  shown(work, period, await openBooks(work, now));

/**
 * Returns the months from the first entry to the posting month, the newest first. The posting month
 * is the current month, or the first open month after it. A closing outside of this range is listed
 * without the months between; such closings are refused today.
 */
export const listBooks = async (work: Work, now: Date): Promise<BookPeriod[]> => {
  const books = await openBooks(work, now);
  const { known, first } = books;
  let last = periodOf(now);
  while (known.get(last)?.status === 'closed') last = monthAfter(last);
  const earliest = first ?? last;
  const months = [...known.keys()].filter((month) => month < earliest || month > last).toSorted();
  for (let month = earliest; month <= last; month = monthAfter(month)) months.push(month);
  months.sort((a, b) => (a < b ? 1 : -1));
  const items: BookPeriod[] = [];
  for (const month of months) items.push(await shown(work, month, books));
  return items;
};

/**
 * Checks that a month can be closed; fails with the first condition that it does not meet
 * (docs/ledger.md, "Month end"). `withParcels`: true to also read the month's parcels and find
 * carrier accounts without a bill, which takes longer for a larger month.
 */
export const requireClosable = async (
  work: Work,
  period: string,
  withParcels: boolean,
): Promise<void> => {
  const known = await stored(work);
  if (known.get(period)?.status === 'closed') fail('period_closed', { period });
  const earlier = earlierOpen(await firstPeriod(work), known, period);
  if (earlier !== null) fail('period_earlier_open', { period, earlier });
  const bills = await openBills(work, period, true);
  const unread = bills.filter(({ status }) => status !== 'ready').length;
  const open_rows = undecided(bills);
  if (unread > 0) fail('period_bills_unread', { period, count: unread });
  if (open_rows > 0) fail('period_rows_open', { period, count: open_rows });
  if (!withParcels) return;
  const missing = (await missingBills(work, period, false, 'parcels')).filter(
    ({ reason }) => reason === null,
  );
  if (missing.length > 0)
    fail('period_bill_missing', { period, count: missing.length, name: firstOf(missing).name });
};

/**
 * Reopens a closed month. The person who closed it may not reopen it, and no later month may be
 * closed.
 */
export const reopenBooks = async (
  work: Work,
  period: string,
  { by, at, reason }: { by: number; at: Date; reason: string },
): Promise<void> => {
  await sql`select ledger_close_lock()`.execute(work.tx);
  const known = await stored(work);
  const row = known.get(period);
  if (row?.status !== 'closed') return fail('period_open', { period });
  if (row.closed_by === by) fail('second_person_required');
  const later = [...known.values()]
    .filter((one) => one.status === 'closed' && one.period > period)
    .map((one) => one.period);
  if (later.length > 0) fail('period_later_closed', { period: lastOf(later.toSorted()) });
  await work.tx.deleteFrom('period_balances').where('period', '=', period).execute();
  await work.tx
    .updateTable('periods')
    .set({ status: 'open', reopened_at: at, reopened_by: by, reopen_reason: reason })
    .where('period', '=', period)
    .execute();
};
