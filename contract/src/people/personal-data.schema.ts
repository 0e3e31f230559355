import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { text, time } from '#base/fields.schema.ts';
import { nameLength, phoneLength, reasonLength } from '#base/limits.ts';
import * as endpoints from './personal-data.ts';
import { mostPersonNames } from './personal-data.ts';

const wanted = {
  /** A whole phone number; if it has an extension, only rows with this extension match. */
  phone: text(1, phoneLength),
  /** The person who asked for the data, or the purpose; the audit log records it. */
  reason: text(reasonLength.min, reasonLength.max),
};

/** One of the names under which the phone is stored. */
const foundPerson = z.object({
  name: z.string(),
  sent: z.int(),
  received: z.int(),
  /** The number of unfinished parcels that this person sends or receives. */
  open: z.int(),
  contacts: z.int(),
  /** The number of stations that use this phone as their sender's phone. */
  stations: z.int(),
  accounts: z.int(),
  /**
   * The time of the newest parcel, or of the newest change of a contact, a station or an account of
   * this person.
   */
  newest_at: time,
});
export type FoundPerson = z.infer<typeof foundPerson>;

export const schemas = {
  findPerson: {
    /**
     * With `name`, only parcels with this name are read; needed for a phone with too many parcels.
     */
    input: z.object({ ...wanted, name: z.optional(text(1, nameLength)) }),
    output: z.object({
      /** The names, the newest first, at most `mostPersonNames`. */
      names: z.array(foundPerson),
      /** The number of further names, which are not listed. */
      more: z.int(),
      /**
       * The times when this phone and the given name were erased before, the newest first; empty if
       * no name was given.
       */
      erased: z.array(time),
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
