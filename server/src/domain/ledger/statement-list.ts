import type { StatementStatus, StatementType } from '@waystation/contract/money/statement.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { sqlDayStart } from '#platform/db/days.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { longestWait, monthSums, ofStations, sumsOfFilters } from './statement-sums.ts';
import type { OfStations } from './statement-sums.ts';

export interface StatementPaging extends StatementFilters {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort?: 'posted_at' | '-posted_at' | undefined;
}

export interface StatementFilters {
  q?: string | undefined;
  station_id?: number | undefined;
  with_children?: 0 | 1 | undefined;
  type?: StatementType[] | undefined;
  status?: StatementStatus | undefined;
  amount_from?: number | undefined;
  amount_to?: number | undefined;
  sign?: 'in' | 'out' | undefined;
  earned_from?: number | undefined;
  express_id?: number | undefined;
  delivery_id?: string | undefined;
  period?: string | undefined;
  closed?: 0 | 1 | undefined;
  billed?: 0 | 1 | undefined;
  posted_from?: string | undefined;
  posted_to?: string | undefined;
}

/** Opening + in − out = closing. The amount on hold at the end is separate. All in fen. */
export interface Strip {
  opening: number;
  in: number;
  out: number;
  closing: number;
  frozen: number;
}

/** The closed months of the ledger, which every role may read. */
export const closedMonths = (work: Work): Promise<string[]> =>
  work.asSystem('closed months', async (system) =>
    (
      await system.tx
        .selectFrom('periods')
        .select('period')
        .where('status', '=', 'closed')
        .execute()
    ).map(({ period }) => period),
  );

/** SQL: the balances after a station's last statement. */
const last = sql`select s.balance, s.balance - s.available - s.fixed_freeze as frozen
  from statements s
  where s.station_id = n.id and s.seq is not null order by s.seq desc limit 1`;

/**
 * SQL: a station's balance and the amount on hold at a time; zero before its first statement.
 * Calculated from the last statement with an earlier time. Statements with a later time that were
 * posted before that statement are subtracted. Statements with an earlier time that were posted
 * after that statement are added.
 */
const before = (moment: ReturnType<typeof sql>) => sql`
  select l.balance + coalesce(w.amount, 0) as balance,
    l.balance - l.available - l.fixed_freeze + coalesce(w.freeze_amount, 0) as frozen
  from (select s.seq, s.posted_at, s.balance, s.available, s.fixed_freeze from statements s
      where s.station_id = n.id and s.posted_at < ${moment}
        order by s.posted_at desc, s.seq desc limit 1) l
    left join lateral (select sum(case when s.posted_at < ${moment} then s.amount
      else -s.amount end) as amount,
        sum(case when s.posted_at < ${moment} then s.freeze_amount else -s.freeze_amount
          end) as freeze_amount
      from statements s where s.station_id = n.id
        and s.posted_at > l.posted_at - ${longestWait}
        and s.posted_at < l.posted_at + ${longestWait}
        and (s.posted_at < ${moment}) = (s.seq > l.seq)) w on true`;

/**
 * SQL: the sums over the requested days, or over all time, with the balances of the stations before
 * and after these days.
 */
const daysStrip = (work: Scoped, filters: StatementFilters) => {
  const from = filters.posted_from ? sqlDayStart(filters.posted_from) : null;
  const to = filters.posted_to ? sqlDayStart(filters.posted_to, 1) : null;
  return sql`select b.opening, m."in", m."out", b.closing, b.frozen
    from (select sum(x."in") as "in", sum(x."out") as "out"
      from ${sumsOfFilters(work, filters)!} x) m
      cross join (select sum(o.balance) as opening, sum(c.balance) as closing,
        sum(c.frozen) as frozen from stations n
        left
          join lateral (${from === null ? sql`select 0 as balance` : before(from)}) o on true
        left join lateral (${to === null ? last : before(to)}) c on true
      where ${scopeCondition(work, 'n.id')} and ${ofStations(work, 'n.id', filters)}) b`;
};

/**
 * SQL: the sums of the columns of `monthSums`, once for the statements in the month and once for
 * the statements after it.
 */
const monthFigures = (period: string) => sql`
  sum(x."in") filter (where x.period = ${period}) as "in",
    sum(x."out") filter (where x.period = ${period}) as "out",
    sum(x.n) filter (where x.period = ${period}) as lines,
  sum(x."in" - x."out") filter (where x.period > ${period}) as amount_after,
    sum(x.freeze_amount) filter (where x.period > ${period}) as freeze_after`;

/**
 * SQL: the balances of a month, calculated backwards from the present balances `l` and the sums
 * `m`.
 */
const monthBalances = sql`select c.closing - coalesce(m."in", 0) + coalesce(m."out",
  0) as opening, m."in", m."out", c.closing,
  coalesce(l.frozen, 0) - coalesce(m.freeze_after, 0) as frozen,
    coalesce(m.lines, 0)::bigint as lines`;
const closingNow = sql`cross join lateral (select coalesce(l.balance,
  0) - coalesce(m.amount_after, 0) as closing) c`;

/**
 * SQL: the sums over an accounting month. A statement belongs to the month stored in it, even if
 * its day is in another month, because a closed month accepts no more statements. Calculated
 * backwards from the present balances, so that a recent month is read quickly however long the
 * history is. `lines`: the number of statements of the month.
 */
export const monthStrip = (work: Scoped, of: OfStations, period: string) => sql`${monthBalances}
  from (select ${monthFigures(period)}
    from ${monthSums(work, of, { kind: 'from', period })} x) m
    cross join (select sum(l.balance) as balance, sum(l.frozen) as frozen from stations n left
      join lateral (${last}) l on true
      where ${scopeCondition(work, 'n.id')}
        and ${ofStations(work, 'n.id', of)}) l ${closingNow}`;

/**
 * SQL: a table with the opening, in, out and closing of a month for each station in scope, by
 * `station_id`.
 */
export const monthStrips = (
  work: Scoped,
  period: string,
) => sql`select s.station_id, x.opening, x."in", x."out", x.closing, x.frozen, x.lines
  from (select n.id as station_id from stations n where ${scopeCondition(work, 'n.id')}) s
  left join (select x.station_id, ${monthFigures(period)}
    from ${monthSums(work, {}, { kind: 'from', period }, true)} x
    group by 1) m on m.station_id = s.station_id
  left join lateral (select l.balance, l.frozen from stations n cross join lateral (${last}) l
    where n.id = s.station_id and ${scopeCondition(work, 'n.id')}) l on true
  cross join lateral (${monthBalances} from (select 1) one ${closingNow}) x`;

/**
 * True if the list shows all statements of its stations in its time range. Only then can an opening
 * and a closing balance be shown.
 */
const isWhole = ({
  q,
  type,
  status,
  earned_from,
  express_id,
  delivery_id,
  amount_from,
  amount_to,
  sign,
  closed,
  billed,
  period,
  posted_from,
  posted_to,
}: StatementFilters): boolean =>
  [
    q || undefined,
    type,
    status,
    earned_from,
    express_id,
    delivery_id,
    amount_from,
    amount_to,
    sign,
    closed,
    billed,
  ].every((filter) => filter === undefined) &&
  (period === undefined || (posted_from === undefined && posted_to === undefined));

/**
 * Opening, in, out and closing balance of the filtered stations in the filtered month or days. Null
 * if the list has another filter, so that these balances would not fit it.
 */
export const stripOf = async (work: Work, filters: StatementFilters): Promise<Strip | null> => {
  if (!isWhole(filters)) return null;
  const sums =
    filters.period === undefined
      ? daysStrip(work, filters)
      : monthStrip(work, filters, filters.period);
  return oneRow(
    work,
    sql<Strip>`
    select coalesce(x.opening, 0)::bigint as opening, coalesce(x."in", 0)::bigint as "in",
      coalesce(x."out", 0)::bigint as "out",
      coalesce(x.closing, 0)::bigint as closing, coalesce(x.frozen, 0)::bigint as frozen
    from (${sums}) x`,
  );
};
