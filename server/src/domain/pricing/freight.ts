import type { PriceLine } from '@waystation/contract/money/price.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import { pricingVersion } from './pricing-version.ts';
import type { CompiledZone } from './template.ts';

/**
 * Appends the lines for the freight of `billed` grams before discount, and returns their sum in fen
 * (docs/pricing.md §2).
 */
export const listFreight = (
  zone: CompiledZone,
  billed: number,
  voucher: Terms['voucher'],
  lines: PriceLine[],
): number => {
  let freight = zone.first.price;
  lines.push({
    rule: 'first',
    version: pricingVersion,
    input: {
      voucher_id: voucher.id,
      voucher_version: voucher.version,
      voucher_name: voucher.name,
      zone_name: zone.name,
      area: zone.area,
      first_weight: zone.first.max_g,
      first_amount: zone.first.price,
    },
    result: zone.first.price,
  });
  for (const { from, upTo, step, price } of zone.brackets) {
    if (billed <= from) break;
    const steps = (Math.min(billed, upTo) - from) / step;
    const result = steps * price;
    freight += result;
    lines.push({
      rule: 'step',
      version: pricingVersion,
      input: { from_weight: from, step_weight: step, step_amount: price, steps },
      result,
    });
  }
  if (freight < zone.minimum) {
    const input = { minimum_amount: zone.minimum, freight_amount: freight };
    lines.push({ rule: 'minimum', version: pricingVersion, input, result: zone.minimum - freight });
    freight = zone.minimum;
  }
  return freight;
};
