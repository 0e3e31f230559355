import { settings } from '@waystation/contract/settings.ts';
import { spendingDays } from '@waystation/contract/workplace.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';

/**
 * Money by business day, from `ledger_days`: sums that the database updates with every entry, so that no board reads the entries.
 * Days are `YYYY-MM-DD`, both included; amounts are whole fen.
 */

export interface Days {
  from: string;
  to: string;
}

const between = ({ from, to }: Days): Condition => sql<boolean>`d.day >= ${from}::date and d.day <= ${to}::date`;

/**
 * The days of one station, or those of the whole network: sums and the steps of the last minute in one statement, since the roll-up moves steps into the sums.
 * Within a scope without a station they are those of its stations.
 */
const daysOf = (scope: Scope, station_id: number | undefined) => {
  if (station_id !== undefined)
    return sql`(select day, what, n, amount from ledger_days where ${scopeCondition(scope, 'station_id')} and station_id = ${station_id})`;
  if (scope.kind !== 'all') return sql`(select day, what, n, amount from ledger_days where ${scopeCondition(scope, 'station_id')})`;
  return sql`(select day, what, n, amount from ledger_day_sums union all select day, what, n, amount from ledger_days where fresh)`;
};

export interface MoneyOfDay {
  day: string;
  revenue: number;
  cost: number;
}

/**
 * Revenue and cost of the days that had any, optionally of one station's parcels. By the ledger's signs, payments of stations are positive on `revenue`
 * (shares, refunds, payouts and corrections lower it), and charges of the carrier are negative on `carrier_cost`. Cost is therefore the negative of that
 * account, and the margin is the sum of both accounts.
 */
export const moneyByDay = async (tx: Tx, scope: Scope, days: Days, station_id?: number): Promise<MoneyOfDay[]> => {
  const { rows } = await sql<MoneyOfDay>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(d.amount) filter (where d.what = 'revenue'), 0)::bigint as revenue,
      coalesce(-sum(d.amount) filter (where d.what = 'carrier_cost'), 0)::bigint as cost
    from ${daysOf(scope, station_id)} d where d.what in ('revenue', 'carrier_cost') and ${between(days)} group by 1`.execute(tx);
  return rows;
};

/** Additional charges (`reweigh_up`) and credits (`reweigh_down`) of re-weighs; n is the number of billing lines. */
export const reweighMoney = async (tx: Tx, scope: Scope, days: Days, station_id?: number) => {
  const { rows } = await sql<RowOf<'ledger_days', 'what'> & { n: number; amount: number }>`
    select d.what, sum(d.n)::bigint as n, sum(d.amount)::bigint as amount from ${daysOf(scope, station_id)} d
    where d.what in ('reweigh_up', 'reweigh_down', 'reweigh_even') and ${between(days)} group by 1`.execute(tx);
  const of = (what: string) => {
    const { n = 0, amount = 0 } = rows.find((row) => row.what === what) ?? {};
    return { count: n, amount };
  };
  return { all: rows.reduce((sum, { n }) => sum + n, 0), up: of('reweigh_up'), down: of('reweigh_down') };
};

/** The shares of `earner_id` in the parcels of each other station; n is the number of billing lines. */
export const profitBySource = async (tx: Tx, scope: Scope, days: Days, earner_id: number): Promise<{ station_id: number; n: number; amount: number }[]> => {
  const { rows } = await sql<RowOf<'ledger_days', 'station_id'> & { n: number; amount: number }>`
    select d.station_id, sum(d.n)::bigint as n, sum(d.amount)::bigint as amount from ledger_days d
    where ${scopeCondition(scope, 'd.earner_id')} and d.what = 'profit' and d.earner_id = ${earner_id} and ${between(days)} group by 1`.execute(tx);
  return rows;
};

/** The charges of station `r.id` in the `spendingDays` before `today`; whole days only. */
export const spentLately = (scope: Scope, today: string) => sql<number>`(select coalesce(sum(d.amount), 0)::bigint from ledger_days d
  where ${scopeCondition(scope, 'd.station_id')} and d.station_id = r.id and d.what = 'spent' and d.day >= ${today}::date - ${spendingDays}::int and d.day < ${today}::date)`;

/**
 * Whether the available balance of station `r` lasts fewer than `days` days at its recent spending; an overdrawn one counts as zero. `spent`: what `spentLately`
 * says, where the query has it already.
 */
export const runsOutIn = (scope: Scope, today: string, days: number, spent = spentLately(scope, today)) =>
  sql<boolean>`(r.status = 1 and r.has_amount = 1 and (r.available < 0 or r.available * ${spendingDays}::int < ${days}::int * ${spent}))`;

/** The available sum in fen below which station `of` is running low: its own, else the network's. */
export const lowLimit = (of: 'r' | 's') => sql<number>`coalesce(${sql.ref(`${of}.low_balance`)},
  (select (v.value #>> '{}')::bigint from settings v where v.name = 'low_balance'), ${settings.low_balance.default}::bigint)`;

/** Whether station `r`, whose balance is checked, has less available than its limit. */
export const isBelowLimit = sql<boolean>`(r.has_amount = 1 and r.available < ${lowLimit('r')})`;

/** Whole days that a balance lasts at its recent spending; null: nothing was spent and nothing is owed. What `runsOutIn` says of days, as a number. */
export const daysLeft = (available: number, spent: number): number | null => {
  if (available < 0) return 0;
  return spent <= 0 ? null : Math.floor((available * spendingDays) / spent);
};

/** Whether post-paid station `r` owes: its parcels cost more than was paid. */
export const isOwing = sql<boolean>`(r.has_amount = 0 and r.money < 0)`;

/**
 * The whole days up to `today` since the oldest parcel costs of station `r` that are unpaid, where payments settle the oldest first: the newest costs that
 * come to the debt. Null: nothing of the debt is parcels.
 */
export const daysOutstanding = (scope: Scope, today: string) => sql<number | null>`(select ${today}::date - min(c.day)
  from (select s.day, sum(s.amount) over (order by s.day desc) - s.amount as newer
    from (select d.day, sum(d.amount) as amount from ledger_days d
      where ${scopeCondition(scope, 'd.station_id')} and d.station_id = r.id and d.what = 'spent' group by d.day having sum(d.amount) > 0) s) c
  where c.newer < -r.money)`;

/** Task: adds the steps of the last minutes to the sums. */
export const rollUpMoney = async (tx: Tx): Promise<void> => {
  await sql`select ledger_roll_days()`.execute(tx);
};
