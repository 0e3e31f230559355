import type { StatementStatus, StatementType } from '@waystation/contract/statement.ts';
import { asSystem, oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { sqlDayStart } from '#platform/db/days.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';

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

/** Opening + in − out = closing; the amount on hold at the end is separate. Fen. */
export interface Strip {
  opening: number;
  in: number;
  out: number;
  closing: number;
  frozen: number;
}

/** Rows of the requested station, optionally with the stations below it; without a station all in scope. */
export const ofStations = (scope: Scope, column: string, { station_id, with_children }: Pick<StatementFilters, 'station_id' | 'with_children'>) => {
  if (station_id === undefined) return sql<boolean>`true`;
  if (with_children !== 1) return sql<boolean>`${sql.ref(column)} = ${station_id}`;
  return sql<boolean>`${sql.ref(column)} in (with recursive down as (
      select d.id from stations d where d.id = ${station_id} and ${scopeCondition(scope, 'd.id')}
      union all select d.id from stations d join down u on d.parent_id = u.id where ${scopeCondition(scope, 'd.id')})
    select down.id from down)`;
};

/** The closed months; every role may read them. */
export const closedMonths = (tx: Tx, scope: Scope): Promise<string[]> =>
  asSystem(tx, scope, async () => (await tx.selectFrom('periods').select('period').where('status', '=', 'closed').execute()).map(({ period }) => period));

/** The longest time that a line waits for its station's lock after its own time was set: it may follow lines of a later time. */
const longestWait = sql.raw("interval '10 minutes'");

/** The balances on a station's last line. */
const last = sql`select s.balance, s.balance - s.available - s.fixed_freeze as frozen from statements s
  where s.station_id = n.id and s.seq is not null order by s.seq desc limit 1`;

/**
 * A station's balance and the amount on hold at a moment; zero before its first line. Calculated from the last line of an earlier time, without lines of
 * a later time that were posted before it, and with lines of an earlier time that were posted after it.
 */
const before = (moment: ReturnType<typeof sql>) => sql`
  select l.balance + coalesce(w.amount, 0) as balance, l.balance - l.available - l.fixed_freeze + coalesce(w.freeze_amount, 0) as frozen
  from (select s.seq, s.posted_at, s.balance, s.available, s.fixed_freeze from statements s
      where s.station_id = n.id and s.posted_at < ${moment} order by s.posted_at desc, s.seq desc limit 1) l
    left join lateral (select sum(case when s.posted_at < ${moment} then s.amount else -s.amount end) as amount,
        sum(case when s.posted_at < ${moment} then s.freeze_amount else -s.freeze_amount end) as freeze_amount
      from statements s where s.station_id = n.id and s.posted_at > l.posted_at - ${longestWait} and s.posted_at < l.posted_at + ${longestWait}
        and (s.posted_at < ${moment}) = (s.seq > l.seq)) w on true`;

const sumsOf = sql`sum(s.amount) filter (where s.amount > 0) as "in", -sum(s.amount) filter (where s.amount < 0) as "out"`;

/** The sums of the stations `n` over the requested days. */
const daysStrip = ({ posted_from, posted_to }: StatementFilters) => {
  const from = posted_from ? sqlDayStart(posted_from) : null;
  const to = posted_to ? sqlDayStart(posted_to, 1) : null;
  return sql`select coalesce(o.balance, 0) as opening, m."in", m."out", coalesce(c.balance, 0) as closing, coalesce(c.frozen, 0) as frozen
    from (select 1) one
      left join lateral (${from === null ? sql`select 0 as balance` : before(from)}) o on true
      left join lateral (select ${sumsOf} from statements s where s.station_id = n.id and s.posted_at is not null
        and ${from === null ? sql`true` : sql`s.posted_at >= ${from}`} and ${to === null ? sql`true` : sql`s.posted_at < ${to}`}) m on true
      left join lateral (${to === null ? last : before(to)}) c on true`;
};

/**
 * The sums of the station `n` over an accounting month, by the month that each line carries: its day may be another, because a closed month takes no lines.
 * Calculated back from the current balance, so that a recent month is cheap however long the history is. `lines`: those of the month.
 */
export const monthStrip = (period: string) => sql`
  select c.closing - coalesce(m."in", 0) + coalesce(m."out", 0) as opening, m."in", m."out", c.closing, c.frozen, m.lines
  from (select sum(s.amount) filter (where s.period = ${period} and s.amount > 0) as "in", -sum(s.amount) filter (where s.period = ${period} and s.amount < 0) as "out",
      count(*) filter (where s.period = ${period}) as lines, coalesce(sum(s.amount) filter (where s.period > ${period}), 0) as amount_after,
      coalesce(sum(s.freeze_amount) filter (where s.period > ${period}), 0) as freeze_after
    from statements s where s.station_id = n.id and s.period >= ${period}) m
    left join lateral (${last}) l on true
    cross join lateral (select coalesce(l.balance, 0) - m.amount_after as closing, coalesce(l.frozen, 0) - m.freeze_after as frozen) c`;

/** Whether the list shows every line of its stations and time, so that opening and closing balance can be given. */
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
  [q || undefined, type, status, earned_from, express_id, delivery_id, amount_from, amount_to, sign, closed, billed].every((filter) => filter === undefined) &&
  (period === undefined || (posted_from === undefined && posted_to === undefined));

/** Opening, in, out and closing of the requested stations and time, an accounting month or days; null if another filter narrows the list. */
export const stripOf = async (tx: Tx, scope: Scope, filters: StatementFilters): Promise<Strip | null> => {
  if (!isWhole(filters)) return null;
  const each = filters.period === undefined ? daysStrip(filters) : monthStrip(filters.period);
  return oneRow(
    tx,
    sql<Strip>`
    select coalesce(sum(x.opening), 0)::bigint as opening, coalesce(sum(x."in"), 0)::bigint as "in", coalesce(sum(x."out"), 0)::bigint as "out",
      coalesce(sum(x.closing), 0)::bigint as closing, coalesce(sum(x.frozen), 0)::bigint as frozen
    from stations n cross join lateral (${each}) x
    where ${scopeCondition(scope, 'n.id')} and ${ofStations(scope, 'n.id', filters)}`,
  );
};
