import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, id, text, time } from '#base/fields.schema.ts';
import { nameLength, otpLength, phoneLength, reasonLength } from '#base/limits.ts';
import { secretText } from './account.schema.ts';
import * as endpoints from './erasure.ts';
import { erasurePlaces } from './erasure.ts';
import { mostPersonNames } from './personal-data.ts';

const person = {
  phone: text(1, phoneLength),
  names: z
    .array(text(1, nameLength))
    .check(z.minLength(1, 'required'), z.maxLength(mostPersonNames, 'too_many')),
  reason: text(reasonLength.min, reasonLength.max),
};

/** The caller's own password, and a code if the caller has two-factor authentication. */
const proof = {
  password: secretText,
  otp: z.optional(z.string().check(z.maxLength(otpLength, 'too_long'))),
};

/** The number of rows for each kind of place. */
const counts = z.partialRecord(z.enum(erasurePlaces), z.int());

const preview = z.object({
  counts,
  /** The parcels that prevent the erasure, at most `mostBlockedParcels`. */
  blocked: z.array(
    z.object({
      number: z.string(),
      /** The time from which the parcel can be erased; null if the parcel is not finished. */
      at: z.nullable(time),
    }),
  ),
  /** The number of further parcels, which are not listed. */
  more: z.int(),
});
export type ErasurePreview = z.infer<typeof preview>;

const erasure = z.object({
  id: z.int(),
  status: z.enum(['waiting', 'running', 'done', 'cancelled']),
  username: z.string(),
  at: time,
  reason: z.string(),
  /** Masked; null after the erasure has ended. */
  phone: z.nullable(z.string()),
  /** Empty after the erasure has ended. */
  names: z.array(z.string()),
  /** While the erasure waits: the rows that were found. When it runs: the rows that were erased. */
  counts,
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(time),
  done_at: z.nullable(time),
  /** 1: the reader requested the erasure, so another user must decide. */
  mine: flag,
});
export type Erasure = z.infer<typeof erasure>;

export const schemas = {
  previewErasure: { input: z.object(person), output: preview },
  requestErasure: { input: z.object({ ...person, ...proof }), output: z.object({ id: z.int() }) },
  listErasures: { input: z.object({}), output: z.object({ items: z.array(erasure) }) },
  approveErasure: { input: z.object({ id, ...proof }), output: z.object({ id: z.int() }) },
  cancelErasure: { input: z.object({ id }), output: z.object({ id: z.int() }) },
};

export const calls = withSchemas(endpoints, schemas);
