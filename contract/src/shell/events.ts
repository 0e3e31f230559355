import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './events.schema.ts';
export type { LiveEvent, LiveEvents } from './events.schema.ts';

/**
 * The kinds of changes of a parcel: it was created, its state changed, its label can now be
 * printed, an exception began or ended. `asked`: a cancellation, an edit, or the check of a pushed
 * state began or ended.
 */
export const parcelChanges = ['created', 'state', 'label', 'exception', 'asked'] as const;

/**
 * The number of milliseconds between two heartbeats of a stream. A client that gets no heartbeat
 * for three times as long connects again.
 */
export const streamHeartbeat = 15_000;

/** The largest number of parcels that one message lists; more parcels are only counted. */
export const parcelsNamed = 50;

/**
 * With `Accept: text/event-stream` the same objects arrive as server-sent events, one per message,
 * with `cursor` as its id. A client that lost the connection sends the last id as `Last-Event-ID`.
 * Without this header the call returns one response with the events since `after`.
 */
export const liveEvents = endpoint<typeof schemas.liveEvents>({
  method: 'GET',
  path: '/api/arco/events',
  roles: everyone,
  background: true,
  streams: true,
  summary: 'Hints that something the caller may see has changed, as a stream or since a cursor.',
});
