import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { settledUpTo } from './settled.ts';

export type MonthSums = Pick<BookPeriod, 'entries' | 'trial_balance'>;

/**
 * The number and the sum of the entries per month and account, up to now. One SQL statement reads
 * the stored sums and the later entries, so that its snapshot contains each entry once
 * (docs/decisions/0039). PostgreSQL does not know the last stored number when it plans, and expects
 * a third of the table. The inner `order by` makes it read by the primary key nevertheless.
 */
export const sumsOfMonths = async (work: Work): Promise<Map<string, MonthSums>> => {
  const { rows } = await sql<RowOf<'ledger_month_sums', 'period' | 'account' | 'n' | 'amount'>>`
    select k.period, k.account, sum(k.n)::bigint as n, sum(k.amount)::bigint as amount
    from (select m.period, m.account, m.n, m.amount from ledger_month_sums m
      union all select e.period, e.account, 1, e.amount
        from (select coalesce(max(r.transfer_id), 0) as transfer_id
        from ledger_months_rolled r) r
        cross join lateral (select l.period, l.account, l.amount from ledger_entries l
          where l.transfer_id > r.transfer_id order by l.transfer_id offset 0) e) k
    group by k.period, k.account
    order by array_position('{wallet,holds,cash,revenue,carrier_cost,carrier_payable}'::text[],
      k.account::text)`.execute(work.tx);
  const months = Map.groupBy(rows, ({ period }) => period);
  return new Map(
    [...months].map(([period, sums]) => [
      period,
      {
        entries: sums.reduce((sum, { n }) => sum + n, 0),
        trial_balance: sums.map(({ account, amount }) => ({ account, amount })),
      },
    ]),
  );
};

/**
 * Task: adds the entries of the last minutes to the monthly sums, up to the newest transfer before
 * which every posting is committed. Returns true if there may be more entries.
 */
export const rollUpBooks = async (db: Db): Promise<boolean> => {
  const upto = await settledUpTo(db);
  const { added } = await db.tx(systemScope('books'), (work) =>
    oneRow(work, sql<{ added: number }>`select ledger_months_roll_up(${upto}) as added`),
  );
  return added > 0;
};
