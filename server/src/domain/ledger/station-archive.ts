import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { monthSums, ofStations } from './statement-sums.ts';

export interface StationLines {
  id: number;
  name: string;
  lines: number;
}

/**
 * The stations in scope that have statements in the month, ordered by name. With `station_id`, only
 * that station and the stations below it. Fails with `not_found` if that station is not in scope.
 */
export const stationsOfMonth = async (
  work: Work,
  period: string,
  station_id: number | undefined,
): Promise<StationLines[]> => {
  const of = { station_id, with_children: 1 as const };
  if (station_id !== undefined) {
    const { rows } = await sql`select 1 from stations s where s.id = ${station_id}
      and ${scopeCondition(work, 's.id')}`.execute(work.tx);
    if (rows.length === 0) fail('not_found');
  }
  const { rows } = await sql<StationLines>`select n.id, n.name, sum(x.n)::bigint as lines
    from stations n join ${monthSums(work, of, { kind: 'one', period }, true)} x
      on x.station_id = n.id
    where ${scopeCondition(work, 'n.id')} and ${ofStations(work, 'n.id', of)}
    group by n.id, n.name order by n.name, n.id`.execute(work.tx);
  return rows;
};
