import { bulk, switches } from './bulk-endpoint.ts';
import type { schemas } from './bulk.schema.ts';
import { endpoint } from './endpoint.ts';
import { everyone, office } from './roles.ts';
import { builders } from './station.ts';

/**
 * What a bulk action does with parcels; `track` asks the carrier for their traces, `intercept` stops those on their way, `handle` notes that their exception is
 * taken care of.
 */
export const parcelBulkActions = ['cancel', 'retry', 'order', 'track', 'intercept', 'handle'] as const;
/** What can be previewed: labels are printed and rows exported by routes of their own. */
export const previewedActions = [...parcelBulkActions, 'print', 'export'] as const;
export type PreviewedAction = (typeof previewedActions)[number];
/** Parcels whose traces one action asks for at most: each is a call to the carrier. */
export const mostTracked = 1_000;

export const bulkExpresses = bulk('expresses', everyone, parcelBulkActions);
export const previewBulk = endpoint<typeof schemas.previewBulk>({
  method: 'POST',
  path: '/api/arco/expresses/bulk/preview',
  roles: everyone,
  summary: 'What a bulk action on parcels would do now: how many are done, and how many are skipped for which reason. Changes nothing.',
});
/** Rows that a preview tries. */
export const mostPreviewed = 500;

/**
 * Of every list but parcels, which have their own. The rows are changed one after the other as the action would change them, at most 500, and all of it is taken
 * back: what is answered is what would happen now.
 */
export const previewRows = endpoint<typeof schemas.previewRows>({
  method: 'POST',
  path: '/api/arco/bulk/preview',
  roles: everyone,
  summary: 'What a bulk action on rows of a list would do now: how many are done, and which are skipped for which reason. Changes nothing.',
});
export const bulkCargos = bulk('cargos', office, switches);
export const bulkPromises = bulk('promises', office, switches);
export const bulkGuarantees = bulk('guarantees', office, switches);
export const bulkProjects = bulk('projects', office, switches);
export const bulkMerchants = bulk('merchants', office, switches);
export const bulkVouchers = bulk('vouchers', office, switches);
export const bulkContacts = bulk('contacts', everyone, switches);
/** `price` gives stations the scheme and the discounts of `values`. */
export const bulkStations = bulk('stations', builders, [...switches, 'price']);
