import * as z from 'zod/mini';
import { provider } from '#network/provider.schema.ts';
import {
  flag,
  id,
  integer,
  listInput,
  listOf,
  searchText,
  stored,
  text,
  version,
} from '#base/fields.schema.ts';
import { sheetProblems } from '#base/sheet.schema.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  bannedReasonLength,
  mostCargoSheetRows,
  mostGoodsType,
  mostOrderedCargos,
  mostPriority,
  shortNameLength,
} from '#base/limits.ts';
import * as endpoints from './cargo.ts';

/**
 * A kind of goods (requirements §3). `type` is the carrier's goods type. Goods with a higher
 * `priority` come first in the order form.
 */
export const cargo = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  provider,
  priority: z.int(),
  /**
   * 1: nobody may ship these goods; an order with them is refused for the reason in
   * `banned_reason`.
   */
  banned: flag,
  banned_reason: z.string(),
  /** The number of parcels of the last 30 days with goods of this name. */
  used_count: z.int(),
  status: flag,
  ...stored,
});
export type Cargo = z.infer<typeof cargo>;

const fields = {
  name: text(1, shortNameLength),
  type: integer(1, mostGoodsType),
  provider,
  priority: integer(0, mostPriority),
  banned: flag,
  banned_reason: text(0, bannedReasonLength),
};

/** The values of one kind of goods, from a sheet or from the list of common goods. */
const cargoValues = z.object({ ...fields, status: flag });
export type CargoValues = z.infer<typeof cargoValues>;

/**
 * A line of a sheet of goods. It belongs to existing goods if their carrier and name are the same.
 */
const cargoLine = z.object({
  line: z.int(),
  state: z.enum(['new', 'changed', 'unchanged']),
  /** The version of the existing goods that this line changes; null for new goods. */
  version: z.nullable(z.int()),
  values: cargoValues,
  before: z.nullable(cargoValues),
});
export type CargoLine = z.infer<typeof cargoLine>;

const cargoSheet = z.object({
  /** The rows of the sheet; empty if a cell could not be read. */
  rows: z.array(cargoLine),
  ...sheetProblems,
});
export type CargoSheet = z.infer<typeof cargoSheet>;

const language = z.optional(z.enum(['zh', 'en'], 'invalid'));

export const schemas = {
  listCargos: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      type: z.optional(fields.type),
      provider: z.optional(provider),
      banned: z.optional(flag),
      status: z.optional(flag),
    }),
    output: listOf(cargo),
  },
  getCargo: {
    input: z.object({ id }),
    output: cargo,
  },
  createCargo: {
    input: z.object({
      ...fields,
      priority: z.optional(fields.priority),
      banned: z.optional(flag),
      banned_reason: z.optional(fields.banned_reason),
      status: z.optional(flag),
    }),
    output: cargo,
  },
  editCargo: {
    input: z.object({
      id,
      version,
      name: z.optional(fields.name),
      type: z.optional(fields.type),
      priority: z.optional(fields.priority),
      banned: z.optional(flag),
      banned_reason: z.optional(fields.banned_reason),
    }),
    output: cargo,
  },
  setCargoStatus: {
    input: z.object({ id, status: flag }),
    output: cargo,
  },
  orderCargos: {
    input: z.object({
      ids: z
        .array(id)
        .check(z.minLength(1, 'required'), z.maxLength(mostOrderedCargos, 'too_long')),
    }),
    output: z.object({ changed: z.int() }),
  },
  readCargoSheet: { input: z.object({ language }), output: cargoSheet },
  importCargos: {
    input: z.object({
      rows: z
        .array(z.object({ ...cargoValues.shape, version: z.nullable(version) }))
        .check(z.minLength(1, 'required'), z.maxLength(mostCargoSheetRows, 'too_long')),
    }),
    output: z.object({ created: z.int(), changed: z.int(), unchanged: z.int() }),
  },
  cargoUsage: usageSchemas,
};

export const calls = withSchemas(endpoints, schemas);
