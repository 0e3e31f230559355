import type { OutputOf } from '@waystation/contract/endpoint.ts';
import { mostStatementLines } from '@waystation/contract/station-statement.ts';
import type { StatementSummary, listConfirmations } from '@waystation/contract/station-statement.ts';
import type { StatementType } from '@waystation/contract/statement.ts';
import { periodOf } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
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

/** A line of a month on the statement; `balance` runs from the month's opening balance. */
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

/** The first statement of a transaction: all later ones read the same snapshot. */
const atOneMoment = async (tx: Tx): Promise<void> => void (await sql`set transaction isolation level repeatable read`.execute(tx));

const stationIn = async (tx: Tx, scope: Scope, id: number): Promise<{ id: number; name: string }> => {
  const row = await tx.selectFrom('stations').select(['id', 'name']).where('id', '=', id).where(scopeCondition(scope, 'id')).executeTakeFirst();
  return row ?? fail('not_found');
};

const figuresOf = async (tx: Tx, scope: Scope, { station_id, period }: StationMonth): Promise<Strip & { lines: number }> => {
  return oneRow(
    tx,
    sql<Strip & { lines: number }>`
    select x.opening::bigint, coalesce(x."in", 0)::bigint as "in", coalesce(x."out", 0)::bigint as "out", x.closing::bigint, x.frozen::bigint, x.lines
    from (${monthStrip(scope, { station_id }, period)}) x`,
  );
};

const byType = async (tx: Tx, scope: Scope, { station_id, period }: StationMonth): Promise<StatementSummary['by_type']> => {
  const { rows } = await sql<StatementSummary['by_type'][number]>`
    select s.type, sum(s.n)::bigint as lines, sum(s."in")::bigint as "in", sum(s."out")::bigint as "out",
      sum(s."in" - s."out")::bigint as amount, sum(s.freeze_amount)::bigint as freeze_amount
    from ${monthSums(scope, { station_id }, { kind: 'one', period })} s group by s.type order by min(s.first_seq)`.execute(tx);
  return rows;
};

const confirmedOf = async (tx: Tx, scope: Scope, { station_id, period }: StationMonth): Promise<Confirmed | undefined> => {
  return tx
    .selectFrom('statement_confirmations')
    .select(['confirmed_by_name', 'at', 'note', 'opening', 'in', 'out', 'closing'])
    .where('station_id', '=', station_id)
    .where('period', '=', period)
    .where(scopeCondition(scope, 'station_id'))
    .executeTakeFirst();
};

/** Whether a month can be confirmed: it is closed, or its days are over and no posting can fall into it any more. */
const standingOf = async (tx: Tx, scope: Scope, period: string, now: Date): Promise<{ over: 0 | 1; closed: 0 | 1 }> => {
  const closed = (await closedMonths(tx, scope)).includes(period) ? 1 : 0;
  return { over: closed === 1 || period < periodOf(now) ? 1 : 0, closed };
};

const summaryIn = async (tx: Tx, scope: Scope, month: StationMonth, now: Date): Promise<StatementSummary> => {
  const { id, name } = await stationIn(tx, scope, month.station_id);
  const figures = await figuresOf(tx, scope, month);
  const confirmed = await confirmedOf(tx, scope, month);
  const differs = (['opening', 'in', 'out', 'closing'] as const).some((figure) => confirmed && confirmed[figure] !== figures[figure]);
  return {
    station_id: id,
    station_name: name,
    period: month.period,
    ...(await standingOf(tx, scope, month.period, now)),
    ...figures,
    by_type: await byType(tx, scope, month),
    confirmation: confirmed ? { ...confirmed, at: confirmed.at.toISOString() } : null,
    changed: differs ? 1 : 0,
  };
};

/** The figures of a station's month; not found outside the scope. Begins its transaction. */
export const monthSummary = async (tx: Tx, scope: Scope, month: StationMonth, now: Date): Promise<StatementSummary> => {
  await atOneMoment(tx);
  return summaryIn(tx, scope, month, now);
};

type LineRow = Omit<MonthLine, 'posted_at' | 'balance'> & { posted_at: Date };

/** The head of a station's chain of transfers: printed on its statement, it proves to the holder what was posted before. */
export interface ChainHead {
  seq: number;
  /** Hexadecimal digits. */
  hash: string;
}

const chainHead = async (tx: Tx, scope: Scope, station_id: number): Promise<ChainHead | null> => {
  const { rows } = await sql<ChainHead>`select seq, encode(hash, 'hex') as hash from ledger_chain
    where station_id = ${station_id} and ${scopeCondition(scope, 'station_id')} order by seq desc limit 1`.execute(tx);
  return rows[0] ?? null;
};

/** The month with every line in order and the head of the station's chain, of one snapshot. Begins its transaction; throws if there are too many lines for one file. */
export const monthStatement = async (
  tx: Tx,
  scope: Scope,
  month: StationMonth,
  now: Date,
): Promise<{ summary: StatementSummary; lines: MonthLine[]; head: ChainHead | null }> => {
  const summary = await monthSummary(tx, scope, month, now);
  if (summary.lines > mostStatementLines) fail('statement_too_long', { count: summary.lines, limit: mostStatementLines });
  const { rows } = await sql<LineRow>`
    select s.seq, s.posted_at, s.type, (s.status = 'reversed')::int as reversed, coalesce(s.delivery_id, e.delivery_id) as delivery_id, s.amount, s.freeze_amount, s.description
    from statements s left join expresses e on e.id = s.express_id and ${scopeCondition(scope, 'e.station_id')}
    where s.station_id = ${month.station_id} and s.period = ${month.period} and ${scopeCondition(scope, 's.station_id')} order by s.seq`.execute(tx);
  let balance = summary.opening;
  const lines = rows.map(({ posted_at, ...row }) => ({ ...row, posted_at: posted_at.toISOString(), balance: (balance += row.amount) }));
  return { summary, lines, head: await chainHead(tx, scope, month.station_id) };
};

interface Confirming extends StationMonth {
  closing: number;
  note: string;
  by: number;
  by_name: string;
  at: Date;
}

/**
 * Stores that the station confirms its month; `first` false: it has confirmed the same closing balance before. Fails with `period_not_over`, with
 * `closing_differs` if the closing balance is not the one that the user saw, and with `statement_confirmed` if it has confirmed another one.
 */
export const confirmMonth = async (
  tx: Tx,
  scope: Scope,
  { closing, note, by, by_name, at, ...month }: Confirming,
): Promise<{ first: boolean; summary: StatementSummary }> => {
  const seen = await summaryIn(tx, scope, month, at);
  if (seen.over === 0) fail('period_not_over', { period: month.period });
  const had = await confirmedOf(tx, scope, month);
  if (!had) await requireStationMonth(tx, month.station_id, month.period);
  if (!had && closing !== seen.closing) fail('closing_differs', { closing_amount: seen.closing });
  const { rows } = had
    ? { rows: [] }
    : await sql`insert into statement_confirmations (station_id, period, opening, "in", "out", closing, frozen, lines, confirmed_by, confirmed_by_name, at, note)
        values (${month.station_id}, ${month.period}, ${seen.opening}, ${seen.in}, ${seen.out}, ${seen.closing}, ${seen.frozen}, ${seen.lines}, ${by}, ${by_name}, ${at}, ${note})
        on conflict (station_id, period) do nothing returning id`.execute(tx);
  const confirmed = (await confirmedOf(tx, scope, month))!;
  if (confirmed.closing !== closing) fail('statement_confirmed', { period: month.period, closing_amount: confirmed.closing });
  return { first: rows.length === 1, summary: await summaryIn(tx, scope, month, at) };
};

type Confirmations = OutputOf<typeof listConfirmations>;

/** Every station in scope that has lines in the month or has confirmed it; unconfirmed ones come first. */
export const confirmationsOf = async (tx: Tx, scope: Scope, period: string, now: Date): Promise<Confirmations> => {
  const { rows } = await sql<Omit<Confirmations['items'][number], 'confirmed_at'> & { confirmed_at: Date | null }>`
    select n.id as station_id, n.name as station_name, x.opening::bigint, coalesce(x."in", 0)::bigint as "in", coalesce(x."out", 0)::bigint as "out", x.closing::bigint,
      x.frozen::bigint, x.lines, c.confirmed_by_name, c.at as confirmed_at,
      (c.id is not null and (c.opening, c."in", c."out", c.closing) is distinct from (x.opening::bigint, coalesce(x."in", 0)::bigint, coalesce(x."out", 0)::bigint, x.closing::bigint))::int as changed
    from stations n join (${monthStrips(scope, period)}) x on x.station_id = n.id
      left join statement_confirmations c on c.station_id = n.id and c.period = ${period} and ${scopeCondition(scope, 'c.station_id')}
    where ${scopeCondition(scope, 'n.id')} and (x.lines > 0 or c.id is not null) order by c.id is not null, n.name, n.id`.execute(tx);
  return {
    period,
    ...(await standingOf(tx, scope, period, now)),
    stations: rows.length,
    confirmed: rows.filter(({ confirmed_at }) => confirmed_at !== null).length,
    items: rows.map((row) => ({ ...row, confirmed_at: row.confirmed_at?.toISOString() ?? null })),
  };
};
