import { noteClosedMonth } from '#domain/inbox/inbox.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

/** The office closes a month in which the station 南山 received 100 fen. */
export const monthClosed = async (system: TestSystem, period: string): Promise<void> => {
  await rowsOf(
    system,
    sql`insert into periods (period, status, entries, trial_balance, last_transfer_id, closed_at,
      closed_by) select ${period}, 'closed', 0, '[]', 0, now(), id from accounts
      where username = 'super'`,
  );
  await rowsOf(
    system,
    sql`insert into period_balances (period, station_id, opening, in_amount, out_amount, closing,
      frozen) values (${period}, ${system.station('nanshan').id}, 0, 100, 0, 100, 0)`,
  );
  await system.app.db.tx(systemScope('test'), (work) =>
    noteClosedMonth(work, period, system.app.clock.now()),
  );
};

/** The station 南山 confirms these figures of the month. */
export const monthConfirmed = (system: TestSystem, period: string) =>
  rowsOf(
    system,
    sql`insert into statement_confirmations (station_id, period, opening, "in", "out", closing,
      frozen, lines, confirmed_by, confirmed_by_name, at, note)
      select ${system.station('nanshan').id}, ${period}, 0, 100, 0, 100, 0, 1, id, username, now(),
        '' from accounts where username = 'station'`,
  );
