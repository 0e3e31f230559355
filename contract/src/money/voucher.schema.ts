import * as z from 'zod/mini';
import {
  day,
  flag,
  id,
  integer,
  listInput,
  listOf,
  reason,
  searchText,
  stored,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import { draftContent, templateContent } from './voucher-content.schema.ts';
import { provider } from '#network/provider.schema.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { price } from './price.schema.ts';
import { mostChoicesLength } from './price-list.ts';
import { priceList } from './price-list.schema.ts';
import { allFindings } from './voucher-sanity.ts';
import { provinceCodes } from '#parcels/provinces.ts';
import { sheetProblems } from '#base/sheet.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  mostAmount,
  mostInteger,
  mostPackages,
  mostTriedSide,
  mostWeight,
  nameLength,
  promiseCodeLength,
} from '#base/limits.ts';
import { wholeRate } from './money.ts';
import * as endpoints from './voucher.ts';

/**
 * The part of the list freight that is paid, in basis points; null: the template has no discount.
 */
const discount = z.nullable(integer(1, wholeRate));
const no = integer(1, mostInteger);

/** The terms of a draft: its two discount rates and its prices. */
const draft = z.object({ discount, northeast_discount: discount, weight: draftContent });

const row = {
  id: z.int(),
  name: z.string(),
  provider,
  promise_id: z.string(),
  promise_name: z.string(),
  discount: z.nullable(z.int()),
  northeast_discount: z.nullable(z.int()),
  status: flag,
  /**
   * The number of the version that is in force; `valid_from` is its start. Null if no version was
   * published, or if none is in force yet.
   */
  no: z.nullable(z.int()),
  valid_from: z.nullable(time),
  /** The number of a published version that comes into force later. */
  next_no: z.nullable(z.int()),
  next_from: z.nullable(time),
  /** The number of the newest version, whether it is in force or not. */
  latest_no: z.nullable(z.int()),
  /** 1: the draft differs from the newest version. */
  changed: flag,
  zones: z.int(),
  projects: z.int(),
  stations: z.int(),
  parcels_30d: z.int(),
  ...stored,
};

/** A freight template (requirements §3) as lists show it, without its prices. */
export const voucherRow = z.object(row);
export type VoucherRow = z.infer<typeof voucherRow>;

/**
 * A freight template with its draft. `weight` is the configuration of its prices (docs/pricing.md
 * §2), not a weight.
 */
export const voucher = z.object({
  ...row,
  weight: draftContent,
  /**
   * The provinces where the northeast discount replaces the ordinary discount, by the present
   * setting.
   */
  northeast: z.array(z.string()),
});
export type Voucher = z.infer<typeof voucher>;

const fields = {
  name: text(1, nameLength),
  promise_id: text(1, promiseCodeLength),
  discount,
  northeast_discount: discount,
  weight: draftContent,
};

/** A published version, which never changes. */
export const voucherVersion = z.object({
  id: z.int(),
  no: z.int(),
  valid_from: time,
  /** The time when the next version begins; null if there is no next version. */
  valid_until: z.nullable(time),
  discount: z.nullable(z.int()),
  northeast_discount: z.nullable(z.int()),
  published_at: time,
  published_by: z.nullable(z.string()),
});
export type VoucherVersion = z.infer<typeof voucherVersion>;

/**
 * One value that differs between two versions of a template. `before` or `after` is null if the
 * value does not exist or is not set in that version. `field` has the format `brackets.0.price`.
 */
export const changedCell = z.object({
  /** The sender provinces of the grid; empty: all senders that no other grid lists. */
  senders: z.array(z.string()),
  /** The code of the province or city; empty for a value of the whole template. */
  area: z.string(),
  field: z.string(),
  before: z.nullable(z.union([z.string(), z.number()])),
  after: z.nullable(z.union([z.string(), z.number()])),
});
export type ChangedCell = z.infer<typeof changedCell>;

/** The number of a version; 0 means the draft. */
const versionOrDraft = integer(0, mostInteger);

const divisionCode = z.string('invalid').check(z.regex(/^\d{6}$/, 'invalid'));

export const finding = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.enum(
    Object.keys(allFindings) as [keyof typeof allFindings, ...(keyof typeof allFindings)[]],
  ),
  path: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

const sums = {
  parcels: z.int(),
  /**
   * Amounts in fen: `old_amount` was paid, `new_amount` is the amount for the same parcels with the
   * prices of the draft.
   */
  old_amount: z.int(),
  new_amount: z.int(),
  /** The number of parcels that have no price in the draft; both sums leave them out. */
  unpriced: z.int(),
};

/**
 * An estimate of the impact of a draft: the price of the parcels of the last 30 days before and
 * after the change. The draft and the parcels are those at the time of the request.
 */
export const impact = z.object({
  id: z.int(),
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  status: z.enum(['running', 'done']),
  /** 1: the prices of the draft have not been edited since the estimate was requested. */
  is_current: flag,
  since: time,
  until: time,
  total: z.int(),
  done: z.int(),
  ...sums,
  /**
   * The parcels for which the carrier's cost is known: their number, this cost, and the old and the
   * new price of the same parcels.
   */
  cost: z.object({
    parcels: z.int(),
    cost_amount: z.int(),
    old_amount: z.int(),
    new_amount: z.int(),
  }),
  stations: z.array(z.object({ station_id: z.int(), name: z.string(), ...sums })),
  provinces: z.array(z.object({ province: z.enum(provinceCodes), ...sums })),
  asked_by: z.string(),
  created_at: time,
  finished_at: z.nullable(time),
});
export type Impact = z.infer<typeof impact>;

/** A price list that was read from a file. */
const priceSheet = z.object({
  /** The content of the draft as read from the file; null if a cell could not be read. */
  weight: z.nullable(draftContent),
  /** The number of rows with prices; `cells` is the number of cells that differ from the draft. */
  rows: z.int(),
  cells: z.int(),
  ...sheetProblems,
});
export type PriceSheet = z.infer<typeof priceSheet>;

export const schemas = {
  listVouchers: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      provider: z.optional(provider),
      promise_id: z.optional(text(0, promiseCodeLength)),
      published: z.optional(flag),
      changed: z.optional(flag),
      status: z.optional(flag),
    }),
    output: listOf(voucherRow),
  },
  getVoucher: {
    input: z.object({ id }),
    output: voucher,
  },
  createVoucher: {
    input: z.object({
      name: fields.name,
      provider,
      promise_id: fields.promise_id,
      discount: z.optional(discount),
      northeast_discount: z.optional(discount),
      weight: z.optional(fields.weight),
    }),
    output: voucher,
  },
  editVoucher: {
    input: z.object({
      id,
      version,
      name: z.optional(fields.name),
      promise_id: z.optional(fields.promise_id),
      discount: z.optional(discount),
      northeast_discount: z.optional(discount),
      weight: z.optional(fields.weight),
    }),
    output: voucher,
  },
  setVoucherStatus: {
    input: z.object({ id, status: flag }),
    output: voucher,
  },
  voucherUsage: usageSchemas,
  voucherUses: {
    input: z.object({ id }),
    output: z.object({
      since: time,
      until: time,
      areas: z.array(z.object({ area: z.string(), parcels: z.int() })),
    }),
  },
  copyVoucher: {
    input: z.object({ id, name: fields.name, promise_id: z.optional(fields.promise_id) }),
    output: voucher,
  },
  publishVoucher: {
    input: z.object({ id, version, valid_from: z.optional(day) }),
    output: voucher,
  },
  listVoucherVersions: {
    input: z.object({ id }),
    output: z.object({ items: z.array(voucherVersion) }),
  },
  getVoucherVersion: {
    input: z.object({ id, no }),
    output: z.object({ ...voucherVersion.shape, weight: templateContent }),
  },
  compareVoucher: {
    input: z.object({ id, from: versionOrDraft, to: versionOrDraft }),
    output: z.object({ from: z.int(), to: z.int(), cells: z.array(changedCell) }),
  },
  voucherPricesFile: {
    input: z.object({
      id,
      no: z.optional(versionOrDraft),
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
    }),
    output: z.unknown(),
  },
  readVoucherPrices: {
    input: z.object({ id, language: z.optional(z.enum(['zh', 'en'], 'invalid')) }),
    output: priceSheet,
  },
  readPriceList: {
    input: z.object({
      id,
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
      /** The user's choices (`priceListChoices`) as JSON; absent in the first call. */
      choices: z.optional(text(0, mostChoicesLength)),
    }),
    output: priceList,
  },
  quoteVoucher: {
    input: z.object({
      id,
      sender_code: divisionCode,
      receive_code: divisionCode,
      weight: integer(1, mostWeight),
      length: z.optional(integer(0, mostTriedSide)),
      width: z.optional(integer(0, mostTriedSide)),
      height: z.optional(integer(0, mostTriedSide)),
      package_count: z.optional(integer(1, mostPackages)),
      guarantee_value_amount: z.optional(integer(0, mostAmount)),
      /** The number of a published version; absent for the draft. */
      no: z.optional(no),
      /** The draft as it is in the editor; it may not be saved yet. */
      draft: z.optional(draft),
      /** The id of the station whose discounts are used for the price. */
      station_id: z.optional(id),
    }),
    output: z.object({ price: z.nullable(price), reason: z.nullable(reason) }),
  },
  checkVoucher: {
    input: z.object({ id, draft: z.optional(draft) }),
    output: z.object({ findings: z.array(finding) }),
  },
  startImpact: {
    input: z.object({ id, station_id: z.optional(id) }),
    output: impact,
  },
  getImpact: {
    input: z.object({ id }),
    output: z.object({ impact: z.nullable(impact) }),
  },
};

export const calls = withSchemas(endpoints, schemas);
