/** The features of the product: routes, tasks, exports and bulk actions come from each folder. */
export { events } from '#features/events/feature.ts';
export { handovers } from '#features/handovers/feature.ts';
export { health } from '#features/health/feature.ts';
export { imports } from '#features/imports/feature.ts';
export { inbox } from '#features/inbox/feature.ts';
export { merchants } from '#features/merchants/feature.ts';
export { money } from '#features/money/feature.ts';
export { parcels } from '#features/parcels/feature.ts';
export { people } from '#features/people/feature.ts';
export { prints } from '#features/prints/feature.ts';
export { reconciliation } from '#features/reconciliation/feature.ts';
export { schemes } from '#features/schemes/feature.ts';
export { setup } from '#features/setup/feature.ts';
export { stations } from '#features/stations/feature.ts';
export { userJobs } from '#features/user-jobs/feature.ts';
export { vouchers } from '#features/vouchers/feature.ts';
export { workplace } from '#features/workplace/feature.ts';
