import * as z from 'zod/mini';
import {
  day,
  fen,
  flag,
  id,
  integer,
  listInput,
  listOf,
  reason,
  searchText,
  stored,
  time,
  version,
} from '#base/fields.schema.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { mostAmount, mostPlannedTiers } from '#base/limits.ts';
import * as endpoints from './guarantee.ts';

/**
 * An insurance tier (requirements §3): a parcel with a value from `from_money` to `money` is
 * insured for the fee `price`. Fen.
 */
export const guarantee = z.object({
  id: z.int(),
  /**
   * The lowest insured value of this tier: one fen above the next lower enabled tier; null while
   * the tier is disabled.
   */
  from_money: z.nullable(z.int()),
  money: z.int(),
  price: z.int(),
  status: flag,
  /**
   * The number of parcels of the last 30 days whose insured value would now fall into this tier.
   */
  parcels_30d: z.int(),
  ...stored,
});
export type Guarantee = z.infer<typeof guarantee>;

const fields = { money: integer(1, mostAmount), price: fen };

const tierValues = z.object(fields);
const tierPlan = z.object({
  /** The tiers that are in force now. */
  tiers: z.array(z.object({ money: z.int(), price: z.int() })),
  /** The planned tiers that will replace the present tiers; null if there is no plan. */
  plan: z.nullable(
    z.object({
      id: z.int(),
      valid_from: time,
      tiers: z.array(z.object({ money: z.int(), price: z.int() })),
      created_at: time,
      created_by: z.nullable(z.string()),
    }),
  ),
});
export type TierPlan = z.infer<typeof tierPlan>;

export const schemas = {
  listGuarantees: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      status: z.optional(flag),
      money_from: z.optional(fen),
      money_to: z.optional(fen),
    }),
    output: listOf(guarantee),
  },
  getGuarantee: {
    input: z.object({ id }),
    output: guarantee,
  },
  createGuarantee: {
    input: z.object({ ...fields, status: z.optional(flag) }),
    output: guarantee,
  },
  editGuarantee: {
    input: z.object({
      id,
      version,
      money: z.optional(fields.money),
      price: z.optional(fields.price),
    }),
    output: guarantee,
  },
  setGuaranteeStatus: {
    input: z.object({ id, status: flag }),
    output: guarantee,
  },
  guaranteeUsage: usageSchemas,
  getTierPlan: { input: z.object({}), output: tierPlan },
  planTiers: {
    input: z.object({
      valid_from: day,
      tiers: z
        .array(tierValues)
        .check(z.minLength(1, 'required'), z.maxLength(mostPlannedTiers, 'too_long')),
    }),
    output: tierPlan,
  },
  withdrawTierPlan: { input: z.object({ id }), output: tierPlan },
  insuranceFee: {
    input: z.object({ value_amount: fen, day: z.optional(day) }),
    output: z.object({
      items: z.array(
        z.object({
          /** The names of the carrier accounts that have this least insured value. */
          merchants: z.array(z.string()),
          least_amount: z.int(),
          /**
           * The insured value: the declared value or the least insured value, whichever is larger.
           */
          insured_amount: z.int(),
          /**
           * The insured amount of the insurance tier that applies to the insured value. Null if no
           * tier is needed, or if there is no tier; `reason` then explains why.
           */
          tier_amount: z.nullable(z.int()),
          price: z.nullable(z.int()),
          reason: z.nullable(reason),
        }),
      ),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
