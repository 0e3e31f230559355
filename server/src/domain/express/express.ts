/**
 * Changes of a parcel (requirements §4). A parcel is ordered once, its price is held and charged
 * exactly, and its state is calculated from the carrier's messages. Each function gets a parcel
 * that the actor may change, or finds the parcel within the actor's scope. `express-reads.ts` has
 * the read functions.
 */
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { watchOutages } from '#domain/carrier-accounts/carrier-accounts.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';
import { askFacts } from './ask-facts.ts';
import { cancelParcel } from './cancel.ts';
import { releaseOnHold } from './holding.ts';
import { modifyParcel } from './modify.ts';
import { queueMissingCalls } from './missing-calls.ts';
import { askTrace, pollLive } from './poll.ts';
import { readPush, readPushes } from './read-pushes.ts';
import {
  askFactsTask,
  askTraceTask,
  cancelParcelTask,
  cancelWaybillTask,
  modifyParcelTask,
  readPushTask,
  readPushesTask,
  releaseOnHoldTask,
  sortAgainTask,
} from './queues.ts';
import { sortAgain } from './sort-again.ts';
import { cancelWaybill } from './waybill.ts';

export {
  askParcel,
  createParcel,
  editSentParcel,
  editUnsentParcel,
  submitParcel,
} from './actions.ts';
export { cancelExpress } from './cancel.ts';
export { decideCharge, isChargeStorable } from './decide-charge.ts';
export { handleException, markLeftBehind } from './exceptions.ts';
export { removeOldPushes } from './old-pushes.ts';
export { applyFacts, reweigh } from './facts.ts';
export { heldChargeOf, takeBillFacts } from './held-charges.ts';
export { placeOrder } from './order.ts';
export type { Order } from './order.ts';
export { checkOutcome, waybillOwner } from './ask-outcome.ts';
export { decideOutcome } from './outcome.ts';
export { pushStore } from './push-store.ts';
export { askFacts } from './ask-facts.ts';
export { askTrace } from './poll.ts';
export { billContradictedTask, queueRelease, queueTrace, sendOrderTask } from './queues.ts';
export { lockExpress } from './row.ts';
export { sendOrder } from './send.ts';
export { decideWaybill } from './waybill.ts';

type Needs = CarrierContext & { config: { carrier: { pollSeconds: number } } };

/** All tasks except `send_order`, which domain/imports runs at its own pace. */
export const expressTasks: readonly TaskHandler<Needs>[] = [
  sortAgainTask.runs(sortAgain),
  cancelParcelTask.runs(cancelParcel),
  cancelWaybillTask.runs(cancelWaybill),
  modifyParcelTask.runs(modifyParcel),
  askFactsTask.runs(askFacts),
  askTraceTask.runs(askTrace),
  readPushesTask.runs(readPushes),
  readPushTask.runs(readPush),
  releaseOnHoldTask.runs(releaseOnHold),
  task('poll_live', noPayload, { attempts: 3, every: '* * * * *' }).runs(pollLive),
  task('queue_missing_calls', noPayload, { attempts: 3, every: '*/10 * * * *' }).runs(
    queueMissingCalls,
  ),
  task('watch_outages', noPayload, { attempts: 3, every: '* * * * *' }).runs(watchOutages),
];
