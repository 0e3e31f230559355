import type { PriceLine } from '@waystation/contract/money/price.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import { pricingVersion } from './pricing-version.ts';

/**
 * `tier` is the upper value of the insurance tier that was used; null if the parcel is not insured.
 */
type Insured =
  | { amount: number; tier: number | null; line: PriceLine | null }
  | { reason: 'above_top_tier' | 'no_tiers'; value: number; top: number };

/**
 * The fee of the lowest insurance tier that covers the insured value. The insured value is at least
 * the minimum of the carrier account (docs/pricing.md §4).
 */
export const insure = (declared: number, terms: Pick<Terms, 'guarantee' | 'tiers'>): Insured => {
  const value = Math.max(declared, terms.guarantee);
  if (value === 0) return { amount: 0, tier: null, line: null };
  const tier = terms.tiers.find(({ money }) => money >= value);
  if (!tier) {
    const top = terms.tiers.at(-1);
    return top
      ? { reason: 'above_top_tier', value, top: top.money }
      : { reason: 'no_tiers', value, top: 0 };
  }
  const source = declared >= terms.guarantee ? 'declared' : 'merchant';
  const input = { source, value_amount: value, tier_amount: tier.money } as const;
  return {
    amount: tier.price,
    tier: tier.money,
    line: { rule: 'guarantee', version: pricingVersion, input, result: tier.price },
  };
};
