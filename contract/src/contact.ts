import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { limits, stationChoice } from './express.ts';
import { flag, id, listInput, listOf, searchText, text, time, version } from './fields.ts';
import { everyone } from './roles.ts';

const base = '/api/arco/contacts';

export const contactKinds = { sender: { zh: '寄件人', en: 'Sender' }, receive: { zh: '收件人', en: 'Recipient' } } as const;
export type ContactKind = keyof typeof contactKinds;
const kind = z.enum(Object.keys(contactKinds) as [ContactKind, ...ContactKind[]], 'invalid');

/** An entry of a station's address book (docs/glossary.md). Parcels keep copies: changing it changes none of them. */
export const contact = z.object({
  id: z.int(),
  station_id: z.int(),
  station_name: z.string(),
  kind,
  name: z.string(),
  /** Masked for everybody outside the station, super and admin too. */
  phone: z.string(),
  /** 1: the reader sees the phone whole. */
  phones_shown: flag,
  province: z.string(),
  city: z.string(),
  county: z.string(),
  address: z.string(),
  status: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Contact = z.infer<typeof contact>;

const fields = {
  name: text(1, limits.name),
  phone: text(1, 30),
  province: text(1, 40),
  city: text(1, 40),
  county: text(0, 40),
  address: text(2, limits.address),
};

export const listContacts = endpoint({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'The address books in scope, last changed first; q is the end of a phone, or a part of a name.',
  input: z.object({
    ...listInput,
    q: z.optional(searchText),
    kind: z.optional(kind),
    station_id: z.optional(id),
    province: z.optional(text(0, 40)),
    status: z.optional(flag),
  }),
  output: listOf(contact),
});

export const getContact = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'One entry of an address book.',
  input: z.object({ id }),
  output: contact,
});

export const createContact = endpoint({
  method: 'POST',
  path: base,
  roles: everyone,
  summary: 'A new entry; where the station has the very same one enabled already, that one is answered and nothing is added.',
  input: z.object({ ...stationChoice, kind, ...fields }),
  output: contact,
});

/** Only what changed. A place is sent whole. */
export const editContact = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'Change an entry; a masked phone is refused.',
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
});

export const setContactStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: everyone,
  summary: 'Enable or disable an entry; disabled ones are not suggested.',
  input: z.object({ id, status: flag }),
  output: contact,
});

export const revealContact = endpoint({
  method: 'POST',
  path: `${base}/{id}/reveal`,
  roles: everyone,
  summary: 'The phone whole; audited.',
  input: z.object({ id }),
  output: z.object({ phone: z.string() }),
});
