import * as z from 'zod/mini';
import {
  fen,
  flag,
  id,
  integer,
  listInput,
  listOf,
  reason,
  searchText,
  text,
  time,
  version,
  signedFen,
} from '#base/fields.schema.ts';
import {
  billBuckets,
  billDecisions,
  billFields,
  periodStatuses,
  reconciliationStatuses,
} from './reconciliation.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  mostAmount,
  mostBillColumns,
  mostMatched,
  mostWeightTolerance,
  noteLength,
  providerLength,
  reasonLength,
} from '#base/limits.ts';
import { bulkLimit } from '#base/bulk-endpoint.ts';
import * as endpoints from './reconciliation.ts';
import { statementTypes } from './statement.ts';

const keysOf = <T extends object>(words: T) =>
  Object.keys(words) as [keyof T & string, ...(keyof T & string)[]];
const bucket = z.enum(keysOf(billBuckets), 'invalid');
const decision = z.enum(keysOf(billDecisions), 'invalid');
const status = z.enum(keysOf(reconciliationStatuses), 'invalid');
/** A month in Asia/Shanghai, `YYYY-MM`. */
export const period = z.string().check(z.regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'invalid'));

const nullable = z.nullable(z.int());

/** A column of the file: its header and a few of its values. */
export const billColumn = z.object({
  index: z.int(),
  title: z.string(),
  samples: z.array(z.string()),
});
/** The index of the column (from 0) for each field. */
const mapping = z.partialRecord(
  z.enum(billFields),
  z.int().check(z.gte(0, 'invalid'), z.lte(mostBillColumns - 1, 'invalid')),
);

/** One bill of a carrier for one month. Weights in grams, amounts in fen. */
export const reconciliation = z.object({
  id,
  period: z.string(),
  provider: z.string(),
  file_name: z.string(),
  file_bytes: z.int(),
  status: z.enum(keysOf(reconciliationStatuses)),
  /** Why the bill failed or waits for a user; null otherwise. */
  reason: z.nullable(reason),
  /**
   * The number of lines of the file that were read so far, and the number of all lines, when it is
   * known.
   */
  rows_read: z.int(),
  rows_total: nullable,
  columns: z.array(billColumn),
  mapping,
  /** The unit of the weights in the bill. */
  weight_unit: z.enum(['kg', 'g']),
  /** A difference up to `weight_tolerance` and `amount_tolerance` is marked `within_tolerance`. */
  weight_tolerance: z.int(),
  amount_tolerance: z.int(),
  /** All groups of lines, also empty groups. Sums are in fen; `theirs` is null for only_ours. */
  buckets: z.array(
    z.object({
      bucket: z.enum(keysOf(billBuckets)),
      count: z.int(),
      open: z.int(),
      within_tolerance: z.int(),
      accepted: z.int(),
      disputed: z.int(),
      ours_amount: z.int(),
      theirs_amount: z.int(),
    }),
  ),
  /**
   * The amount in the total row of the bill; null if it has none that can be read. It equals
   * `theirs_amount` if no line is missing or changed.
   */
  stated_amount: nullable,
  /** The sum of the bill. `owed_amount` is the sum of its equal and accepted lines. */
  theirs_amount: z.int(),
  owed_amount: z.int(),
  paid_amount: z.int(),
  created_at: time,
  created_by_name: z.nullable(z.string()),
  version: z.int(),
});
export type Reconciliation = z.infer<typeof reconciliation>;

export const billRow = z.object({
  id,
  /** The number of the line in the file, from 1, without the header; null for only_ours. */
  no: nullable,
  bucket: z.enum(keysOf(billBuckets)),
  decision: z.enum(keysOf(billDecisions)),
  /**
   * Why the line cannot be read or accepted, or a remark about it: for example which line it
   * repeats, or whose code it has.
   */
  problem: z.nullable(reason),
  delivery_id: z.nullable(z.string()),
  express_id: nullable,
  order_id: z.nullable(z.string()),
  station_id: nullable,
  station_name: z.nullable(z.string()),
  customer_code: z.nullable(z.string()),
  our_customer_code: z.nullable(z.string()),
  their_weight: nullable,
  /**
   * The weight that the carrier reported before the bill; if it reported none, the billed weight. A
   * bill that shows the carrier's billed weight also counts as equal.
   */
  our_weight: nullable,
  their_amount: nullable,
  /**
   * The carrier's fee known before the bill. Several lines of one parcel are compared by their sum,
   * so only the first of them has our fee.
   */
  our_amount: nullable,
  within_tolerance: flag,
  /**
   * The change of the station's price that accepting the line causes, or has caused. Below 0: the
   * station pays less; null: the price does not change.
   */
  effect_amount: nullable,
  /** The note of the person who accepted or disputed the line. */
  note: z.string(),
  decided_at: z.nullable(time),
  decided_by_name: z.nullable(z.string()),
});
export type BillRow = z.infer<typeof billRow>;

/**
 * The filters of the list of bill lines; the calls that accept and dispute lines use the same
 * filters.
 */
export const billRowFilters = {
  bucket: z.optional(bucket),
  decision: z.optional(decision),
  within_tolerance: z.optional(flag),
  station_id: z.optional(id),
  /** Waybill numbers, separated by any characters. */
  q: z.optional(searchText),
};

/**
 * The lines in `ids`, or every line that matches `filter` now; `expected` is the number of lines
 * that the caller saw.
 */
const chosen = {
  id,
  ids: z.optional(
    z.array(id).check(z.minLength(1, 'required'), z.maxLength(bulkLimit, 'too_long')),
  ),
  filter: z.optional(z.object(billRowFilters)),
  expected: z.optional(integer(0, mostMatched)),
};

const openBill = z.object({
  id: z.int(),
  period: z.string(),
  provider: z.string(),
  status,
  open_rows: z.int(),
});

/** A month of the ledger, open or closed. */
export const bookPeriod = z.object({
  period: z.string(),
  status: z.enum(keysOf(periodStatuses)),
  /**
   * The number of entries posted in the month; `trial_balance`: their sum per account. `sum`, over
   * all accounts, is 0 in a valid ledger.
   */
  entries: z.int(),
  trial_balance: z.array(
    z.object({
      account: z.enum(['wallet', 'holds', 'cash', 'revenue', 'carrier_cost', 'carrier_payable']),
      amount: z.int(),
    }),
  ),
  sum: z.int(),
  /**
   * The number of carrier bills of the month; `pending` is the number of requests that were made in
   * the month and still wait.
   */
  reconciliations: z.int(),
  pending: z.int(),
  /**
   * Bills that keep the month open; `open_rows` is the number of their undecided lines. For the
   * earliest open month, bills of closed months are included, because their lines are posted into
   * this month.
   */
  open_bills: z.array(openBill),
  open_rows: z.int(),
  /**
   * Bills of a closed month that still have undecided lines; these lines are posted in an open
   * month.
   */
  late_bills: z.array(openBill),
  /** 1: the last day of the month is over. */
  ended: flag,
  /** The first earlier month that is still open and must be closed first; null if there is none. */
  earlier_open: z.nullable(z.string()),
  /**
   * Carrier accounts with parcels picked up in the month but without a bill for it. The month
   * cannot be closed until each of them has a bill or a reason; a closed month lists those with a
   * reason.
   */
  missing_bills: z.array(
    z.object({
      merchant_id: z.int(),
      name: z.string(),
      provider: z.string(),
      customer_code: z.string(),
      parcels: z.int(),
      reason: z.nullable(z.string()),
      by_name: z.nullable(z.string()),
      at: z.nullable(time),
    }),
  ),
  closed_at: z.nullable(time),
  closed_by_name: z.nullable(z.string()),
  reopened_at: z.nullable(time),
  reopened_by_name: z.nullable(z.string()),
  reopen_reason: z.string(),
});
export type BookPeriod = z.infer<typeof bookPeriod>;

export const schemas = {
  listReconciliations: {
    input: z.object({
      ...listInput,
      period: z.optional(period),
      provider: z.optional(text(1, providerLength)),
      status: z.optional(status),
      /** Part of a file's name, or the beginning of a month. */
      q: z.optional(searchText),
    }),
    output: listOf(reconciliation),
  },
  createReconciliation: {
    input: z.object({
      period,
      provider: text(1, providerLength),
      weight_tolerance: z.optional(integer(0, mostWeightTolerance)),
      amount_tolerance: z.optional(fen),
    }),
    output: reconciliation,
  },
  getReconciliation: {
    input: z.object({ id }),
    output: reconciliation,
  },
  listBillRows: {
    input: z.object({ id, ...listInput, ...billRowFilters }),
    output: listOf(billRow),
  },
  mapReconciliation: {
    input: z.object({ id, version, mapping, weight_unit: z.enum(['kg', 'g'], 'invalid') }),
    output: reconciliation,
  },
  setTolerances: {
    input: z.object({
      id,
      version,
      weight_tolerance: integer(0, mostWeightTolerance),
      amount_tolerance: fen,
    }),
    output: reconciliation,
  },
  acceptBillRows: {
    input: z.object({ ...chosen, reason: z.optional(text(0, noteLength)) }),
    output: z.object({ job_id: z.int(), total: z.int() }),
  },
  disputeBillRows: {
    input: z.object({ ...chosen, reason: text(reasonLength.min, reasonLength.max) }),
    output: z.object({ job_id: z.int(), total: z.int() }),
  },
  disputedFile: {
    input: z.object({ id, language: z.optional(z.enum(['zh', 'en'], 'invalid')) }),
    output: z.unknown(),
  },
  discardReconciliation: {
    input: z.object({ id, version, reason: text(reasonLength.min, reasonLength.max) }),
    output: reconciliation,
  },
  payCarrier: {
    input: z.object({
      id,
      amount: integer(1, mostAmount),
      description: z.optional(text(0, noteLength)),
    }),
    output: reconciliation,
  },
  listPeriods: {
    input: z.object({}),
    output: z.object({ items: z.array(bookPeriod) }),
  },
  closePeriod: {
    input: z.object({ period }),
    output: bookPeriod,
  },
  remindPeriod: {
    input: z.object({ period }),
    output: z.object({
      stations: z.int(),
      /** The names of stations that have not confirmed and have no user who could confirm. */
      unheard: z.array(z.string()),
    }),
  },
  periodChanges: {
    input: z.object({ period }),
    output: z.object({
      closed_at: z.nullable(time),
      late: z.array(
        z.object({
          type: z.enum(keysOf(statementTypes)),
          lines: z.int(),
          stations: z.int(),
          amount: signedFen,
        }),
      ),
      capped: flag,
      confirmed: z.int(),
      bills: z.int(),
      disputed: z.int(),
    }),
  },
  reopenPeriod: {
    input: z.object({ period, reason: text(reasonLength.min, reasonLength.max) }),
    output: bookPeriod,
  },
  explainMissingBill: {
    input: z.object({ period, merchant_id: id, reason: text(reasonLength.min, reasonLength.max) }),
    output: bookPeriod,
  },
};

export const calls = withSchemas(endpoints, schemas);
