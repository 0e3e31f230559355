import { settings } from '@waystation/contract/shell/settings.ts';
import { spendingDays } from '@waystation/contract/shell/workplace.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';

/**
 * Money by business day, from `ledger_days`: sums that the database updates with every entry,
 * so that no board reads the entries. Days are `YYYY-MM-DD`, both included; amounts are whole
 * fen.
 */

export interface Days {
  from: string;
  to: string;
}

const between = ({ from, to }: Days): Condition => sql<boolean>`d.day >= ${from}::date
  and d.day <= ${to}::date`;

/**
 * SQL: the days of one station, or of the whole network, or, with a restricted scope, of all
 * stations in scope. For the network, one SQL statement reads the stored sums and the steps that
 * are not added yet, because a task moves steps into the sums.
 */
const daysOf = (work: Scoped, station_id: number | undefined) => {
  if (station_id !== undefined)
    return sql`(select day, what, n, amount from ledger_days
      where ${scopeCondition(work, 'station_id')} and station_id = ${station_id})`;
  if (work.scope.kind !== 'all')
    return sql`(select day, what, n, amount from ledger_days
    where ${scopeCondition(work, 'station_id')})`;
  return sql`(select day, what, n, amount from ledger_day_sums union all
    select day, what, n, amount from ledger_days where fresh)`;
};

export interface MoneyOfDay {
  day: string;
  revenue: number;
  cost: number;
}

/**
 * Revenue and cost per day; days without any are left out. With a station, only the revenue and
 * cost of its parcels. On the account `revenue`, payments of stations are positive, and shares,
 * refunds, payouts and corrections lower the sum. On the account `carrier_cost`, charges of the
 * carrier are negative. The cost is therefore the negative of that account, and the margin is the
 * sum of both accounts.
 */
export const moneyByDay = async (
  work: Work,
  days: Days,
  station_id?: number,
): Promise<MoneyOfDay[]> => {
  const { rows } = await sql<MoneyOfDay>`
    select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(sum(d.amount) filter (where d.what = 'revenue'), 0)::bigint as revenue,
      coalesce(-sum(d.amount) filter (where d.what = 'carrier_cost'), 0)::bigint as cost
    from ${daysOf(work, station_id)} d where d.what in ('revenue', 'carrier_cost')
      and ${between(days)} group by 1`.execute(work.tx);
  return rows;
};

/**
 * The count and amount of additional charges (`up`) and of credits (`down`) by re-weighs, and the
 * count of all re-weighs.
 */
export const reweighMoney = async (work: Work, days: Days, station_id?: number) => {
  const { rows } = await sql<RowOf<'ledger_days', 'what'> & { n: number; amount: number }>`
    select d.what, sum(d.n)::bigint as n, sum(d.amount)::bigint as amount
      from ${daysOf(work, station_id)} d
    where d.what in ('reweigh_up', 'reweigh_down', 'reweigh_even')
      and ${between(days)} group by 1`.execute(work.tx);
  const of = (what: string) => {
    const { n = 0, amount = 0 } = rows.find((row) => row.what === what) ?? {};
    return { count: n, amount };
  };
  return {
    all: rows.reduce((sum, { n }) => sum + n, 0),
    up: of('reweigh_up'),
    down: of('reweigh_down'),
  };
};

/**
 * The profit shares that `earner_id` got from the parcels of each other station. `n`: the number of
 * statements.
 */
export const profitBySource = async (
  work: Work,
  days: Days,
  earner_id: number,
): Promise<{ station_id: number; n: number; amount: number }[]> => {
  const { rows } = await sql<RowOf<'ledger_days', 'station_id'> & { n: number; amount: number }>`
    select d.station_id, sum(d.n)::bigint as n, sum(d.amount)::bigint as amount
      from ledger_days d
    where ${scopeCondition(work, 'd.earner_id')} and d.what = 'profit'
      and d.earner_id = ${earner_id} and ${between(days)} group by 1`.execute(work.tx);
  return rows;
};

/**
 * SQL: the charges of the station in the row `r`, in the `spendingDays` whole days before `today`.
 */
export const spentLately = (
  work: Scoped,
  today: string,
) => sql<number>`(select coalesce(sum(d.amount),
  0)::bigint from ledger_days d
  where ${scopeCondition(work, 'd.station_id')} and d.station_id = r.id and d.what = 'spent'
    and d.day >= ${today}::date - ${spendingDays}::int and d.day < ${today}::date)`;

/**
 * SQL condition: the available balance of the station in the row `r` lasts fewer than `days` days
 * at its recent spending. A negative balance counts as zero. `spent`: the result of `spentLately`,
 * if the query has it already.
 */
export const runsOutIn = (
  work: Scoped,
  today: string,
  days: number,
  spent = spentLately(work, today),
) =>
  sql<boolean>`(r.status = 1 and r.has_amount = 1
    and (r.available < 0 or r.available * ${spendingDays}::int < ${days}::int * ${spent}))`;

/**
 * SQL: the available amount in fen below which the balance of the station in the row `of` is low:
 * the station's own limit, else the network's.
 */
export const lowLimit = (of: 'r' | 's') => sql<number>`coalesce(${sql.ref(`${of}.low_balance`)},
  (select (v.value #>> '{}')::bigint from settings v where v.name = 'low_balance'),
    ${settings.low_balance.default}::bigint)`;

/**
 * SQL condition: the balance of the station in the row `r` is checked, and its available balance is
 * below its limit.
 */
export const isBelowLimit = sql<boolean>`(r.has_amount = 1
  and r.available < ${lowLimit('r')})`;

/**
 * The number of whole days that the available balance lasts at the recent spending, as in
 * `runsOutIn`. The number is 0 if the balance is negative, and null if nothing was spent.
 */
export const daysLeft = (available: number, spent: number): number | null => {
  if (available < 0) return 0;
  return spent <= 0 ? null : Math.floor((available * spendingDays) / spent);
};

/**
 * SQL condition: the post-paid station in the row `r` owes, because its parcels cost more than it
 * has paid.
 */
export const isOwing = sql<boolean>`(r.has_amount = 0 and r.money < 0)`;

/**
 * SQL: whole days from the oldest unpaid parcel costs to `today`, for the station in the row `r`.
 * Payments settle the oldest costs first, so the debt consists of the newest costs. Null if no part
 * of the debt is for parcels.
 */
export const daysOutstanding = (work: Scoped, today: string) => sql<
  number | null
>`(select ${today}::date - min(c.day)
  from (select s.day, sum(s.amount) over (order by s.day desc) - s.amount as newer
    from (select d.day, sum(d.amount) as amount from ledger_days d
      where ${scopeCondition(work, 'd.station_id')} and d.station_id = r.id
        and d.what = 'spent' group by d.day having sum(d.amount) > 0) s) c
  where c.newer < -r.money)`;

/** Task: adds the steps of the last minutes to the sums. */
export const rollUpMoney = async (work: Work): Promise<void> => {
  await sql`select ledger_roll_days()`.execute(work.tx);
};
