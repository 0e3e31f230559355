import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { parcelChanges } from './events.ts';
import { eventCursorLength } from '#base/limits.ts';
import * as endpoints from './events.ts';
import { flag } from '#base/fields.schema.ts';
import { importStatuses } from '#imports/import.ts';
import type { ImportStatus } from '#imports/import.ts';
import { jobStatuses } from './jobs.ts';

/**
 * A live event contains only ids, states and counts. A client then reads the data itself with its
 * present rights.
 */
const liveEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('parcel'),
    change: z.enum(parcelChanges),
    express_id: z.int(),
    station_id: z.int(),
    /** True if the parcel was ordered by the caller's own account. */
    mine: flag,
    state_code: z.int(),
    /** The state before the event; null for a new parcel. */
    from_code: z.nullable(z.int()),
  }),
  /**
   * The numbers of created and changed parcels; sent instead of single events if many parcels
   * change at the same time.
   */
  z.object({ kind: z.literal('parcels'), created: z.int(), changed: z.int() }),
  z.object({
    kind: z.literal('job'),
    job_id: z.int(),
    status: z.enum(jobStatuses),
    total: z.int(),
    done: z.int(),
    ok: z.int(),
    skipped: z.int(),
    failed: z.int(),
  }),
  /** An import was created, or its status has changed. */
  z.object({
    kind: z.literal('import'),
    import_id: z.int(),
    status: z.enum(Object.keys(importStatuses) as [ImportStatus, ...ImportStatus[]]),
  }),
  /**
   * The caller's inbox has a new entry, or an entry was read; `unread` is the current number of
   * unread entries.
   */
  z.object({ kind: z.literal('inbox'), unread: z.int() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

const liveEvents = z.object({
  /**
   * The position from which the next read, or a stream after a lost connection, continues. Clients
   * must not interpret it.
   */
  cursor: z.string(),
  /**
   * 1: the events after the given cursor are not stored any more, so the client must read all shown
   * data again.
   */
  reset: flag,
  events: z.array(liveEvent),
});
export type LiveEvents = z.infer<typeof liveEvents>;

export const schemas = {
  liveEvents: {
    input: z.object({
      after: z.optional(z.string().check(z.minLength(1), z.maxLength(eventCursorLength))),
    }),
    output: liveEvents,
  },
};

export const calls = withSchemas(endpoints, schemas);
