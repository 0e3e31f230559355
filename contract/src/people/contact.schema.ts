import * as z from 'zod/mini';
import {
  countsInput,
  countsOf,
  day,
  flag,
  id,
  listInput,
  listOf,
  searchText,
  stored,
  text,
  version,
} from '#base/fields.schema.ts';
import { stationChoice } from '#parcels/express.schema.ts';
import { contactKinds } from './contact.ts';
import type { ContactKind } from './contact.ts';
import { withSchemas } from '#base/endpoint.ts';
import { addressLength, nameLength, phoneLength, regionLength } from '#base/limits.ts';
import * as endpoints from './contact.ts';

const kind = z.enum(Object.keys(contactKinds) as [ContactKind, ...ContactKind[]], 'invalid');

/**
 * An entry of a station's address book (docs/glossary.md). Parcels contain copies, so changing an
 * entry changes no parcel.
 */
export const contact = z.object({
  id: z.int(),
  station_id: z.int(),
  station_name: z.string(),
  kind,
  name: z.string(),
  /** Masked for everyone outside the station, including super and admin. */
  phone: z.string(),
  /** 1: the reader sees the whole phone number. */
  phones_shown: flag,
  province: z.string(),
  city: z.string(),
  county: z.string(),
  address: z.string(),
  status: flag,
  ...stored,
});
export type Contact = z.infer<typeof contact>;

const fields = {
  name: text(1, nameLength),
  phone: text(1, phoneLength),
  province: text(1, regionLength),
  city: text(1, regionLength),
  county: text(0, regionLength),
  address: text(2, addressLength),
};

const contactFilters = {
  ...listInput,
  q: z.optional(searchText),
  kind: z.optional(kind),
  station_id: z.optional(id),
  province: z.optional(text(0, regionLength)),
  status: z.optional(flag),
  /** Finds contacts that were last changed from this day to that day, both included. */
  updated_from: z.optional(day),
  updated_to: z.optional(day),
};

export const schemas = {
  listContacts: {
    input: z.object(contactFilters),
    output: listOf(contact),
  },
  countContacts: {
    input: countsInput(contactFilters),
    output: countsOf,
  },
  getContact: {
    input: z.object({ id }),
    output: contact,
  },
  createContact: {
    input: z.object({ ...stationChoice, kind, ...fields }),
    output: contact,
  },
  editContact: {
    input: z.object({
      id,
      version,
      name: z.optional(fields.name),
      phone: z.optional(fields.phone),
      province: z.optional(fields.province),
      city: z.optional(fields.city),
      county: z.optional(fields.county),
      address: z.optional(fields.address),
    }),
    output: contact,
  },
  setContactStatus: {
    input: z.object({ id, status: flag }),
    output: contact,
  },
  revealContact: {
    input: z.object({ id }),
    output: z.object({ phone: z.string() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
