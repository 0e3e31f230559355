import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

const scope = systemScope('old pushes');
/** Pushes of a transaction, and transactions of a run; the next run continues. */
const bounds = { most: 5_000, turns: 40 };

/**
 * Removes pushes that were read and are older than the setting; their messages stay with the
 * parcels. One that waits to be read is kept. Returns their number.
 */
export const removeOldPushes = async (
  db: Db,
  now: Date,
  { most, turns }: typeof bounds = bounds,
): Promise<number> => {
  const days = await db.tx(scope, (work) => readSetting(work, 'carrier_push_days'));
  const before = daysBefore(now, days);
  let after = 0;
  let removed = 0;
  for (let turn = 0; turn < turns; turn++) {
    const [slice] = await db.rows(
      scope,
      sql<{ last: number | null; removed: number }>`with slice as materialized (
          select id, received_at, outcome from carrier_pushes where id > ${after}
            order by id limit ${most}),
        gone as (delete from carrier_pushes p using slice s where p.id = s.id
          and s.received_at < ${before} and s.outcome <> 'received' returning p.id)
        select (select max(id) from slice where received_at < ${before}) as last,
          (select count(*) from gone)::int as removed`,
    );
    removed += slice?.removed ?? 0;
    if (!slice || slice.last === null) break;
    after = slice.last;
  }
  return removed;
};
