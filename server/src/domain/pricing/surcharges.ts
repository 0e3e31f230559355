import type { PriceLine } from '@waystation/contract/money/price.ts';
import { pricingVersion } from './pricing-version.ts';

/**
 * A charge of the carrier in addition to the freight, in fen. `code` is its fee code, and `name` is
 * the carrier's name for it.
 */
export interface Surcharge {
  code: string;
  name: string;
  amount: number;
}

/**
 * Appends a line for each surcharge, in the order of the codes and without discount, and returns
 * the sum of the surcharges. If a code occurs twice, only the later amount counts (docs/pricing.md
 * §4).
 */
export const surcharge = (surcharges: readonly Surcharge[], lines: PriceLine[]): number => {
  const current = new Map(surcharges.map((entry) => [entry.code, entry]));
  let sum = 0;
  for (const { code, name, amount } of [...current.values()].toSorted((a, b) =>
    a.code < b.code ? -1 : 1,
  )) {
    if (amount === 0) continue;
    sum += amount;
    lines.push({
      rule: 'surcharge',
      version: pricingVersion,
      input: { code, name },
      result: amount,
    });
  }
  return sum;
};
