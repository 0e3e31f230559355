import * as z from 'zod/mini';
import { provinces } from '#parcels/provinces.ts';
import { flag } from '#base/fields.schema.ts';
import { offerRules, otherProvinces } from './offer-rule.ts';
import { provider } from './provider.schema.ts';

const keys: ReadonlySet<string> = new Set([
  ...provinces.map(({ code }): string => code),
  otherProvinces,
]);

/**
 * A record with at most one carrier for each of the 34 provinces, and one for all other provinces.
 */
const offerCarriers = z
  .record(z.string(), provider)
  .check(
    z.refine((value) => Object.keys(value).every((key) => keys.has(key)), { error: 'invalid' }),
  );

/** The fields of a station with the rule that chooses a product if no user does. */
export const offerRuleFields = {
  offer_rule: z.enum(offerRules),
  /**
   * The preferred carrier for each division code of a receiver's province, and, under `default`,
   * for all other provinces.
   */
  offer_carriers: offerCarriers,
  /** 1: if the rule's carrier accepts no calls, a product of another carrier is chosen. */
  offer_fallback: flag,
};

/** Why a product was chosen (offer-rule.ts). */
const offerReason = z.enum(['cheapest', 'fastest', 'preferred', 'only', 'no_times', 'not_offered']);

export const offerChoice = z.object({
  rule: z.enum(offerRules),
  because: offerReason,
  offers: z.int(),
  provider,
  promise_name: z.string(),
  /** Empty if the product has no English name. */
  promise_name_en: z.string(),
  average_hours: z.nullable(z.int()),
  /** `more_amount`: the difference in fen, negative if the other product is cheaper. */
  other: z.nullable(z.object({ provider, more_amount: z.int() })),
  skipped: z.nullable(provider),
});

/**
 * The number of rows whose product was chosen for the same reason. `because` is null if the sheet
 * contains the product. `skipped`: the carrier that the rule prefers and that accepted no calls.
 */
export const countedReason = z.object({
  because: z.nullable(offerReason),
  skipped: z.nullable(provider),
  rows: z.int(),
});
