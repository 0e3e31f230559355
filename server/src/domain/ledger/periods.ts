import type { BookPeriod } from '@waystation/contract/reconciliation.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

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

/** `YYYY-MM` of a moment in Asia/Shanghai. */
const monthOf = (at: Date): string => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 7);

const monthAfter = (period: string): string => {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
};

const stored = async (tx: Tx): Promise<Map<string, Stored>> => {
  const { rows } = await sql<Stored>`select p.*, c.nickname as closed_by_name, o.nickname as reopened_by_name
    from periods p left join accounts c on c.id = p.closed_by left join accounts o on o.id = p.reopened_by`.execute(tx);
  return new Map(rows.map((row) => [row.period, row]));
};

/** Entries of a month and their sum per account. */
const totals = async (tx: Tx, period: string): Promise<Pick<Stored, 'entries' | 'trial_balance'>> => {
  const { rows } = await sql<{ account: BookPeriod['trial_balance'][number]['account']; amount: number; n: number }>`
    select account, sum(amount)::bigint as amount, count(*) as n from ledger_entries where period = ${period} group by account
    order by array_position('{wallet,holds,cash,revenue,carrier_cost,carrier_payable}'::text[], account::text)`.execute(tx);
  return { entries: rows.reduce((sum, { n }) => sum + n, 0), trial_balance: rows.map(({ account, amount }) => ({ account, amount })) };
};

interface Waiting {
  reconciliations: number;
  unread: number;
  open_rows: number;
  pending: number;
}

/** What of a month's bills and requests still waits. */
const waiting = async (tx: Tx, period: string): Promise<Waiting> => {
  const { rows } = await sql<Waiting>`select count(*) filter (where c.status <> 'failed') as reconciliations,
      count(*) filter (where c.status in ('reading', 'mapping', 'matching')) as unread,
      coalesce(sum((select count(*) from reconciliation_rows r where r.reconciliation_id = c.id and r.bucket is not null and r.decision = 'open'))
        filter (where c.status = 'ready'), 0)::bigint as open_rows,
      (select count(*) from statements s where s.transfer_id is null and s.status = 'pending'
        and s.created_at >= (${`${period}-01`}::date::timestamp at time zone 'Asia/Shanghai')
        and s.created_at < ((${`${period}-01`}::date + interval '1 month') at time zone 'Asia/Shanghai')) as pending
    from reconciliations c where c.period = ${period} and c.status <> 'discarded'`.execute(tx);
  return rows[0]!;
};

const shown = async (tx: Tx, period: string, row: Stored | undefined): Promise<BookPeriod> => {
  const { entries, trial_balance } = row?.status === 'closed' ? row : await totals(tx, period);
  const { reconciliations, open_rows, pending } = await waiting(tx, period);
  return {
    period,
    status: row?.status ?? 'open',
    entries,
    trial_balance,
    sum: trial_balance.reduce((sum, { amount }) => sum + amount, 0),
    reconciliations,
    open_rows,
    pending,
    closed_at: row?.closed_at?.toISOString() ?? null,
    closed_by_name: row?.closed_by_name ?? null,
    reopened_at: row?.reopened_at?.toISOString() ?? null,
    reopened_by_name: row?.reopened_by_name ?? null,
    reopen_reason: row?.reopen_reason ?? '',
  };
};

/** One month of the books. */
export const booksOf = async (tx: Tx, period: string): Promise<BookPeriod> => shown(tx, period, (await stored(tx)).get(period));

/** The months since the first entry, and as far as entries fall by now: that of this moment, or the first open one after it. Newest first. */
export const listBooks = async (tx: Tx, now: Date): Promise<BookPeriod[]> => {
  const known = await stored(tx);
  const { rows } = await sql<{ period: string }>`(select period from ledger_transfers order by id limit 1)
    union all select min(period) from periods having min(period) is not null union all select min(period) from reconciliations where status <> 'discarded' having min(period) is not null`.execute(
    tx,
  );
  let last = monthOf(now);
  while (known.get(last)?.status === 'closed') last = monthAfter(last);
  const months: string[] = [];
  for (let month = rows.map(({ period }) => period).toSorted()[0] ?? last; month <= last; month = monthAfter(month)) months.unshift(month);
  const items: BookPeriod[] = [];
  for (const month of months) items.push(await shown(tx, month, known.get(month)));
  return items;
};

/** What each station had before a month, took in and paid out in it, and has after; the month before may tell the beginning where it is closed. */
const keepBalances = async (tx: Tx, period: string): Promise<void> => {
  await sql`delete from period_balances where period = ${period}`.execute(tx);
  await sql`insert into period_balances (period, station_id, opening, in_amount, out_amount, closing, frozen)
    select ${period}, s.id, l.opening, l.in_amount, l.out_amount, l.opening + l.in_amount - l.out_amount, l.frozen from stations s cross join lateral (
      select coalesce(sum(amount) filter (where period < ${period}), 0)::bigint as opening,
        coalesce(sum(amount) filter (where period = ${period} and amount > 0), 0)::bigint as in_amount,
        coalesce(-sum(amount) filter (where period = ${period} and amount < 0), 0)::bigint as out_amount,
        coalesce(sum(freeze_amount), 0)::bigint as frozen
      from statements where station_id = s.id and transfer_id is not null and period <= ${period}) l`.execute(tx);
};

/**
 * Closes a month that has begun and whose bills are decided: waits for the postings under way, keeps its figures, and from then on nothing is posted in it.
 * The caller has proved the ledger. Fails where something is left to do, or where the month does not sum to zero.
 */
export const closeBooks = async (tx: Tx, period: string, { by, at }: { by: number; at: Date }): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx);
  if (period > monthOf(at)) fail('period_not_begun', { period });
  const { rows } = await sql<{ last_id: number }>`select ledger_close_lock() as last_id`.execute(tx);
  if ((await stored(tx)).get(period)?.status === 'closed') fail('period_closed', { period });
  const { unread, open_rows } = await waiting(tx, period);
  if (unread > 0) fail('period_bills_unread', { period, count: unread });
  if (open_rows > 0) fail('period_rows_open', { period, count: open_rows });
  const { entries, trial_balance } = await totals(tx, period);
  const sum = trial_balance.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) fail('period_unbalanced', { total_amount: sum });
  await sql`insert into periods (period, status, entries, trial_balance, last_transfer_id, closed_at, closed_by)
    values (${period}, 'closed', ${entries}, ${JSON.stringify(trial_balance)}::jsonb, ${rows[0]!.last_id}, ${at}, ${by})
    on conflict (period) do update set status = 'closed', entries = excluded.entries, trial_balance = excluded.trial_balance,
      last_transfer_id = excluded.last_transfer_id, closed_at = excluded.closed_at, closed_by = excluded.closed_by`.execute(tx);
  await keepBalances(tx, period);
};

/** Opens a closed month again: never by the one who closed it, and not while a later one is closed. */
export const reopenBooks = async (tx: Tx, period: string, { by, at, reason }: { by: number; at: Date; reason: string }): Promise<void> => {
  await sql`select ledger_close_lock()`.execute(tx);
  const known = await stored(tx);
  const row = known.get(period);
  if (row?.status !== 'closed') return fail('period_open', { period });
  if (row.closed_by === by) fail('second_person_required');
  const later = [...known.values()].filter((one) => one.status === 'closed' && one.period > period).map((one) => one.period);
  if (later.length > 0) fail('period_later_closed', { period: later.toSorted().at(-1)! });
  await sql`delete from period_balances where period = ${period}`.execute(tx);
  await sql`update periods set status = 'open', reopened_at = ${at}, reopened_by = ${by}, reopen_reason = ${reason} where period = ${period}`.execute(tx);
};

/** Fails where a month is closed, and keeps it from being closed until the transaction ends. */
export const requireOpenBooks = async (tx: Tx, period: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('ledger_period', 0))`.execute(tx);
  const { rows } = await sql`select 1 from periods where period = ${period} and status = 'closed'`.execute(tx);
  if (rows.length > 0) fail('period_closed', { period });
};
