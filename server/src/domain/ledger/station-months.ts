import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { mostStatementLines } from '@waystation/contract/money/station-statement.ts';
import type {
  StatementSummary,
  listConfirmations,
} from '@waystation/contract/money/station-statement.ts';
import type { StatementType } from '@waystation/contract/money/statement.ts';
import { present } from '@waystation/contract/base/present.ts';
import { periodOf } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { requireStationMonth } from './posted-months.ts';
import { closedMonths, monthStrip, monthStrips } from './statement-list.ts';
import type { Strip } from './statement-list.ts';
import { monthSums } from './statement-sums.ts';

/** The requested month of a station. */
export interface StationMonth {
  station_id: number;
  period: string;
}

/**
 * A transaction on the monthly statement. Its `balance` is a running balance that begins with the
 * month's opening balance.
 */
export interface MonthLine {
  seq: number;
  posted_at: string;
  type: StatementType;
  reversed: 0 | 1;
  delivery_id: string | null;
  amount: number;
  freeze_amount: number;
  balance: number;
  description: string;
}

interface Confirmed {
  confirmed_by_name: string;
  at: Date;
  note: string;
  opening: number;
  in: number;
  out: number;
  closing: number;
}

/** Makes the transaction read one snapshot; must be its first statement. */
const atOneMoment = async (work: Work): Promise<void> =>
  void (await sql`set transaction isolation level repeatable read`.execute(work.tx));

const stationIn = async (work: Work, id: number): Promise<{ id: number; name: string }> => {
  const row = await work.tx
    .selectFrom('stations')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where(scopeCondition(work, 'id'))
    .executeTakeFirst();
  return row ?? fail('not_found');
};

const figuresOf = async (
  work: Work,
  { station_id, period }: StationMonth,
): Promise<Strip & { lines: number }> => {
  return oneRow(
    work,
    sql<Strip & { lines: number }>`
    select x.opening::bigint, coalesce(x."in", 0)::bigint as "in",
      coalesce(x."out", 0)::bigint as "out", x.closing::bigint, x.frozen::bigint, x.lines
    from (${monthStrip(work, { station_id }, period)}) x`,
  );
};

const byType = async (
  work: Work,
  { station_id, period }: StationMonth,
): Promise<StatementSummary['by_type']> => {
  const { rows } = await sql<StatementSummary['by_type'][number]>`
    select s.type, sum(s.n)::bigint as lines, sum(s."in")::bigint as "in",
      sum(s."out")::bigint as "out",
      sum(s."in" - s."out")::bigint as amount, sum(s.freeze_amount)::bigint as freeze_amount
    from ${monthSums(work, { station_id }, { kind: 'one', period })} s group by s.type
      order by min(s.first_seq)`.execute(work.tx);
  return rows;
};

const confirmedOf = async (
  work: Work,
  { station_id, period }: StationMonth,
): Promise<Confirmed | undefined> => {
  return work.tx
    .selectFrom('statement_confirmations')
    .select(['confirmed_by_name', 'at', 'note', 'opening', 'in', 'out', 'closing'])
    .where('station_id', '=', station_id)
    .where('period', '=', period)
    .where(scopeCondition(work, 'station_id'))
    .executeTakeFirst();
};

/** `over`: 1 if a month is closed or has ended, so that it can be confirmed. */
const standingOf = async (
  work: Work,
  period: string,
  now: Date,
): Promise<{ over: 0 | 1; closed: 0 | 1 }> => {
  const closed = (await closedMonths(work)).includes(period) ? 1 : 0;
  return { over: closed === 1 || period < periodOf(now) ? 1 : 0, closed };
};

const summaryIn = async (work: Work, month: StationMonth, now: Date): Promise<StatementSummary> => {
  const { id, name } = await stationIn(work, month.station_id);
  const figures = await figuresOf(work, month);
  const confirmed = await confirmedOf(work, month);
  const differs = (['opening', 'in', 'out', 'closing'] as const).some(
    (figure) => confirmed && confirmed[figure] !== figures[figure],
  );
  return {
    station_id: id,
    station_name: name,
    period: month.period,
    ...(await standingOf(work, month.period, now)),
    ...figures,
    by_type: await byType(work, month),
    confirmation: confirmed ? { ...confirmed, at: confirmed.at.toISOString() } : null,
    changed: differs ? 1 : 0,
  };
};

/**
 * Returns the figures of a station's month; fails if the station is not in scope. Must be the first
 * in its transaction.
 */
export const monthSummary = async (
  work: Work,
  month: StationMonth,
  now: Date,
): Promise<StatementSummary> => {
  await atOneMoment(work);
  return summaryIn(work, month, now);
};

type LineRow = Omit<MonthLine, 'posted_at' | 'balance'> & { posted_at: Date };

/**
 * The newest link of a station's hash chain of transfers. It is printed on the station's statement.
 * With it, the holder can prove that the earlier postings were not changed.
 */
export interface ChainHead {
  seq: number;
  /** The hash in hexadecimal digits. */
  hash: string;
}

const chainHead = async (work: Work, station_id: number): Promise<ChainHead | null> => {
  const { rows } = await sql<ChainHead>`select seq, encode(hash, 'hex') as hash
    from ledger_chain
    where station_id = ${station_id} and ${scopeCondition(work, 'station_id')}
      order by seq desc limit 1`.execute(work.tx);
  return rows[0] ?? null;
};

/**
 * Returns the month of a station from one snapshot: all its statements in order, and the newest
 * link of the station's hash chain. Must be the first in its transaction. Throws if there are too
 * many statements for one file.
 */
export const monthStatement = async (
  work: Work,
  month: StationMonth,
  now: Date,
): Promise<{ summary: StatementSummary; lines: MonthLine[]; head: ChainHead | null }> => {
  const summary = await monthSummary(work, month, now);
  if (summary.lines > mostStatementLines)
    fail('statement_too_long', { count: summary.lines, limit: mostStatementLines });
  const { rows } = await sql<LineRow>`
    select s.seq, s.posted_at, s.type, (s.status = 'reversed')::int as reversed,
      coalesce(s.delivery_id, e.delivery_id) as delivery_id, s.amount, s.freeze_amount,
      s.description
    from statements s left join expresses e on e.id = s.express_id
      and ${scopeCondition(work, 'e.station_id')}
    where s.station_id = ${month.station_id} and s.period = ${month.period}
      and ${scopeCondition(work, 's.station_id')} order by s.seq`.execute(work.tx);
  let balance = summary.opening;
  const lines = rows.map(({ posted_at, ...row }) => ({
    ...row,
    posted_at: posted_at.toISOString(),
    balance: (balance += row.amount),
  }));
  return { summary, lines, head: await chainHead(work, month.station_id) };
};

interface Confirming extends StationMonth {
  closing: number;
  note: string;
  by: number;
  by_name: string;
  at: Date;
}

/**
 * Stores that the station confirms its month. `first` is false if it has confirmed the same closing
 * balance before. Fails with `period_not_over` if the month can still change. Fails with
 * `closing_differs` if the closing balance is not the balance that the user saw. Fails with
 * `statement_confirmed` if the station has confirmed another balance.
 */
export const confirmMonth = async (
  work: Work,
  { closing, note, by, by_name, at, ...month }: Confirming,
): Promise<{ first: boolean; summary: StatementSummary }> => {
  const seen = await summaryIn(work, month, at);
  if (seen.over === 0) fail('period_not_over', { period: month.period });
  const had = await confirmedOf(work, month);
  if (!had) await requireStationMonth(work, month.station_id, month.period);
  if (!had && closing !== seen.closing) fail('closing_differs', { closing_amount: seen.closing });
  const { rows } = had
    ? { rows: [] }
    : await sql`insert into statement_confirmations (station_id, period, opening, "in", "out",
      closing, frozen, lines, confirmed_by, confirmed_by_name, at, note)
        values (${month.station_id}, ${month.period}, ${seen.opening}, ${seen.in},
          ${seen.out}, ${seen.closing}, ${seen.frozen}, ${seen.lines}, ${by}, ${by_name},
          ${at}, ${note})
        on conflict (station_id, period) do nothing returning id`.execute(work.tx);
  const confirmed = present(await confirmedOf(work, month));
  if (confirmed.closing !== closing)
    fail('statement_confirmed', { period: month.period, closing_amount: confirmed.closing });
  return { first: rows.length === 1, summary: await summaryIn(work, month, at) };
};

type Confirmations = Omit<OutputOf<typeof listConfirmations>, 'reminded'>;

/**
 * Every station in scope that has statements in the month or has confirmed it. Stations that have
 * not confirmed it come first.
 */
export const confirmationsOf = async (
  work: Work,
  period: string,
  now: Date,
): Promise<Confirmations> => {
  const { rows } = await sql<
    Omit<Confirmations['items'][number], 'confirmed_at'> & { confirmed_at: Date | null }
  >`
    select n.id as station_id, n.name as station_name, x.opening::bigint,
      coalesce(x."in", 0)::bigint as "in", coalesce(x."out", 0)::bigint as "out",
      x.closing::bigint,
      x.frozen::bigint, x.lines, c.confirmed_by_name, c.at as confirmed_at,
      (c.id is not null and (c.opening, c."in", c."out", c.closing) is distinct
        from (x.opening::bigint, coalesce(x."in", 0)::bigint, coalesce(x."out", 0)::bigint,
        x.closing::bigint))::int as changed
    from stations n join (${monthStrips(work, period)}) x on x.station_id = n.id
      left join statement_confirmations c on c.station_id = n.id and c.period = ${period}
        and ${scopeCondition(work, 'c.station_id')}
    where ${scopeCondition(work, 'n.id')} and (x.lines > 0 or c.id is not null)
      order by c.id is not null, n.name, n.id`.execute(work.tx);
  return {
    period,
    ...(await standingOf(work, period, now)),
    stations: rows.length,
    confirmed: rows.filter(({ confirmed_at }) => confirmed_at !== null).length,
    items: rows.map((row) => ({ ...row, confirmed_at: row.confirmed_at?.toISOString() ?? null })),
  };
};
