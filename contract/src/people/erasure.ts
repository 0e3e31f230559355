import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './erasure.schema.ts';
export type { Erasure, ErasurePreview } from './erasure.schema.ts';

const base = '/api/arco/personal-data/erasures';

/** The maximum number of parcels that a preview lists as reasons against a person's erasure. */
export const mostBlockedParcels = 50;
/** The list shows at most this number of finished erasures, the newest first. */
export const mostEndedErasures = 50;
/** The largest number of erasures that wait or run. */
export const mostOpenErasures = 50;

/** The kinds of places whose rows the preview counts and the erasure blanks. */
export const erasurePlaces = [
  'parcels',
  'versions',
  'messages',
  'edits',
  'bill_lines',
  'carrier_calls',
  'contacts',
  'import_rows',
  'audit',
  'export_files',
  'pushes',
  'views',
  'skipped',
] as const;
export type ErasurePlace = (typeof erasurePlaces)[number];

/** The keys of the texts that say which records an erasure does not change. */
export const notErased = [
  'stays_ledger',
  'stays_numbers',
  'stays_bills',
  'stays_people',
  'stays_notes',
  'stays_backups',
  'stays_carrier',
] as const;

/** Counts as a search by this phone and is audited like a search. */
export const previewErasure = endpoint<typeof schemas.previewErasure>({
  method: 'POST',
  path: `${base}/preview`,
  roles: ['super'],
  summary: 'What an erasure of a phone under the chosen names would blank, and what prevents it.',
});

/**
 * Refused if a parcel is not finished or is too young; the error lists all such parcels. See the
 * preview.
 */
export const requestErasure = endpoint<typeof schemas.requestErasure>({
  method: 'POST',
  path: base,
  roles: ['super'],
  summary: 'Ask a second person to erase what is held of a phone under the chosen names.',
});

export const listErasures = endpoint<typeof schemas.listErasures>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Erasures that wait or run, and those that ended last.',
});

/**
 * Refused if the requester and the approver are not independent, or if other rows are found now
 * than were requested.
 */
export const approveErasure = endpoint<typeof schemas.approveErasure>({
  method: 'POST',
  path: `${base}/{id}/approve`,
  roles: office,
  summary: 'Erase for good, as the second person.',
});

export const cancelErasure = endpoint<typeof schemas.cancelErasure>({
  method: 'POST',
  path: `${base}/{id}/cancel`,
  roles: office,
  summary: 'Decline or withdraw an erasure that waits.',
});
