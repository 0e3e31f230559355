import { halfUp, percentText, wholeRate } from '@waystation/contract/money/money.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { ChainLink, Discounts, PercentType, Terms } from '@waystation/contract/money/terms.ts';
import { discountOf, rateOf } from './discount.ts';

/** The profit share between one station and its parent, in fen. */
export interface Share {
  child_id: number;
  /** The station that receives the share. */
  parent_id: number;
  percent_type: PercentType;
  /** The share as calculated by its rule, before it is reduced to the money that remains. */
  wanted_amount: number;
  amount: number;
}

export interface Shares {
  /** The amount that is shared: the paid price minus insurance and surcharges. */
  base_amount: number;
  /** One share for each link of the chain that earns one, from the parcel's station upwards. */
  shares: Share[];
  /**
   * The amount that is left after the shares, including insurance and surcharges. It is the
   * platform's revenue.
   */
  platform_amount: number;
}

/** The amounts of a price from which the profit shares are calculated. */
export type SharedPrice = Pick<
  Price,
  'freight_amount' | 'discount_amount' | 'post_amount' | 'northeast'
>;

const wantedBy = (
  link: ChainLink,
  price: SharedPrice,
  base: number,
  voucher: Discounts,
): number => {
  if (link.percent_type === 1) return halfUp(base, link.profit ?? 0);
  if (link.percent_type === 2) return link.fixed_profit;
  const discount = (station: Discounts) =>
    discountOf(price.freight_amount, rateOf(station, voucher, price.northeast === 1).rate);
  return Math.max(0, discount(link.parent) - discount(link.child));
};

/**
 * Divides a charge into profit shares up the chain (docs/pricing.md §7). The shares and
 * `platform_amount` add up exactly to `post_amount`. No share is below zero, and all shares
 * together are at most `base_amount`.
 */
export const sharesOf = (price: SharedPrice, terms: Pick<Terms, 'voucher' | 'links'>): Shares => {
  const base_amount = price.freight_amount - price.discount_amount;
  const shares: Share[] = [];
  let left = base_amount;
  for (const link of terms.links) {
    if (!link.enable_profit) continue;
    const wanted_amount = wantedBy(link, price, base_amount, terms.voucher);
    const amount = Math.min(wanted_amount, left);
    left -= amount;
    shares.push({
      child_id: link.child_id,
      parent_id: link.parent_id,
      percent_type: link.percent_type,
      wanted_amount,
      amount,
    });
  }
  return { base_amount, shares, platform_amount: price.post_amount - base_amount + left };
};

/** The sum of the profit-share percentages that are enabled along a chain, in basis points. */
export const chainRate = (
  links: readonly Pick<ChainLink, 'enable_profit' | 'percent_type' | 'profit'>[],
): number =>
  links.reduce(
    (sum, link) => sum + (link.enable_profit && link.percent_type === 1 ? (link.profit ?? 0) : 0),
    0,
  );

/**
 * The error if a chain may not be saved because its percentages add up to more than 100 %;
 * otherwise null.
 */
export const chainTooGenerous = (
  links: readonly Pick<ChainLink, 'enable_profit' | 'percent_type' | 'profit'>[],
): { code: 'share_rates_too_high'; params: { percent: string } } | null => {
  const rate = chainRate(links);
  return rate > wholeRate
    ? { code: 'share_rates_too_high', params: { percent: percentText(rate) } }
    : null;
};
