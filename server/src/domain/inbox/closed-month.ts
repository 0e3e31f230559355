import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * Writes a notice for each station that had transactions in the month that was just closed. Holds
 * count as transactions. Partners above the station get no notice, because only the station can
 * confirm. A station that has confirmed the same amounts gets no notice, so that closing a month
 * again does not repeat notices.
 */
export const noteClosedMonth = async (work: Work, period: string, at: Date): Promise<void> => {
  await sql`insert into inbox_notices (kind, station_id, data, at)
    select 'month_closed', p.station_id, jsonb_build_object('period', p.period), ${at}
    from period_balances p where p.period = ${period} and (p.in_amount <> 0 or p.out_amount <> 0
        or exists (select 1 from statements s where s.station_id = p.station_id
          and s.period = p.period))
      and not exists (select 1 from statement_confirmations c where c.station_id = p.station_id
        and c.period = p.period and (c.opening, c."in", c."out", c.closing)
          = (p.opening, p.in_amount, p.out_amount, p.closing))`.execute(work.tx);
};

/**
 * Writes a reminder for each of these stations, because they have not confirmed the closed month.
 */
export const noteReminder = async (
  work: Work,
  { period, stations, at }: { period: string; stations: readonly number[]; at: Date },
): Promise<void> => {
  await sql`insert into inbox_notices (kind, station_id, data, at)
    select 'month_reminder', id, jsonb_build_object('period', ${period}::text), ${at}
    from unnest(${stations}::bigint[]) id`.execute(work.tx);
};
