import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { requireClosable } from './periods.ts';
import { requireEndedMonth } from './posted-months.ts';
import { settledUpTo } from './settled.ts';

/**
 * Closes a month in two steps. `prepareClosing` adds up the postings while other postings continue;
 * `closeBooks` blocks postings and adds only the postings made since. The time for which postings
 * wait therefore depends neither on the size of the month nor on the size of the ledger.
 */

interface AccountSum extends RowOf<'ledger_entries', 'account'> {
  amount: number;
  n: number;
}

interface StationSum {
  station_id: number;
  /** The sum of the earlier months that are not closed. */
  opening: number;
  in_amount: number;
  out_amount: number;
  frozen: number;
}

export interface PreparedClosing {
  period: string;
  /** The last closed month before this month; empty if there is none. */
  before: string;
  /**
   * The id up to which all transfers are committed. The sums contain the month's transfers up to
   * this id.
   */
  upto: number;
  accounts: AccountSum[];
  stations: StationSum[];
  /** The statuses of the bills when the conditions for closing were checked. */
  bills: string;
}

const scope = systemScope('closing');

/**
 * The statuses of all bills up to this month, as one text. If the text has changed, the conditions
 * for closing must be checked again.
 */
const billsOf = async (work: Work, period: string): Promise<string> =>
  (
    await oneRow(
      work,
      sql<{
        bills: string;
      }>`select coalesce(string_agg(id || ' ' || status || ' ' || version, ', ' order by id),
        '') as bills from reconciliations where period <= ${period}`,
    )
  ).bills;

type Sums = Pick<PreparedClosing, 'accounts' | 'stations'>;

/**
 * The sums of a month for transfers above `low` and up to `high`: of entries per account, and of
 * statements per station. The statements begin after `before`, the closed month before it.
 */
const sumsOf = async (
  work: Work,
  { period, before }: Pick<PreparedClosing, 'period' | 'before'>,
  low: number,
  high: number,
): Promise<Sums> => {
  const accounts = await sql<AccountSum>`select *
    from ledger_month_accounts(${period}, ${low}, ${high})`.execute(work.tx);
  const stations = await sql<StationSum>`select *
    from ledger_month_stations(${before}, ${period}, ${low}, ${high})`.execute(work.tx);
  return { accounts: accounts.rows, stations: stations.rows };
};

/**
 * Checks that a month can be closed, and adds up its postings without blocking other postings.
 * Fails in the same cases as `closeBooks`.
 */
export const prepareClosing = async (
  db: Db,
  period: string,
  at: Date,
): Promise<PreparedClosing> => {
  const bills = await db.tx(scope, async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    await requireEndedMonth(work, period, at);
    const read = await billsOf(work, period);
    await requireClosable(work, period, true);
    return read;
  });
  const upto = await settledUpTo(db);
  return db.tx(scope, async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    const row = await oneRow(
      work,
      sql<{ before: string }>`select coalesce(max(period), '') as before from periods
        where period < ${period} and status = 'closed'`,
    );
    const month = { period, before: row.before };
    return { ...month, upto, bills, ...(await sumsOf(work, month, 0, upto)) };
  });
};

const order = ['wallet', 'holds', 'cash', 'revenue', 'carrier_cost', 'carrier_payable'];

const together = (...sums: readonly AccountSum[][]): AccountSum[] => {
  const all = new Map<string, AccountSum>();
  for (const { account, amount, n } of sums.flat()) {
    const one = all.get(account) ?? { account, amount: 0, n: 0 };
    all.set(account, { account, amount: one.amount + amount, n: one.n + n });
  }
  return [...all.values()].toSorted((a, b) => order.indexOf(a.account) - order.indexOf(b.account));
};

/**
 * Stores the opening balance, the total in, the total out and the closing balance of each station
 * for a month. The opening balance is the closing balance of the closed month before. If no month
 * is closed, it is the sum of all earlier months.
 */
const storeBalances = async (
  work: Work,
  { period, before }: PreparedClosing,
  sums: readonly StationSum[],
): Promise<void> => {
  await work.tx.deleteFrom('period_balances').where('period', '=', period).execute();
  await sql`insert into period_balances (period, station_id, opening, in_amount, out_amount,
    closing, frozen)
    select ${period}, s.id, o.opening, coalesce(l.in_amount, 0), coalesce(l.out_amount, 0),
      o.opening + coalesce(l.in_amount, 0) - coalesce(l.out_amount, 0),
        coalesce(b.frozen, 0) + coalesce(l.frozen, 0)
    from stations s left join period_balances b on b.station_id = s.id
      and b.period = ${before}
      left join (select station_id, sum(opening)::bigint as opening,
        sum(in_amount)::bigint as in_amount, sum(out_amount)::bigint as out_amount,
        sum(frozen)::bigint as frozen
        from jsonb_to_recordset(${jsonText(sums)}::jsonb) x (station_id bigint,
          opening bigint, in_amount bigint, out_amount bigint, frozen bigint) group by 1) l
        on l.station_id = s.id
      cross join lateral (select coalesce(b.closing, 0) + coalesce(l.opening,
        0) as opening) o`.execute(work.tx);
};

/**
 * Closes a month: waits for running postings, stores the figures, and prevents further postings in
 * the month. The month must have ended, its bills must be present and decided, and its earlier
 * months must be closed. The caller must have run the proof. Fails if a condition is not met or the
 * month does not sum to zero.
 */
export const closeBooks = async (
  work: Work,
  prepared: PreparedClosing,
  { by, at }: { by: number; at: Date },
): Promise<void> => {
  const { period, upto } = prepared;
  await sql`set local statement_timeout = 0`.execute(work.tx);
  const row = await oneRow(work, sql<{ last_id: number }>`select ledger_close_lock() as last_id`);
  await requireClosable(work, period, (await billsOf(work, period)) !== prepared.bills);
  const fresh = await sumsOf(work, prepared, upto, row.last_id);
  const accounts = together(prepared.accounts, fresh.accounts);
  const sum = accounts.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) fail('period_unbalanced', { total_amount: sum });
  const entries = accounts.reduce((total, { n }) => total + n, 0);
  const trial_balance = accounts.map(({ account, amount }) => ({ account, amount }));
  await sql`insert into periods (period, status, entries, trial_balance, last_transfer_id,
    closed_at, closed_by)
    values (${period}, 'closed', ${entries}, ${JSON.stringify(trial_balance)}::jsonb,
      ${row.last_id}, ${at}, ${by})
    on conflict (period) do update set status = 'closed', entries = excluded.entries,
      trial_balance = excluded.trial_balance,
      last_transfer_id = excluded.last_transfer_id, closed_at = excluded.closed_at,
        closed_by = excluded.closed_by`.execute(work.tx);
  await storeBalances(work, prepared, [...prepared.stations, ...fresh.stations]);
};
