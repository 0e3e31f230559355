import * as z from 'zod/mini';
import { rateSources, weightSources } from './price.ts';

/**
 * A whole number of fen, grams or basis points in responses and in the database; users never type
 * it.
 */
const whole = z.int();

/**
 * `code`: the weight from which the billed weight was calculated. `actual_weight` is before
 * rounding, `billed_weight` is after rounding, and `scale_weight` is from a scale or the sender;
 * all are in grams. `rounding`: `first` if within the first weight; `step` if each started
 * `step_weight` above `from_weight` is counted. `volume` (cm³) and `divisor` are present if the
 * volume decided.
 */
export const weightMessage = z.object({
  code: z.enum(weightSources),
  params: z.object({
    actual_weight: whole,
    billed_weight: whole,
    rounding: z.enum(['first', 'step']),
    from_weight: z.exactOptional(whole),
    step_weight: z.exactOptional(whole),
    scale_weight: z.exactOptional(whole),
    volume: z.exactOptional(whole),
    divisor: z.exactOptional(whole),
  }),
});
export type WeightMessage = z.infer<typeof weightMessage>;

const line = <R extends string, I extends z.core.$ZodLooseShape>(rule: R, input: I) =>
  z.object({
    rule: z.literal(rule),
    /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
    version: whole,
    input: z.object(input),
    /** The amount in fen that this line adds to the price; it may be negative. */
    result: whole,
  });

/**
 * One step of a price calculation: the rule, the version of the rule, its inputs, and the resulting
 * amount in fen, which may be negative.
 */
export const priceLine = z.discriminatedUnion('rule', [
  line('first', {
    voucher_id: whole,
    voucher_version: whole,
    voucher_name: z.string(),
    zone_name: z.string(),
    /** The code of the province or city for which the price was found. */
    area: z.string(),
    first_weight: whole,
    first_amount: whole,
  }),
  line('step', { from_weight: whole, step_weight: whole, step_amount: whole, steps: whole }),
  line('minimum', { minimum_amount: whole, freight_amount: whole }),
  line('discount', { source: z.enum(rateSources), rate: whole, freight_amount: whole }),
  line('guarantee', {
    source: z.enum(['declared', 'merchant']),
    value_amount: whole,
    tier_amount: whole,
  }),
  line('surcharge', { code: z.string(), name: z.string() }),
]);
export type PriceLine = z.infer<typeof priceLine>;

/**
 * A parcel's price with its explanation (docs/pricing.md §5). Fen; `pre_amount − discount_amount =
 * post_amount`, which is also the sum of the lines. `discount` is the rate that was applied, 10000
 * if there was none. `northeast` is 1 if the receiver is in the north-east.
 */
export const price = z.object({
  cal_weight: whole,
  weight_message: weightMessage,
  freight_amount: whole,
  guarantee_amount: whole,
  surcharge_amount: whole,
  pre_amount: whole,
  discount: whole,
  discount_amount: whole,
  post_amount: whole,
  northeast: z.union([z.literal(0), z.literal(1)]),
  lines: z.array(priceLine),
});
export type Price = z.infer<typeof price>;
