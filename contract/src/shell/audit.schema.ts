import * as z from 'zod/mini';
import {
  countsInput,
  countsOf,
  day,
  id,
  listInput,
  listOf,
  searchText,
  text,
  time,
} from '#base/fields.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { requestIdLength, usernameLength } from '#base/limits.ts';
import * as endpoints from './audit.ts';

/**
 * One change: who made it, when and from which IP address, the action, old and new values, and the
 * reason (requirements §6).
 */
export const auditRow = z.object({
  id: z.int(),
  at: time,
  account_name: z.string(),
  /** The id of the API key that made the change; null if a logged-in user made it. */
  key_id: z.nullable(z.int()),
  /**
   * The name of the API key; empty if no key was used, or if the caller may not see the key's
   * account.
   */
  key_name: z.string(),
  role: z.string(),
  /**
   * The IP address from which the change was made. Empty if a super or an admin made the change and
   * the reader may not see the address.
   */
  address: z.string(),
  request_id: z.string(),
  action: z.string(),
  /** The table whose row was changed; `subject_id` is the id of the row in this table. */
  subject: z.string(),
  subject_id: z.nullable(z.int()),
  station_id: z.nullable(z.int()),
  /**
   * The old and the new value of each changed field. Both values of a secret are null; phones of
   * other stations' parcels are masked.
   */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  reason: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

const word = z.string().check(z.regex(/^[a-z][a-z0-9_.]{0,39}$/, 'invalid'));

const auditFilters = {
  ...listInput,
  sort: z.optional(z.enum(['at', '-at'], 'invalid')),
  subject: z.optional(word),
  subject_id: z.optional(id),
  /** A part of the account's name. */
  account_name: z.optional(text(0, usernameLength.max)),
  action: z.optional(word),
  station_id: z.optional(id),
  /** The first and the last day in Asia/Shanghai, both included. */
  at_from: z.optional(day),
  at_to: z.optional(day),
  request_id: z.optional(text(0, requestIdLength)),
  /** A part of the account's name, the reason or the IP address, or the whole request id. */
  q: z.optional(searchText),
};

export const schemas = {
  listAudit: {
    input: z.object(auditFilters),
    output: listOf(auditRow),
  },
  countAudit: {
    input: countsInput(auditFilters),
    output: countsOf,
  },
  expressAudit: {
    input: z.object({
      id,
      page: listInput.page,
      page_size: listInput.page_size,
      cursor: listInput.cursor,
    }),
    output: listOf(auditRow),
  },
};

export const calls = withSchemas(endpoints, schemas);
