import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './personal-data.schema.ts';
export type { FoundPerson } from './personal-data.schema.ts';

const base = '/api/arco/personal-data';

/** The list of the job that makes a person's file, and the audited subject. */
export const personalData = 'personal_data';
/** Hours for which a person's file can be downloaded; other files stay for a setting's days. */
export const personFileHours = 24;
/** The limit of parcels for one person: a phone with more is that of a station or a company. */
export const mostPersonParcels = 1_000;
/** The largest number of parcels of one phone that are searched for an extension or for names. */
export const mostNarrowedParcels = 10_000;
/** The largest number of address book entries of one phone that are read. */
export const mostPersonContacts = 1_000;
/** At most this many names are listed, the newest first, and exported at once. */
export const mostPersonNames = 50;

/**
 * The names under which parcels, address books, stations and accounts have a phone. Counts as a
 * search by phone of another station, and is audited with its reason, the phone masked, also where
 * it is refused.
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
