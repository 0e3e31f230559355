/**
 * Read functions about parcels for other folders: the row in a scope, the actions and amounts that
 * its state allows, and the state that follows from the carrier's messages. Nothing here writes.
 */
export { openReturnFee } from './billed.ts';
export { choosableClaims, isUndecided } from './claims.ts';
export { labelChanges } from './label-changes.ts';
export { keptWindowsOf } from './kept-windows.ts';
export { hoursOfStation, lanesOf } from './lanes.ts';
export { expressColumnList, isExpressColumn } from './express-columns.ts';
export { previewDifference } from './difference-preview.ts';
export type { Facts } from './facts-type.ts';
export { editOf } from './modify.ts';
export { expressChannel } from './moves.ts';
export { maxWeight } from './parcel.ts';
export type { ParcelFields } from './parcel.ts';
export {
  askWindow,
  bookableWindows,
  isWindowShaped,
  windowGone,
  windowProblem,
} from './pickup-window.ts';
export type { WindowAnswer } from './pickup-window.ts';
export { payoutLimit } from './payouts.ts';
export { chosenAccount, expressIn, stateList } from './row.ts';
export type { ExpressRow } from './row.ts';
export { hasWaybillConflict } from './claims.ts';
export { nextSendAt } from './queues.ts';
export { foldMessages } from './state.ts';
export { parcelsByDay, parcelsByState, usesLately } from './sums.ts';
export { movedBefore, unmovedIn, unmovedParcels } from './unmoved.ts';
export { waitingReason } from './waiting-reason.ts';
export type { OnHoldNeeds } from './waiting-reason.ts';
