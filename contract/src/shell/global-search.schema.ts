import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, signedFen, text, time } from '#base/fields.schema.ts';
import { searchTextLength } from '#base/limits.ts';
import { roles } from '#base/roles.ts';
import { importStatuses } from '#imports/import.ts';
import type { ImportStatus } from '#imports/import.ts';
import { reconciliationStatuses } from '#money/reconciliation.ts';
import type { ReconciliationStatus } from '#money/reconciliation.ts';
import { statementTypes } from '#money/statement.ts';
import type { StatementType } from '#money/statement.ts';
import { contactKinds } from '#people/contact.ts';
import type { ContactKind } from '#people/contact.ts';
import { leastSearched } from './global-search.ts';
import * as endpoints from './global-search.ts';

const keysOf = <K extends string>(of: Readonly<Record<K, unknown>>): [K, ...K[]] =>
  Object.keys(of) as [K, ...K[]];
const id = z.int();
const nullableText = z.nullable(z.string());

const found = {
  parcels: z.object({
    id,
    delivery_id: nullableText,
    order_id: z.string(),
    receive_name: z.string(),
    /** Masked as in the list of parcels. */
    receive_phone: z.string(),
    receive_city: z.string(),
    state_code: z.int(),
  }),
  stations: z.object({ id, name: z.string(), city: z.string(), status: flag }),
  accounts: z.object({
    id,
    username: z.string(),
    nickname: z.string(),
    role: z.enum(roles),
    station_name: nullableText,
    status: flag,
  }),
  contacts: z.object({
    id,
    kind: z.enum(keysOf<ContactKind>(contactKinds)),
    name: z.string(),
    /** Masked as in the list of parcels. */
    phone: z.string(),
    station_name: z.string(),
    status: flag,
  }),
  statements: z.object({
    id,
    type: z.enum(keysOf<StatementType>(statementTypes)),
    delivery_id: nullableText,
    amount: signedFen,
    at: time,
    station_name: z.string(),
  }),
  imports: z.object({
    id,
    file_name: z.string(),
    status: z.enum(keysOf<ImportStatus>(importStatuses)),
    created_at: time,
    station_name: z.string(),
  }),
  bills: z.object({
    id,
    file_name: z.string(),
    period: z.string(),
    provider: z.string(),
    status: z.enum(keysOf<ReconciliationStatus>(reconciliationStatuses)),
  }),
  templates: z.object({ id, name: z.string(), provider: z.string(), status: flag }),
};
/** A search result; its type depends on the group of results. */
export type Found = { [G in keyof typeof found]: z.infer<(typeof found)[G]> };

/** A group of search results; `more` 1: the list has further results. */
const groupOf = <T extends z.ZodMiniType>(item: T) =>
  z.optional(z.object({ items: z.array(item), more: flag }));

const groups = z.object({
  parcels: groupOf(found.parcels),
  stations: groupOf(found.stations),
  accounts: groupOf(found.accounts),
  contacts: groupOf(found.contacts),
  statements: groupOf(found.statements),
  imports: groupOf(found.imports),
  bills: groupOf(found.bills),
  templates: groupOf(found.templates),
});
export type FoundGroups = z.infer<typeof groups>;

export const schemas = {
  searchEverything: {
    input: z.object({ q: text(leastSearched, searchTextLength) }),
    output: groups,
  },
};

export const calls = withSchemas(endpoints, schemas);
