import * as z from 'zod/mini';
import { withSchemas } from './endpoint.ts';
import { parcelChanges } from './events.ts';
import { eventCursorLength } from './limits.ts';
import * as endpoints from './events.ts';
import { flag } from './fields.schema.ts';
import { importStatuses } from './import.ts';
import type { ImportStatus } from './import.ts';
import { jobStatuses } from './jobs.ts';

/** A hint: ids, states and counts. A client reads the rest with the rights that apply then. */
const liveEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('parcel'),
    change: z.enum(parcelChanges),
    express_id: z.int(),
    station_id: z.int(),
    /** Ordered by the caller's own account. */
    mine: flag,
    state_code: z.int(),
    /** Null for a new parcel. */
    from_code: z.nullable(z.int()),
  }),
  /** Where many parcels change at once, they are counted. */
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
  /** An import is new or does something else now. */
  z.object({ kind: z.literal('import'), import_id: z.int(), status: z.enum(Object.keys(importStatuses) as [ImportStatus, ...ImportStatus[]]) }),
  /** A new entry of the caller's inbox, or one that was read; `unread` after it. */
  z.object({ kind: z.literal('inbox'), unread: z.int() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

const liveEvents = z.object({
  /** Where the next read, or a stream that was cut off, goes on. Opaque. */
  cursor: z.string(),
  /** 1: what happened after the given cursor is not known any more; read again what is shown. */
  reset: flag,
  events: z.array(liveEvent),
});
export type LiveEvents = z.infer<typeof liveEvents>;

export const schemas = {
  liveEvents: {
    input: z.object({ after: z.optional(z.string().check(z.minLength(1), z.maxLength(eventCursorLength))) }),
    output: liveEvents,
  },
};

export const calls = withSchemas(endpoints, schemas);
