import { endpoint } from './endpoint.ts';
import { everyone } from './roles.ts';
import type { schemas } from './inbox.schema.ts';
export type { Inbox, InboxEntry } from './inbox.schema.ts';

/**
 * What people are notified of, each for as long as nobody has to look for it: parcels that wait for funds, were refused by the carrier, cannot be delivered or
 * are not delivered, do not move or
 * come back; a cancel or interception that failed; a balance that lasts a few days; requests that wait for the office; a request that was decided; a job that has ended; an import that has ended, cannot go on or cannot be read; the guide of
 * a new station that the person began.
 */
export const inboxKinds = [
  'on_hold',
  'refused',
  'exception',
  'returning',
  'unreachable',
  'unmoved',
  'cancel_failed',
  'low_balance',
  'request',
  'decided',
  'job',
  'setup',
  'import',
] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** The newest that are shown. */
export const mostInboxEntries = 100;

export const readInbox = endpoint<typeof schemas.readInbox>({
  method: 'GET',
  path: '/api/arco/inbox',
  roles: everyone,
  summary: `The caller’s inbox, newest first, at most ${mostInboxEntries} entries, and how many are unread.`,
});

/** By id, or all up to a moment: what came after it was not seen. */
export const markInboxRead = endpoint<typeof schemas.markInboxRead>({
  method: 'POST',
  path: '/api/arco/inbox/read',
  roles: everyone,
  summary: 'Mark entries of the caller’s inbox as read: those with the given ids, or all up to a moment.',
});
