import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './inbox.schema.ts';
export type { Inbox, InboxEntry } from './inbox.schema.ts';

/**
 * The kinds of notifications. Parcels: a parcel waits for funds, was refused, was not picked up or
 * only partly picked up, cannot be delivered, was not delivered, does not move, or comes back. A
 * cancellation or interception failed. Money: a balance lasts only a few days; an administrator
 * closed a month, or reminds the station to confirm it; requests wait for an administrator; a
 * request was decided. Work: a job ended; an import ended, cannot continue or cannot be read; the
 * person began the guide of a new station; a webhook was disabled or is full; a notification
 * channel fails.
 */
export const inboxKinds = [
  'on_hold',
  'missed',
  'left_behind',
  'refused',
  'exception',
  'returning',
  'unreachable',
  'unmoved',
  'cancel_failed',
  'low_balance',
  'month_closed',
  'month_reminder',
  'request',
  'decided',
  'job',
  'setup',
  'import',
  'webhook',
  'channel',
] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** The inbox shows at most this number of entries, the newest. */
export const mostInboxEntries = 100;

export const readInbox = endpoint<typeof schemas.readInbox>({
  method: 'GET',
  path: '/api/arco/inbox',
  roles: everyone,
  summary: `The caller’s inbox, newest first, at most ${mostInboxEntries} entries, and how many are unread.`,
});

/**
 * Marks the entries with the given ids as read, or all entries up to a time. Later entries stay
 * unread, because the user has not seen them.
 */
export const markInboxRead = endpoint<typeof schemas.markInboxRead>({
  method: 'POST',
  path: '/api/arco/inbox/read',
  roles: everyone,
  summary:
    'Mark entries of the caller’s inbox as read: those with the given ids, or all up to a moment.',
});
