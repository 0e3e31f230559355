import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { text, time } from '#base/fields.schema.ts';
import { nameLength, phoneLength, reasonLength } from '#base/limits.ts';
import * as endpoints from './personal-data.ts';
import { mostPersonNames } from './personal-data.ts';

const wanted = {
  /** A whole phone; an extension is left out. */
  phone: text(1, phoneLength),
  /** The requester, or the purpose. */
  reason: text(reasonLength.min, reasonLength.max),
};

/** One name that the phone has. */
const foundPerson = z.object({
  name: z.string(),
  sent: z.int(),
  received: z.int(),
  /** Parcels of either side that are not finished. */
  open: z.int(),
  contacts: z.int(),
  /** The newest parcel or change of the address book. */
  newest_at: time,
});
export type FoundPerson = z.infer<typeof foundPerson>;

export const schemas = {
  findPerson: {
    input: z.object(wanted),
    output: z.object({
      /** Newest first, at most `mostPersonNames`. */
      names: z.array(foundPerson),
      /** Names beyond those. */
      more: z.int(),
    }),
  },
  exportPerson: {
    input: z.object({
      ...wanted,
      names: z
        .array(text(1, nameLength))
        .check(z.minLength(1, 'required'), z.maxLength(mostPersonNames, 'too_many')),
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
    }),
    output: z.object({ job_id: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
