import * as z from 'zod/mini';
import { provider } from '#network/provider.schema.ts';
import { flag, reason } from '#base/fields.schema.ts';
import { priceLine, weightMessage } from '#money/price.schema.ts';
import { nullableInt } from './express.schema.ts';

/** One product with its price. If it has no price, the reason is given and every amount is null. */
export const quote = z.object({
  promise_id: z.string(),
  promise_name: z.string(),
  /** Empty if the product has no English name. */
  promise_name_en: z.string(),
  provider,
  voucher_id: nullableInt,
  voucher_name: z.string(),
  voucher_no: nullableInt,
  /** 0: the product is shown but cannot be selected, for the reason in `reason`. */
  selectable: flag,
  reason: z.nullable(reason),
  cheapest: flag,
  /** 1: the station's rule proposes this product if no user chose one. */
  proposed: flag,
  cal_weight: nullableInt,
  pre_amount: nullableInt,
  discount: nullableInt,
  discount_amount: nullableInt,
  guarantee_amount: nullableInt,
  surcharge_amount: nullableInt,
  post_amount: nullableInt,
  weight_reason: z.nullable(weightMessage),
  lines: z.array(priceLine),
  /**
   * How punctual the product was in the last thirty days, from the sender's city to the receiver's
   * province. Null if there were too few parcels, or if the parcel is being edited.
   */
  lane: z.nullable(
    z.object({
      /**
       * `own`: calculated from the parcels of the reader's stations; `network`: from the parcels of
       * all stations, if several other stations use the lane.
       */
      of: z.enum(['own', 'network']),
      /**
       * The average number of hours from the order until the parcel is signed for; null if fewer
       * than 20 parcels were delivered.
       */
      average_hours: nullableInt,
      /**
       * The share of parcels that were delivered by their promised day, in basis points, among all
       * parcels whose promised day has passed. Late, returned and lost parcels are included. Null
       * if these are fewer than 20.
       */
      on_time_rate: nullableInt,
    }),
  ),
  /**
   * The customer code of the carrier account with which this product would be ordered. Only super
   * and admin get this field.
   */
  customer_code: z.optional(z.string()),
});
export type Quote = z.infer<typeof quote>;

export const stationShown = z.object({
  id: z.int(),
  name: z.string(),
  available: z.int(),
  money: z.int(),
  freeze: z.int(),
  has_amount: flag,
  allow_print: flag,
  allow_select: flag,
});

export const optionsAnswer = z.object({
  station: z.object({
    ...stationShown.shape,
    sender_name: z.string(),
    sender_phone: z.string(),
    province: z.string(),
    city: z.string(),
    county: z.string(),
    address: z.string(),
    /**
     * 1: the check of the station's ledger, or of the whole ledger, failed, so that nothing can be
     * ordered.
     */
    blocked: flag,
  }),
  /** The kinds of goods, also those that may not be shipped, with the reason. */
  cargos: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      type: z.int(),
      provider,
      banned: flag,
      banned_reason: z.string(),
    }),
  ),
  promises: z.array(
    z.object({
      promise_id: z.string(),
      promise_name: z.string(),
      promise_name_en: z.string(),
      cutoff_time: z.string(),
      provider,
    }),
  ),
  /** The enabled insurance tiers, in ascending order. */
  guarantees: z.array(z.object({ money: z.int(), price: z.int() })),
  /** The least insured value, in fen. */
  guarantee: z.int(),
  /** The codes of the provinces where the northeast discount replaces the ordinary discount. */
  northeast: z.array(z.string()),
  max_weight: z.int(),
  /**
   * The enabled carrier accounts with which the parcel may be ordered, and the customer code of the
   * station's account. Only super and admin get this field.
   */
  accounts: z.optional(
    z.array(
      z.object({
        customer_code: z.string(),
        name: z.string(),
        provider,
        is_default: flag,
      }),
    ),
  ),
});
