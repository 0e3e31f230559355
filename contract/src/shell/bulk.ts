import { bulk, switches } from '#base/bulk-endpoint.ts';
import type { schemas } from './bulk.schema.ts';
import { endpoint } from '#base/endpoint.ts';
import { everyone, office } from '#base/roles.ts';
import { builders } from '#network/station.ts';

/**
 * The bulk actions on parcels. `track` requests the parcels' traces from the carrier, `intercept`
 * stops parcels that are on the way, and `handle` marks the exceptions of parcels as handled.
 */
export const parcelBulkActions = [
  'cancel',
  'retry',
  'order',
  'track',
  'intercept',
  'handle',
] as const;
/**
 * The actions that have a preview; printing and exports also have separate endpoints that run them.
 */
export const previewedActions = [...parcelBulkActions, 'print', 'export'] as const;
export type PreviewedAction = (typeof previewedActions)[number];
/**
 * The cancellation of an order with an unknown outcome must wait. `undecided`: until a super or
 * admin decides whether the carrier has the order. `ordering`: until the carrier answers.
 */
export const openOutcomeEffects = ['undecided', 'ordering'] as const;
/**
 * One action requests the traces of at most this number of parcels, because each is a call to the
 * carrier.
 */
export const mostTracked = 1_000;

export const bulkExpresses = bulk('expresses', everyone, parcelBulkActions);
export const previewBulk = endpoint<typeof schemas.previewBulk>({
  method: 'POST',
  path: '/api/arco/expresses/bulk/preview',
  roles: everyone,
  summary:
    'What a bulk action on parcels would do now: how many are done, and how many are skipped for which reason. Changes nothing.',
});
/** The largest number of rows that a preview tries. */
export const mostPreviewed = 500;

/**
 * Previews a bulk action, for every list except parcels, which have a separate preview. It runs the
 * action on at most 500 rows, one after another, and rolls everything back. The preview therefore
 * shows what the action would do now.
 */
export const previewRows = endpoint<typeof schemas.previewRows>({
  method: 'POST',
  path: '/api/arco/bulk/preview',
  roles: everyone,
  summary:
    'What a bulk action on rows of a list would do now: how many are done, and which are skipped for which reason. Changes nothing.',
});
export const bulkCargos = bulk('cargos', office, switches);
export const bulkPromises = bulk('promises', office, switches);
export const bulkGuarantees = bulk('guarantees', office, switches);
export const bulkProjects = bulk('projects', office, switches);
export const bulkMerchants = bulk('merchants', office, switches);
export const bulkVouchers = bulk('vouchers', office, switches);
export const bulkContacts = bulk('contacts', everyone, switches);
/** `price` sets the scheme and the discounts in `values` for the stations. */
export const bulkStations = bulk('stations', builders, [...switches, 'price']);
