/**
 * A parcel's life (requirements §4): ordered once, held and charged to the fen, its state a fold over what the carrier said.
 * Tasks are named in `expressTasks`; everything else is called by the features with a parcel that the actor may touch.
 */
import type { Task } from '#platform/jobs/jobs.ts';
import { cancelParcel } from './cancel.ts';
import type { CarrierContext } from './carrier-context.ts';
import { askFacts } from './facts.ts';
import { releaseOnHold } from './holding.ts';
import { modifyParcel } from './modify.ts';
import { askTrace, pollLive, readPush } from './poll.ts';
import { sendOrder, sortAgain } from './send.ts';
import { watchOutages } from './watch-outages.ts';
import { cancelWaybill } from './waybill.ts';

export { openReturnFee } from './billed.ts';
export { cancelExpress } from './cancel.ts';
export { choosableClaims } from './claims.ts';
export { decideWaybill } from './waybill.ts';
export { openAccount, recordCall } from './carrier-context.ts';
export type { CarrierContext } from './carrier-context.ts';
export { reweigh, takeFacts } from './facts.ts';
export type { Facts } from './facts-type.ts';
export { expressChannel } from './moves.ts';
export { createParcel, editSentParcel, editUnsentParcel, submitParcel } from './actions.ts';
export { editOf } from './modify.ts';
export { waitingReason } from './outage.ts';
export { quoteEdit } from './edit-quote.ts';
export { keepDraft, placeOrder, quoteOffers, shownQuote } from './order.ts';
export type { PricedOffer } from './order.ts';
export { checkedParcel, maxWeight } from './parcel.ts';
export type { ParcelFields } from './parcel.ts';
export { keepPush } from './poll.ts';
export { queueRelease } from './queues.ts';
export { payoutLimit } from './payouts.ts';
export { expressIn, stateList, lockExpress } from './row.ts';
export type { ExpressRow } from './row.ts';
export { stationFor } from './stations.ts';
export { northeastProvinces, offersOf } from './terms.ts';
export type { Offer } from './terms.ts';
export { priceColumns, priceExpress, pricedParcel, priceFields } from './price.ts';
export type { PriceFacts } from './price.ts';
export { foldMessages } from './state.ts';
export { askFacts } from './facts.ts';
export { previewDifference } from './difference-preview.ts';
export { askTrace } from './poll.ts';
export type { StationTerms } from './terms.ts';

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
  read_push: readPush,
  release_on_hold: releaseOnHold,
  poll_live: pollLive,
  watch_outages: watchOutages,
} as unknown as Readonly<Record<string, Task<Needs>>>;
