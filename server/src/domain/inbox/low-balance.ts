import { warnedDays } from '@waystation/contract/shell/workplace.ts';
import { daysLeft, isBelowLimit, lowLimit, runsOutIn, spentLately } from '#domain/ledger/ledger.ts';
import { businessDay } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/**
 * Task that runs every hour: writes a notice for each station whose balance runs out soon or is
 * below its limit. The notice is repeated after as many days as the warning covers. The network's
 * limit counts only for stations with recent costs, so that unused stations get no notice.
 */
export const noteLowBalances = async ({
  db,
  clock,
}: {
  db: Db;
  clock: { now(): Date };
}): Promise<void> => {
  const now = clock.now();
  const scope = systemScope('low balances');
  const today = businessDay(now);
  const since = new Date(now.getTime() - warnedDays * 86_400_000);
  await db.tx(scope, async (work) => {
    const { rows } = await sql<{
      station_id: number;
      available: number;
      spent: number;
      low_limit: number | null;
    }>`
      select r.id as station_id, r.available, x.spent, case
        when ${isBelowLimit} then ${lowLimit('r')} end as low_limit
      from stations r cross
        join lateral (select ${spentLately(work, today)} as spent offset 0) x
      where (${runsOutIn(work, today, warnedDays, sql<number>`x.spent`)}
        or (r.status = 1 and ${isBelowLimit} and (r.low_balance is not null or x.spent > 0)))
        and not exists (select 1 from inbox_entries e where e.kind = 'low_balance'
          and e.station_id = r.id and e.at > ${since})
        and not exists (select 1 from inbox_notices n where n.kind = 'low_balance'
          and n.station_id = r.id)`.execute(work.tx);
    for (const { station_id, available, spent, low_limit } of rows) {
      const data = jsonText({ available, days_left: daysLeft(available, spent), low_limit });
      await sql`insert into inbox_notices (kind, station_id, data, at)
        values ('low_balance', ${station_id}, ${data}::jsonb, ${now})`.execute(work.tx);
    }
  });
};
