import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './personal-data.schema.ts';
export type { FoundPerson } from './personal-data.schema.ts';

const base = '/api/arco/personal-data';

/**
 * The name of the job that makes a person's file. This name is the `list` of the job and
 * the subject of its audit entry.
 */
export const personalData = 'personal_data';
/**
 * The number of hours for which a person's file can be downloaded; for other files a setting
 * decides how many days.
 */
export const personFileHours = 24;
/**
 * The maximum number of parcels of one person. A phone number with more parcels is regarded as that
 * of a station or a company.
 */
export const mostPersonParcels = 1_000;
/** The largest number of parcels of one phone that are searched for an extension or for names. */
export const mostNarrowedParcels = 10_000;
/** The largest number of address book entries of one phone that are read. */
export const mostPersonContacts = 1_000;
/** The maximum number of names that are listed (the newest first), and that one call can select. */
export const mostPersonNames = 50;

/**
 * Lists the names under which parcels, address books, stations and accounts contain a phone. Counts
 * as a search by the phone of another station. The search is audited with its reason and the masked
 * phone, even if it is refused.
 */
export const findPerson = endpoint<typeof schemas.findPerson>({
  method: 'POST',
  path: `${base}/search`,
  roles: ['super'],
  summary:
    'The names that a whole phone has in parcels, address books, stations and accounts, with counts.',
});

/**
 * Counts towards the search limit and is audited, like a search. The file can then be read at
 * `/api/arco/jobs/{id}/file`; the job itself stores only ids.
 */
export const exportPerson = endpoint<typeof schemas.exportPerson>({
  method: 'POST',
  path: `${base}/export`,
  roles: ['super'],
  summary:
    'Everything that is held of a phone under the chosen names as a zip of JSON files, made in the background.',
});
