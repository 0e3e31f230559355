import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { hasJob } from '#platform/jobs/heartbeat.ts';
import { sqlKeyOf } from '#platform/jobs/task.ts';
import type { JobContext } from '#platform/jobs/task.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { modifyParcelTask, queueModify, queueSend, sendOrderTask } from './queues.ts';
import { lockExpress } from './row.ts';

const all = systemScope('missing calls');
/**
 * Minutes after which a call that has no job is queued again, if its parcel has not changed.
 * Normally a call is queued together with its cause, or by the previous call.
 */
const missingAfter = 10;

/**
 * Returns a time. If a parcel has waited since before this time, it should have a job; a missing
 * job is queued again.
 */
export const missingSince = ({ clock }: Pick<CarrierContext, 'clock'>): Date =>
  new Date(clock.now().getTime() - missingAfter * 60_000);
/** The largest number of calls of one kind that are queued in one run. */
const most = 200;

/**
 * SQL condition: the carrier's answer contains a second waybill. An administrator decides between
 * the two waybills, and until then no call is made.
 */
const isAnswered = sql<boolean>`jsonb_path_exists(e.waybill_claims,
  '$[*] ? (@.source == "answer" && !(@.rejected == 1))')`;

const keyOfOrder = sqlKeyOf(sendOrderTask, { express_id: sql.ref('e.id') });
const keyOfEdit = sqlKeyOf(modifyParcelTask, { edit_id: sql.ref('d.id') });

/**
 * Task, every ten minutes: queues calls of open orders and edits that have no job. Jobs may have
 * been deleted by hand, or locked by a worker that does not run them. Such orders and edits hold
 * money, and no other check would notice that their job is missing. The polling of live parcels
 * does the same for cancels.
 */
export const queueMissingCalls = async (
  context: CarrierContext,
  _: unknown,
  { log }: Pick<JobContext, 'log'>,
): Promise<void> => {
  const before = missingSince(context);
  const queued = await context.db.tx(all, async (work) => {
    const { rows: orders } = await sql<{ id: number }>`select e.id from expresses e
      where e.state_code = ${stateCode.ordering} and e.updated_at < ${before}
        and not ${isAnswered} and not ${hasJob(keyOfOrder, before)}
        order by e.id limit ${most}`.execute(work.tx);
    // The order is read again under its lock, because it may have been settled or sent again in the
    // meantime.
    let sent = 0;
    for (const { id } of orders) {
      const { state_code, attempt } = await lockExpress(work, id);
      if (state_code !== stateCode.ordering) continue;
      await queueSend(work, { express_id: id, attempt });
      sent++;
    }
    const { rows: edits } = await sql<{ id: number }>`select d.id from express_edits d
      join expresses e on e.id = d.express_id
      where d.status = 'pending' and d.created_at < ${before} and e.updated_at < ${before}
        and not ${hasJob(keyOfEdit, before)}
      order by d.id limit ${most}`.execute(work.tx);
    for (const { id } of edits) await queueModify(work, { edit_id: id });
    return { orders: sent, edits: edits.length };
  });
  if (queued.orders + queued.edits > 0)
    log.warn(queued, 'calls that no job would have made were queued');
};
