import * as z from 'zod/mini';
import { flag, id, integer, reason, signedFen, time } from '#base/fields.schema.ts';
import { ledgerEvidence, proofProgress } from '#money/statement.schema.ts';
import { boardRanges, numberKeys, setupSteps } from './workplace.ts';
import { withSchemas } from '#base/endpoint.ts';
import { boardDays } from '#base/limits.ts';
import * as endpoints from './workplace.ts';

/** The filters of a list, as parameters of its URL and of its endpoint. */
const filter = z.record(z.string(), z.string());
export type Filter = z.infer<typeof filter>;

/** The number of rows that the list has with this filter now. */
const counted = z.object({ count: z.int(), filter });
export type Counted = z.infer<typeof counted>;
const range = integer(boardDays.min, boardDays.max).check(
  z.refine((days) => (boardRanges as readonly number[]).includes(days), { error: 'invalid' }),
);

/**
 * Amounts in fen. `revenue` is what the platform keeps of the stations' payments after profit
 * shares, refunds and corrections; `margin` = `revenue` − `cost`.
 */
const result = { count: z.int(), revenue: signedFen, cost: signedFen, margin: signedFen };
const sums = z.object(result);
export type MoneySums = z.infer<typeof sums>;
export type MoneyBoard = z.infer<typeof schemas.moneyBoard.output>;

const below = z.object({
  station_id: z.int(),
  name: z.string(),
  parent_name: z.string(),
  status: z.int(),
  parcels: counted,
  before: counted,
  /**
   * The profit of the reader's own station from the parcels of this station; `count` is the number
   * of transactions.
   */
  profit: z.extend(counted, { amount: signedFen }),
  available: signedFen,
  has_amount: z.int(),
  stuck: counted,
  last_active_at: z.nullable(time),
  /** 1: the station has created no parcel for more than three days. */
  silent: z.int(),
});
export type StationBelow = z.infer<typeof below>;

export const schemas = {
  workplace: {
    input: z.object({}),
    output: z.object({
      /**
       * The counts in the order of `numberKeys`. `today` and `yesterday` are null for a count
       * without daily changes.
       */
      numbers: z.array(
        z.extend(counted, {
          key: z.enum(numberKeys),
          today: z.nullable(counted),
          yesterday: z.nullable(counted),
        }),
      ),
      station: z.nullable(
        z.object({
          id: z.int(),
          name: z.string(),
          available: z.int(),
          money: z.int(),
          freeze: z.int(),
          /** The reserve that cannot be used: `available` = `money` − `freeze` − `fixed_freeze`. */
          fixed_freeze: z.int(),
          has_amount: z.int(),
          /**
           * The number of whole days that the balance will last at its recent spending. Null if
           * nothing was spent, orders do not check the balance, or the reader may not see the
           * spending.
           */
          days_left: z.nullable(z.int()),
          /**
           * In fen: if less is available, the amount counts as low. Null if orders do not check the
           * balance, or if the reader may not see the spending.
           */
          low_limit: z.nullable(z.int()),
        }),
      ),
      recent: z.array(
        z.object({
          id: z.int(),
          delivery_id: z.nullable(z.string()),
          order_id: z.string(),
          receive_name: z.string(),
          receive_city: z.string(),
          state_code: z.int(),
          post_amount: z.int(),
          created_at: time,
        }),
      ),
      /**
       * The alerts that need attention, the newest first, at most ten. Null for roles other than
       * super and admin.
       */
      alerts: z.nullable(
        z.array(
          z.object({
            id: z.int(),
            reason,
            at: time,
            express_id: z.nullable(z.int()),
            order_id: z.nullable(z.string()),
            merchant_name: z.nullable(z.string()),
          }),
        ),
      ),
      /**
       * The number of parcels with a waybill number for each of the last fourteen business days, by
       * their day of creation.
       */
      days: z.array(z.object({ day: z.string(), count: z.int() })),
      /**
       * The settings that a network still needs, in their order; only for super and admin, and only
       * until the first parcel was ordered.
       */
      checklist: z.nullable(z.array(z.object({ step: z.enum(setupSteps), done: flag }))),
    }),
  },
  moneyBoard: {
    input: z.object({ days: z.optional(range), station_id: z.optional(id) }),
    output: z.object({
      from: z.string(),
      to: z.string(),
      days: z.array(z.object({ day: z.string(), ...result })),
      sums,
      /** The sums of the previous period, which has the same number of days. */
      before: sums,
      /**
       * The changes of the prices that stations pay, because their parcels were weighed again;
       * `count` is the number of transactions.
       */
      reweigh: z.object({
        all: counted,
        up: z.extend(counted, { amount: signedFen }),
        down: z.extend(counted, { amount: signedFen }),
      }),
      /** The filters that open the parcel list, and the list of transactions, for these numbers. */
      parcels: filter,
      lines: filter,
    }),
  },
  balanceBoard: {
    input: z.object({ days: z.optional(integer(1, boardDays.max)) }),
    output: z.object({
      items: z.array(
        z.object({
          station_id: z.int(),
          name: z.string(),
          available: signedFen,
          /** The average amount per day in fen, rounded half up. */
          daily: signedFen,
          /** The number of whole days that the balance will last. */
          days_left: z.int(),
        }),
      ),
      /** The total over all stations of the list. */
      all: counted,
      /** Stations whose available amount is below their limit, whatever they spend. */
      below: counted,
      /** Post-paid stations that owe money, the largest debts first. */
      owing: z.object({
        items: z.array(
          z.object({
            station_id: z.int(),
            name: z.string(),
            /** The debt in fen. */
            owed: z.int(),
            /** The credit limit in fen; null: no limit. */
            credit_limit: z.nullable(z.int()),
            /**
             * Whole days since the oldest unpaid parcel cost was charged; payments settle the
             * oldest cost first. Null if no parcel cost is unpaid and the debt has another cause.
             */
            days_outstanding: z.nullable(z.int()),
          }),
        ),
        all: z.extend(counted, { amount: signedFen }),
      }),
    }),
  },
  billBoard: {
    input: z.object({}),
    output: z.object({
      items: z.array(
        z.object({
          reconciliation_id: z.int(),
          period: z.string(),
          provider: z.string(),
          file_name: z.string(),
          /**
           * The number of undecided lines of this bill; `unmatched` is the number of undecided
           * lines that match no parcel.
           */
          open: counted,
          unmatched: counted,
        }),
      ),
    }),
  },
  stationBoard: {
    input: z.object({ days: z.optional(range), root_id: z.optional(id) }),
    output: z.object({
      root_id: z.int(),
      from: z.string(),
      to: z.string(),
      /**
       * The stations that have stations below them. Each of these can be shown separately with the
       * stations below it.
       */
      roots: z.array(z.object({ id: z.int(), name: z.string() })),
      items: z.array(below),
    }),
  },
  ledgerProofs: {
    input: z.object({}),
    output: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          /** The time when the check began to read; `at` is the time when it ended. */
          started_at: time,
          at: time,
          /** 1: the check compared all rows; 0: it compared only new rows. */
          whole: z.int(),
          ok: z.int(),
          checked_entries: z.int(),
          /**
           * The number of links of the hash chains that were not read again, because a signed
           * checkpoint covers them.
           */
          trusted_links: z.int(),
          /** The number of violations that were found; only the first twenty are listed. */
          breaks_total: z.int(),
          breaks: z.array(
            z.object({ invariant: z.string(), subject: z.string(), detail: z.string() }),
          ),
        }),
      ),
      /**
       * The last full check; `last_new` is the last check of new entries. They are given even if
       * `items` does not contain them any more.
       */
      last_full: z.nullable(z.object({ started_at: time, at: time, ok: z.int() })),
      last_new: z.nullable(z.object({ started_at: time, at: time, ok: z.int() })),
      /** The full check that is running or was interrupted; null if there is none. */
      running: z.nullable(proofProgress),
      evidence: z.object(ledgerEvidence),
      /** The stations that are blocked; `station_id` null: all stations are blocked. */
      blocked: z.array(
        z.object({
          station_id: z.nullable(z.int()),
          name: z.string(),
          reason: z.string(),
          blocked_at: time,
        }),
      ),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
