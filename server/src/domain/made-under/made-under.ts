import {
  mostAccountsMade,
  mostAccountsMadeInDay,
  mostStationsMade,
  mostStationsMadeInDay,
} from '@waystation/contract/base/limits.ts';
import { managerOf } from '#platform/auth/actor.ts';
import { businessDay, dayStart } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

/** The limits of rows that accounts under one manager may create, for each table. */
const bounds = {
  accounts: {
    at: sql`registered_at`,
    inDay: { most: mostAccountsMadeInDay, code: 'too_many_accounts_made_today' },
    inAll: { most: mostAccountsMade, code: 'too_many_accounts_made' },
  },
  stations: {
    at: sql`created_at`,
    inDay: { most: mostStationsMadeInDay, code: 'too_many_stations_made_today' },
    inAll: { most: mostStationsMade, code: 'too_many_stations_made' },
  },
} as const;

/**
 * The manager whose limit counts a new row that the actor creates in the table; null for admins,
 * who have no limit. Throws if the manager, together with all accounts created under it, has
 * reached the limit for this business day or the total limit. Other transactions under the same
 * manager wait until this one ends.
 */
export const requireRoomToMake = async (
  work: ReaderWork,
  table: 'accounts' | 'stations',
  now: Date,
): Promise<number | null> => {
  const manager = managerOf(work.actor);
  if (manager === null) return null;
  const { at, inDay, inAll } = bounds[table];
  await sql`select pg_advisory_xact_lock(hashtextextended(${`made ${table} ${manager}`},
    13))`.execute(work.tx);
  const since = dayStart(businessDay(now));
  // Rows that were created under the manager but moved out of the manager's scope count too.
  const { today, n } = await work.asSystem('count under a manager', (system) =>
    oneRow(
      system,
      sql<{ today: number; n: number }>`select count(*) filter (where ${at} >= ${since}) as today,
        count(*) as n
        from ${sql.table(table)} where made_under = ${manager}`,
    ),
  );
  if (today >= inDay.most) fail(inDay.code, { limit: inDay.most });
  if (n >= inAll.most) fail(inAll.code, { limit: inAll.most });
  return manager;
};
