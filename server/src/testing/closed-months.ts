import { noteClosedMonth, noteReminder } from '#domain/inbox/inbox.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

/** Simulates that the office closes a month in which the station 南山 received 100 fen. */
const monthClosed = async (system: TestSystem, period: string): Promise<void> => {
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

/** Simulates that the office reminds the station 南山 to confirm its figures for the month. */
const monthReminded = (system: TestSystem, period: string): Promise<void> =>
  system.app.db.tx(systemScope('test'), (work) =>
    noteReminder(work, {
      period,
      stations: [system.station('nanshan').id],
      at: system.app.clock.now(),
    }),
  );

/** Simulates that the station 南山 confirms its figures for the month. */
const monthConfirmed = (system: TestSystem, period: string) =>
  rowsOf(
    system,
    sql`insert into statement_confirmations (station_id, period, opening, "in", "out", closing,
      frozen, lines, confirmed_by, confirmed_by_name, at, note)
      select ${system.station('nanshan').id}, ${period}, 0, 100, 0, 100, 0, 1, id, username, now(),
        '' from accounts where username = 'station'`,
  );

interface Happened {
  subject_id: null;
  entry: object | null;
}
type Outcome = readonly [
  what: string,
  reader: 'station' | 'partner',
  happens: () => Promise<Happened>,
];

/** Returns the notices about closed months, each with its expected outcome. */
export const monthOutcomes = (
  at: () => TestSystem,
): Record<'month_closed' | 'month_reminder', readonly Outcome[]> => ({
  month_closed: [
    [
      'the station has to confirm it',
      'station',
      async () => (
        await monthClosed(at(), '2026-01'),
        { subject_id: null, entry: { month: { period: '2026-01', confirmed: 0 } } }
      ),
    ],
    [
      'the station confirms it afterwards',
      'station',
      async () => (
        await monthClosed(at(), '2026-02'),
        await monthConfirmed(at(), '2026-02'),
        { subject_id: null, entry: { month: { period: '2026-02', confirmed: 1 } } }
      ),
    ],
    [
      'the station has confirmed it before',
      'station',
      async () => (
        await monthConfirmed(at(), '2026-03'),
        await monthClosed(at(), '2026-03'),
        { subject_id: null, entry: null }
      ),
    ],
  ],
  month_reminder: [
    [
      'the station has not confirmed it',
      'station',
      async () => (
        await monthReminded(at(), '2026-04'),
        { subject_id: null, entry: { month: { period: '2026-04', confirmed: 0 } } }
      ),
    ],
    [
      'the station confirms it afterwards',
      'station',
      async () => (
        await monthReminded(at(), '2026-05'),
        await monthConfirmed(at(), '2026-05'),
        { subject_id: null, entry: { month: { period: '2026-05', confirmed: 1 } } }
      ),
    ],
    [
      'the partner above cannot confirm it',
      'partner',
      async () => (await monthReminded(at(), '2026-06'), { subject_id: null, entry: null }),
    ],
  ],
});
