/**
 * What changes a parcel (requirements §4): ordered once, held and charged to the fen, its state a fold over the carrier's messages. Each function takes
 * a parcel that the actor may change, or finds it within the scope; reading is in `express-reads.ts`.
 */
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { watchOutages } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { Task } from '#platform/jobs/jobs.ts';
import { askFacts } from './ask-facts.ts';
import { cancelParcel } from './cancel.ts';
import { releaseOnHold } from './holding.ts';
import { modifyParcel } from './modify.ts';
import { queueMissingCalls } from './missing-calls.ts';
import { askTrace, pollLive } from './poll.ts';
import { readPush, readPushes } from './read-pushes.ts';
import { sendOrder, sortAgain } from './send.ts';
import { cancelWaybill } from './waybill.ts';

export { askParcel, createParcel, editSentParcel, editUnsentParcel, submitParcel } from './actions.ts';
export { cancelExpress } from './cancel.ts';
export { decideCharge, isChargeStorable } from './decide-charge.ts';
export { handleException } from './exceptions.ts';
export { applyFacts, reweigh } from './facts.ts';
export { heldChargeOf, takeBillFacts } from './held-charges.ts';
export { placeOrder } from './order.ts';
export { checkOutcome, decideOutcome, waybillOwner } from './outcome.ts';
export { pushStore } from './push-store.ts';
export { queueRelease, queueTrace } from './queues.ts';
export { lockExpress } from './row.ts';
export { decideWaybill } from './waybill.ts';

type Needs = CarrierContext & { config: { carrier: { pollSeconds: number } } };

/** Task name → what it does; a task may run twice, its effect happens once. */
export const expressTasks = {
  send_order: sendOrder,
  sort_again: sortAgain,
  cancel_parcel: cancelParcel,
  cancel_waybill: cancelWaybill,
  modify_parcel: modifyParcel,
  ask_facts: askFacts,
  ask_trace: askTrace,
  read_pushes: readPushes,
  read_push: readPush,
  release_on_hold: releaseOnHold,
  poll_live: pollLive,
  queue_missing_calls: queueMissingCalls,
  watch_outages: watchOutages,
} satisfies Readonly<Record<string, Task<Needs>>>;
