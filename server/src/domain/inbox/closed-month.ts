import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * Writes a notice for each station whose money moved in the month that was just closed. A station
 * that has confirmed the same figures gets none, so that closing again repeats nothing.
 */
export const noteClosedMonth = async (work: Work, period: string, at: Date): Promise<void> => {
  await sql`insert into inbox_notices (kind, station_id, data, at)
    select 'month_closed', p.station_id, jsonb_build_object('period', p.period), ${at}
    from period_balances p where p.period = ${period} and (p.in_amount <> 0 or p.out_amount <> 0)
      and not exists (select 1 from statement_confirmations c where c.station_id = p.station_id
        and c.period = p.period and (c.opening, c."in", c."out", c.closing)
          = (p.opening, p.in_amount, p.out_amount, p.closing))`.execute(work.tx);
};
