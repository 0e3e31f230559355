import { halfUp, wholeRate } from '@waystation/contract/money/money.ts';
import type { rateSources } from '@waystation/contract/money/price.ts';
import type { Discounts } from '@waystation/contract/money/terms.ts';

export interface Rate {
  /** The share of the list price that is paid, in basis points. */
  rate: number;
  /**
   * Where the rate is set: at the station or at the template, ordinary or north-east; null if no
   * rate is set.
   */
  source: (typeof rateSources)[number] | null;
}

/**
 * The rate that a station pays (docs/pricing.md §3). A north-east rate replaces the ordinary rate,
 * and a rate of the station replaces the template's rate.
 */
export const rateOf = (station: Discounts, voucher: Discounts, northeast: boolean): Rate => {
  if (northeast) {
    if (station.northeast_discount !== null)
      return { rate: station.northeast_discount, source: 'station_northeast' };
    if (voucher.northeast_discount !== null)
      return { rate: voucher.northeast_discount, source: 'voucher_northeast' };
  }
  if (station.discount !== null) return { rate: station.discount, source: 'station' };
  if (voucher.discount !== null) return { rate: voucher.discount, source: 'voucher' };
  return { rate: wholeRate, source: null };
};

/** The discount on `freight` in fen. The amount to pay is rounded, and the discount is the rest. */
export const discountOf = (freight: number, rate: number): number =>
  freight - halfUp(freight, rate);
