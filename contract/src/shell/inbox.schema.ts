import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, id, reason, signedFen, time } from '#base/fields.schema.ts';
import { importStatuses } from '#imports/import.ts';
import type { ImportStatus } from '#imports/import.ts';
import { inboxKinds, mostInboxEntries } from './inbox.ts';
import * as endpoints from './inbox.ts';
import { jobStatuses } from './jobs.ts';
import { setupSteps } from '#network/station-setup.ts';
import { statementStatuses, statementTypes } from '#money/statement.ts';
import type { StatementStatus, StatementType } from '#money/statement.ts';

const statementType = z.enum(Object.keys(statementTypes) as [StatementType, ...StatementType[]]);
const statementStatus = z.enum(
  Object.keys(statementStatuses) as [StatementStatus, ...StatementStatus[]],
);

/**
 * An inbox entry, read with the caller's present rights. The field of a subject, such as `parcel`,
 * is null if the caller may not see the subject any more, or if entries of this kind have no such
 * subject.
 */
export const inboxEntry = z.object({
  id: z.int(),
  kind: z.enum(inboxKinds),
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  /** The id of the newest parcel, request, job or import of the inbox entry. */
  subject_id: z.nullable(z.int()),
  /** The number of events that the entry had gathered when it was read. */
  count: z.int(),
  /** The time of the newest event. */
  at: time,
  is_read: flag,
  /** The waybill or order number of the parcel, and the name of its recipient. */
  parcel: z.nullable(z.object({ number: z.string(), receive_name: z.string() })),
  /** The request that was decided; `reason` is the reason if it was declined. */
  request: z.nullable(
    z.object({
      type: statementType,
      status: statementStatus,
      amount: signedFen,
      reason: z.string(),
    }),
  ),
  /** The number of requests that wait for a decision, at most 100; only for the kind `request`. */
  waiting: z.nullable(z.int()),
  /**
   * The month of the station, for the kinds `month_closed` and `month_reminder`; `confirmed` 1: the
   * station has confirmed the month.
   */
  month: z.nullable(z.object({ period: z.string(), confirmed: flag })),
  /** The webhook, and the reason why nothing more is sent to it or stored for it. */
  webhook: z.nullable(
    z.object({
      name: z.string(),
      reason: z.enum(['failures', 'gone', 'full', 'manager', 'removed', 'access']),
    }),
  ),
  /** The notification channel, and whether messages are still sent to it. */
  channel: z.nullable(z.object({ name: z.string(), reason: z.enum(['failing', 'disabled']) })),
  job: z.nullable(
    z.object({
      list: z.string(),
      action: z.string(),
      status: z.enum(jobStatuses),
      ok: z.int(),
      skipped: z.int(),
      failed: z.int(),
      reason: z.nullable(reason),
    }),
  ),
  /** `left`: the number of rows that are still refused or have an error. */
  import: z.nullable(
    z.object({
      file_name: z.string(),
      status: z.enum(Object.keys(importStatuses) as [ImportStatus, ...ImportStatus[]]),
      ordered: z.int(),
      left: z.int(),
      reason: z.nullable(reason),
    }),
  ),
  /**
   * The present progress of the station's setup guide, for the kind `setup`. Only the newest
   * entries of this kind have it; null for all others.
   */
  setup: z.nullable(
    z.object({
      done: z.int(),
      steps: z.int(),
      next: z.nullable(z.enum(setupSteps)),
      is_open: flag,
    }),
  ),
  /**
   * The balance when a `low_balance` notice was made. `days_left`: the whole days that it would
   * last; null if nothing was spent. `low_limit`: the limit in fen that the available amount was
   * below; null if it was not below a limit.
   */
  balance: z.nullable(
    z.object({
      available: signedFen,
      days_left: z.nullable(z.int()),
      low_limit: z.nullable(z.int()),
    }),
  ),
});
export type InboxEntry = z.infer<typeof inboxEntry>;

const inbox = z.object({ items: z.array(inboxEntry), unread: z.int() });
export type Inbox = z.infer<typeof inbox>;

export const schemas = {
  readInbox: {
    input: z.object({}),
    output: inbox,
  },
  markInboxRead: {
    input: z.object({
      ids: z.optional(z.array(id).check(z.maxLength(mostInboxEntries, 'too_many'))),
      until: z.optional(z.iso.datetime({ offset: true })),
    }),
    output: z.object({ unread: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
