import { firstOf } from '@waystation/contract/base/present.ts';
import { recordPruned } from '#platform/audit.ts';
import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

const scope = systemScope('old pushes');
/**
 * `most`: the number of pushes removed in one transaction. `turns`: the number of transactions in
 * one run; the next run continues.
 */
const bounds = { most: 5_000, turns: 40 };

/**
 * Removes pushes that have been read and are older than the network settings allow. Messages made
 * from them stay with the parcels. Pushes that have not been read stay. Each transaction records
 * the number of removed pushes.
 */
export const removeOldPushes = async (
  db: Db,
  now: Date,
  { most, turns }: typeof bounds = bounds,
): Promise<void> => {
  const days = await db.tx(scope, (work) => readSetting(work, 'carrier_push_days'));
  const before = daysBefore(now, days);
  let after = 0;
  for (let turn = 0; turn < turns; turn++) {
    const last = await db.tx(scope, async (work) => {
      const { rows } = await sql<{
        last: number | null;
        removed: number;
      }>`with slice as materialized (
          select id, received_at, outcome from carrier_pushes where id > ${after}
            order by id limit ${most}),
        gone as (delete from carrier_pushes p using slice s where p.id = s.id
          and s.received_at < ${before} and s.outcome <> 'received' returning p.id)
        select (select max(id) from slice where received_at < ${before}) as last,
          (select count(*) from gone)::int as removed`.execute(work.tx);
      const slice = firstOf(rows);
      await recordPruned(work, 'carrier_pushes', { days, rows: slice.removed });
      return slice.last;
    });
    if (last === null) break;
    after = last;
  }
};
