import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { businessDay, businessTime } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { confirmationsOf } from './station-months.ts';

/** The latest reminder of a month; null if there was none. */
export const lastReminder = async (
  work: Work,
  period: string,
): Promise<{ at: Date; by_name: string; stations: number } | null> => {
  const { rows } = await sql<{ at: Date; by_name: string; stations: number }>`
    select r.at, coalesce(nullif(a.nickname, ''), a.username) as by_name, r.stations
    from period_reminders r join accounts a on a.id = r.account_id
    where r.period = ${period} order by r.day desc limit 1`.execute(work.tx);
  return rows[0] ?? null;
};

/**
 * Stores a reminder of a closed month for the stations that have not confirmed the month. `heard`:
 * the ids of the reminded stations, which are enabled and have an account that can confirm.
 * `unheard`: the names of the other stations. Fails with `period_open` if the month is not closed,
 * and with `period_confirmed` if all stations have confirmed. Fails with `period_unheard` if no
 * remaining station has such an account, and with `period_reminded` after a reminder on the same
 * business day.
 */
export const remindOfMonth = async (
  work: UserWork,
  period: string,
  at: Date,
): Promise<{ heard: number[]; unheard: string[] }> => {
  // A concurrent reopening of the month must wait for this lock. A reopening that is already
  // committed is visible from here on.
  await sql`select ledger_close_lock()`.execute(work.tx);
  const { status } = await oneRow(
    work,
    sql<{ status: BookPeriod['status'] }>`select coalesce((select status from periods
      where period = ${period}), 'open') as status`,
  );
  if (status !== 'closed') fail('period_open', { period });
  const { items } = await confirmationsOf(work, period, at);
  const left = items.filter(({ confirmed_at }) => confirmed_at === null);
  if (left.length === 0) fail('period_confirmed', { period });
  const { rows: heard } = await sql<{ id: number }>`select s.id from stations s
    where s.id = any(${left.map(({ station_id }) => station_id)}::bigint[]) and s.status = 1
      and exists (select from accounts a where a.station_id = s.id and a.status = 1
        and a.role in ('station', 'partner')) order by s.id`.execute(work.tx);
  if (heard.length === 0)
    fail('period_unheard', { period, names: left.map((each) => each.station_name).join('、') });
  const { rows } = await sql`insert into period_reminders (period, day, account_id, stations, at)
    values (${period}, ${businessDay(at)}::date, ${work.actor.account_id}, ${heard.length}, ${at})
    on conflict do nothing returning day`.execute(work.tx);
  if (rows.length === 0) {
    const last = await lastReminder(work, period);
    fail('period_reminded', { period, time: businessTime(last?.at ?? at) });
  }
  const ids = new Set(heard.map(({ id }) => id));
  const unheard = left.filter(({ station_id }) => !ids.has(station_id));
  return { heard: [...ids], unheard: unheard.map(({ station_name }) => station_name) };
};
