import * as z from 'zod/mini';
import {
  countsInput,
  countsOf,
  day,
  flag,
  id,
  integer,
  listInput,
  listOf,
  searchText,
  text,
  time,
} from '#base/fields.schema.ts';
import { price } from './price.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { proofBlindSpots, statementStatuses, statementTypes } from './statement.ts';
import type { StatementStatus, StatementType } from './statement.ts';
import {
  mostAmount,
  mostBalance,
  noteLength,
  reasonLength,
  typesLength,
  waybillFilterLength,
} from '#base/limits.ts';
import * as endpoints from './statement.ts';

const type = z.enum(Object.keys(statementTypes) as [StatementType, ...StatementType[]]);
const status = z.enum(Object.keys(statementStatuses) as [StatementStatus, ...StatementStatus[]]);

const nullable = z.nullable(z.int());

/** One or several types, separated by commas. */
const types = z.pipe(
  z.string().check(z.maxLength(typesLength, 'too_long')),
  z.pipe(
    z.transform((value: string): string[] => value.split(',')),
    z.array(type),
  ),
);
/** The size of a change in fen, without its sign. */
const size = integer(0, mostBalance);

/**
 * A transaction in a response: the fields of requirements §3 and fields that explain them. Amounts
 * are in fen; `discount` is in basis points.
 */
export const statement = z.object({
  id,
  station_id: z.int(),
  station_name: z.string(),
  /**
   * The ordinal number among the station's posted transactions, from 1 without a gap; null for a
   * request.
   */
  seq: nullable,
  type,
  status,
  /** Null if the transaction has no parcel, or if its parcel is outside the reader's scope. */
  express_id: nullable,
  delivery_id: z.nullable(z.string()),
  /**
   * The change of the station's balance, which may be negative; 0 if money is only held or
   * released.
   */
  amount: z.int(),
  /** The change of the held amount, negative if money is released. */
  freeze_amount: z.int(),
  pre_amount: nullable,
  discount: nullable,
  discount_amount: nullable,
  guarantee_amount: nullable,
  post_amount: nullable,
  /** The station's available amount and balance after this transaction; null for a request. */
  available: nullable,
  balance: nullable,
  /** The profit that the station earned with this transaction. */
  profit: z.int(),
  description: z.string(),
  /** The month of posting in Asia/Shanghai, `YYYY-MM`. */
  period: z.nullable(z.string()),
  created_at: time,
  updated_at: time,
  posted_at: z.nullable(time),
  /**
   * The person who made the request or posted the transaction; null for the system, or for an
   * account outside the reader's scope.
   */
  account_nickname: z.nullable(z.string()),
  /**
   * The id of the account whose nickname is `account_nickname`, by which readers recognise their
   * own requests; null if the nickname is null.
   */
  account_id: nullable,
  /** 1: the request was approved by one super or admin, and a second one must approve it too. */
  first_approved: flag,
  /** The person who approved or declined the request, and the reason if it was declined. */
  decided_nickname: z.nullable(z.string()),
  decision_reason: z.string(),
});
export type Statement = z.infer<typeof statement>;
export type Journal = z.infer<typeof schemas.statementJournal.output>;

const amount = integer(1, mostAmount);
const why = text(reasonLength.min, reasonLength.max);

const decision = (shortestReason: number) => ({
  input: z.object({ id, reason: z.optional(text(shortestReason, reasonLength.max)) }),
  output: statement,
});

/** The progress of a full check; `rows_total` is an estimate that is at least `rows_done`. */
export const proofProgress = z.object({
  started_at: time,
  rows_done: z.int(),
  rows_total: z.int(),
});

/**
 * The newest link whose chain head was written outside the database. Changes of later links and all
 * their hashes would not be noticed, because no head outside the database contains them.
 */
export const ledgerEvidence = {
  /** The time when the heads were last written outside the database; null if they never were. */
  heads_at: z.nullable(time),
  /**
   * The number of transfers since the newest heads of the hash chains were written outside the
   * database. `records_since` is the number of records of the ledger's sources since then.
   */
  transfers_since: z.int(),
  records_since: z.int(),
  /**
   * The date of the baseline: older rows are compared with their state on this date; null if there
   * are no older rows.
   */
  baseline_at: z.nullable(time),
};

const statementFilters = {
  ...listInput,
  sort: z.optional(z.enum(['posted_at', '-posted_at'], 'invalid')),
  /** Waybill numbers, separated by any characters. */
  q: z.optional(searchText),
  station_id: z.optional(id),
  /** 1: the transactions of the stations below this station are included. */
  with_children: z.optional(flag),
  type: z.optional(types),
  status: z.optional(status),
  /** The smallest and the largest change of the balance, in fen. */
  amount_from: z.optional(size),
  amount_to: z.optional(size),
  /** Only transactions that raised the balance (`in`) or lowered it (`out`). */
  sign: z.optional(z.enum(['in', 'out'], 'invalid')),
  /** Only profit shares from parcels of this station, and the reversals of such shares. */
  earned_from: z.optional(id),
  express_id: z.optional(id),
  delivery_id: z.optional(text(1, waybillFilterLength)),
  period: z.optional(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'invalid'))),
  /** 1: only transactions of closed months; 0: only transactions of open months. */
  closed: z.optional(flag),
  /**
   * 1: charges and differences of parcels that are on a carrier bill; 0: those not on a carrier
   * bill yet. Only super and admin may use this filter.
   */
  billed: z.optional(flag),
  /**
   * The first and the last day of posting, both included; for a request, the days on which it was
   * made.
   */
  posted_from: z.optional(day),
  posted_to: z.optional(day),
};

export const schemas = {
  listStatements: {
    input: z.object(statementFilters),
    output: listOf(statement),
  },
  countStatements: {
    input: countsInput(statementFilters),
    output: z.extend(countsOf, {
      /**
       * Amounts in fen, for which opening + in − out = closing, over all transactions of the
       * filtered stations and days. `frozen` is the held amount at the end. Null if any other
       * filter is set.
       */
      strip: z.nullable(
        z.object({
          opening: z.int(),
          in: z.int(),
          out: z.int(),
          closing: z.int(),
          frozen: z.int(),
        }),
      ),
      /**
       * The sums of the transactions that match the filters. Pending requests are not included.
       * Null if there are too many transactions to add up (`total_is_capped`).
       */
      sums: z.nullable(z.object({ in: z.int(), out: z.int(), freeze_amount: z.int() })),
    }),
  },
  retractStatement: { input: z.object({ id }), output: statement },
  topUpStation: {
    input: z.object({
      id,
      amount: integer(1, mostAmount),
      description: z.optional(text(0, noteLength)),
    }),
    output: statement,
  },
  statementJournal: {
    input: z.object({ id }),
    output: z.object({
      line: statement,
      /**
       * The prices before and after a charge or a difference, and the cause of the change; `before`
       * is null if there was no price. Returned only for a parcel that the reader may see.
       */
      pricing: z.nullable(
        z.object({
          before: z.nullable(price),
          after: price,
          source: z.string(),
          reason: z.string(),
          at: time,
        }),
      ),
      /** Null for a request that has posted nothing yet. */
      transfer: z.nullable(
        z.object({
          id: z.int(),
          at: time,
          entries: z.array(
            z.object({
              account: z.enum([
                'wallet',
                'holds',
                'cash',
                'revenue',
                'carrier_cost',
                'carrier_payable',
                'others',
              ]),
              station_name: z.nullable(z.string()),
              amount: z.int(),
              balance: nullable,
            }),
          ),
          hash: z.string(),
          /** 1: the hash matches the content that is stored now. */
          hash_holds: flag,
          /**
           * The link of the transaction in its station's hash chain; `holds` 1: the link follows
           * from the previous link.
           */
          chain: z.nullable(z.object({ seq: z.int(), hash: z.string(), holds: flag })),
        }),
      ),
    }),
  },
  requestWithdrawal: {
    input: z.object({ id, amount, description: z.optional(text(0, noteLength)) }),
    output: statement,
  },
  withdrawFromClosed: {
    input: z.object({ id, amount, description: z.optional(text(0, noteLength)) }),
    output: statement,
  },
  adjustStation: {
    input: z.object({
      id,
      amount: integer(-mostAmount, mostAmount).check(
        z.refine((value) => value !== 0, { error: 'required' }),
      ),
      description: why,
    }),
    output: statement,
  },
  refundExpress: {
    input: z.object({ id, amount, description: why }),
    output: statement,
  },
  payOutExpress: {
    input: z.object({ id, amount, description: why }),
    output: statement,
  },
  approveStatement: decision(0),
  declineStatement: decision(2),
  reverseStatement: {
    input: z.object({
      id,
      reason: text(reasonLength.min, reasonLength.max),
      part: z.optional(flag),
    }),
    output: statement,
  },
  unblockStation: {
    input: z.object({ id, reason: text(reasonLength.min, reasonLength.max) }),
    output: z.object({ cleared: flag }),
  },
  proveLedger: {
    input: z.object({ full: z.optional(flag) }),
    output: z.object({
      /** Null while the full check continues in the background. */
      ok: z.nullable(z.int()),
      running: z.nullable(proofProgress),
      kind: z.enum(['full', 'incremental']),
      checked_entries: z.int(),
      /**
       * The check covers everything that was posted up to this time. It did not read again the
       * entries that a valid checkpoint covers.
       */
      checked_at: time,
      ...ledgerEvidence,
      /** The source of the chain heads with which the hash chains were compared. */
      heads_from: z.enum(['file', 'database', 'none']),
      unseen: z.array(z.enum(proofBlindSpots)),
      /**
       * The violations that were found, at most 500 of each kind; `invariant` is its name in
       * docs/ledger.md.
       */
      breaks: z.array(z.object({ invariant: z.string(), subject: z.string(), detail: z.string() })),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
