import { sql } from '#platform/db/db.ts';
import type { RowOf } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openAccount, recordCall } from './accounts.ts';
import type { CarrierContext } from './accounts.ts';

const all = systemScope('carrier outages');
/** The number of seconds without a call after which a carrier account that is down is tested. */
const probeAfter = 30;

/**
 * Task that runs every minute: tests accounts that are down and were not called recently, so that
 * an outage can end even if no order is sent.
 */
export const watchOutages = async (context: CarrierContext): Promise<void> => {
  const before = new Date(context.clock.now().getTime() - probeAfter * 1_000);
  const { rows } = await context.db.tx(all, (work) =>
    sql<RowOf<'merchants', 'id'>>`select m.id from merchants m where m.down_since is not null
      and m.paused_at is null and m.status = 1
      and not exists (select 1 from carrier_calls c where c.merchant_id = m.id
        and c.at >= ${before}) order by m.id`.execute(work.tx),
  );
  for (const { id } of rows) {
    const { carrier, account } = await openAccount(context, id);
    const answer = await carrier.test(account);
    await context.db.tx(all, (work) => recordCall(work, id, { express_id: null, answer }));
  }
};
