import { stateCode } from '@waystation/contract/express-states.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { hasJob } from '#platform/jobs/heartbeat.ts';
import type { JobContext } from '#platform/jobs/jobs.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { queueModify, queueSend } from './queues.ts';
import { lockExpress } from './row.ts';

const all = systemScope('missing calls');
/** Minutes without a change after which a call that no job will make is queued again: otherwise each is queued with what it is for, or by the one before. */
const missingAfter = 10;

/** What has waited since before this moment should have a job. */
export const missingSince = ({ clock }: Pick<CarrierContext, 'clock'>): Date => new Date(clock.now().getTime() - missingAfter * 60_000);
/** So many of a kind are queued at a time. */
const most = 200;

/** The carrier answered with a second waybill: the office decides between them, and nothing is called meanwhile. */
const isAnswered = sql<boolean>`jsonb_path_exists(e.waybill_claims, '$[*] ? (@.source == "answer" && !(@.rejected == 1))')`;

/**
 * Task, every ten minutes: queues the calls that open orders and edits wait for and that no job will make, as after jobs were deleted by hand, or locked by a
 * worker that does not run them. Money is held meanwhile, and nobody else would notice. Cancels are looked after where parcels on their way are polled.
 */
export const queueMissingCalls = async (context: CarrierContext, _: unknown, { log }: Pick<JobContext, 'log'>): Promise<void> => {
  const before = missingSince(context);
  const queued = await context.db.tx(all, async (tx) => {
    const { rows: orders } = await sql<{ id: number }>`select e.id from expresses e
      where e.state_code = ${stateCode.ordering} and e.updated_at < ${before} and not ${isAnswered} and not ${hasJob(sql`'send_order:' || e.id`, before)} order by e.id limit ${most}`.execute(
      tx,
    );
    // As it is once nobody else changes it: an order may have been settled, or sent again, since it was found.
    let sent = 0;
    for (const { id } of orders) {
      const { state_code, attempt } = await lockExpress(tx, all, id);
      if (state_code !== stateCode.ordering) continue;
      await queueSend(tx, { express_id: id, attempt });
      sent++;
    }
    const { rows: edits } = await sql<{ id: number }>`select d.id from express_edits d join expresses e on e.id = d.express_id
      where d.status = 'pending' and d.created_at < ${before} and e.updated_at < ${before} and not ${hasJob(sql`'modify_parcel:' || d.id`, before)}
      order by d.id limit ${most}`.execute(tx);
    for (const { id } of edits) await queueModify(tx, id);
    return { orders: sent, edits: edits.length };
  });
  if (queued.orders + queued.edits > 0) log.warn(queued, 'calls that no job would have made were queued');
};
