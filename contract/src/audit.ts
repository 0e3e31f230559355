import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { day, id, listInput, listOf, searchText, text, time } from './fields.ts';
import { everyone, managers } from './roles.ts';

/** One change: who, when, from where, what, old → new, why (requirements §6). */
export const auditRow = z.object({
  id: z.int(),
  at: time,
  account_name: z.string(),
  role: z.string(),
  /** Empty where the reader may not know where the office sits. */
  address: z.string(),
  request_id: z.string(),
  action: z.string(),
  /** The table whose row was changed; with `subject_id` the record. */
  subject: z.string(),
  subject_id: z.nullable(z.int()),
  station_id: z.nullable(z.int()),
  /** Field → [old, new]. Secrets are named with null values; phones of parcels are masked outside one's own station. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  reason: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

const word = z.string().check(z.regex(/^[a-z][a-z0-9_.]{0,39}$/, 'invalid'));

/** Everything for super and admin; partner and station ask about one record (`subject` and `subject_id`), within their stations. */
export const listAudit = endpoint({
  method: 'GET',
  path: '/api/arco/audit',
  roles: managers,
  summary: 'Changes, newest first; of one record with subject and subject_id, without which only super and admin may ask.',
  input: z.object({
    ...listInput,
    sort: z.optional(z.enum(['at', '-at'], 'invalid')),
    subject: z.optional(word),
    subject_id: z.optional(id),
    /** A part of the account's name. */
    account_name: z.optional(text(0, 64)),
    action: z.optional(word),
    station_id: z.optional(id),
    /** Days in Asia/Shanghai, both included. */
    at_from: z.optional(day),
    at_to: z.optional(day),
    request_id: z.optional(text(0, 64)),
    /** A part of the account's name, the reason, the address, or the whole request id. */
    q: z.optional(searchText),
  }),
  output: listOf(auditRow),
});

export const expressAudit = endpoint({
  method: 'GET',
  path: '/api/arco/expresses/{id}/audit',
  roles: everyone,
  summary: 'What was done to a parcel and by whom, newest first.',
  input: z.object({ id, page: listInput.page, page_size: listInput.page_size, cursor: listInput.cursor }),
  output: listOf(auditRow),
});
