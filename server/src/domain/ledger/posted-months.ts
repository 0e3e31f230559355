import { periodOf } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

/** The first month with an entry or a bill; null if there is none. */
export const firstPeriod = async (work: Work): Promise<string | null> => {
  const row = await oneRow(
    work,
    sql<{ period: string | null }>`select min(period) as period
      from ((select period from ledger_transfers order by id limit 1)
    union all select min(period) from reconciliations where status <> 'discarded') f`,
  );
  return row.period;
};

/** Fails unless the month lies between the first posting or bill and the current month. */
export const requirePostedMonth = async (work: Work, period: string, now: Date): Promise<void> => {
  if (period > periodOf(now)) fail('period_not_ended', { period });
  const first = await firstPeriod(work);
  if (first === null) fail('period_nothing_posted', { period });
  else if (period < first) fail('period_before_first', { period, first });
};

/**
 * Fails unless the month lies between the first posting or bill and the last month that has
 * ended.
 */
export const requireEndedMonth = async (work: Work, period: string, now: Date): Promise<void> => {
  if (period >= periodOf(now)) fail('period_not_ended', { period });
  await requirePostedMonth(work, period, now);
};

/**
 * Fails for a month before the first statement of a station, because there is nothing to confirm.
 */
export const requireStationMonth = async (
  work: Work,
  station_id: number,
  period: string,
): Promise<void> => {
  const { rows } = await sql<{ first: string }>`select period as first from statements
    where station_id = ${station_id} and seq = 1`.execute(work.tx);
  if (!rows[0]) fail('period_nothing_posted', { period });
  else if (period < rows[0].first) fail('period_before_first', { period, first: rows[0].first });
};
