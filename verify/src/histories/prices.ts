/**
 * A second implementation of the prices and profit shares in docs/pricing.md. It is as simple as
 * possible and independent of the product's code. Units: fen, grams, cm, basis points.
 */

import { lists } from '@waystation/server/testing/histories/operations.ts';
import type {
  Known,
  Promised,
  Rates,
  To,
} from '@waystation/server/testing/histories/operations.ts';

/**
 * The insurance tiers of the example network. For the fee `fee` a parcel is insured up to the value
 * `upTo`.
 */
const tiers = [
  { upTo: 50_000, fee: 100 },
  { upTo: 100_000, fee: 200 },
  { upTo: 200_000, fee: 400 },
  { upTo: 500_000, fee: 1_000 },
  { upTo: 1_000_000, fee: 2_500 },
  { upTo: 3_000_000, fee: 9_000 },
] as const;

/** The terms between one station and its parent, as they were frozen in the parcel's terms. */
export interface Link {
  parent: number;
  earns: boolean;
  profit: number;
  fixed: number;
  child: Rates;
  above: Rates;
}

/** The terms with which a parcel is priced from its order until it ends. */
export interface Terms {
  promise: Promised;
  own: Rates;
  way: 1 | 2 | 3;
  chain: Link[];
}

export interface Cost {
  pre: number;
  discount: number;
  guarantee: number;
  surcharge: number;
  post: number;
  /** The profit shares, by the id of the parent station that earns them. */
  shares: Record<number, number>;
}

/** Returns the share of an amount in whole fen. A half fen is rounded up. */
const part = (amount: number, rate: number): number => Math.floor((amount * rate + 5_000) / 10_000);

const rateOf = (own: Rates, promise: Promised, to: To): number => {
  const list = lists[promise];
  const ordinary = own.discount ?? list.discount ?? 10_000;
  return to === 'liaoning' ? (own.northeast ?? list.northeast ?? ordinary) : ordinary;
};

const sharesOf = (terms: Terms, to: To, freight: number, paid: number): Record<number, number> => {
  const shares: Record<number, number> = {};
  let left = paid;
  for (const link of terms.chain) {
    if (!link.earns) continue;
    const pays = (rates: Rates): number => part(freight, rateOf(rates, terms.promise, to));
    const wanted =
      terms.way === 1
        ? part(paid, link.profit)
        : terms.way === 2
          ? link.fixed
          : Math.max(0, pays(link.child) - pays(link.above));
    const share = Math.min(wanted, left);
    left -= share;
    shares[link.parent] = share;
  }
  return shares;
};

/**
 * Calculates the cost of a parcel. Returns null if the parcel has no price because it is too heavy
 * or its insured value is too high.
 */
export const costOf = (known: Known, terms: Terms): Cost | null => {
  const { divisor, zones } = lists[terms.promise];
  const zone = zones[known.to];
  const scale = known.jd_weight ?? known.re_weight ?? known.weight;
  const volume = known.jd_volume ?? known.length * known.width * known.height * known.pieces;
  const actual = divisor === null ? scale : Math.max(scale, Math.ceil((volume * 1_000) / divisor));
  if (actual > zone.brackets.at(-1)!.upTo) return null;
  let freight = zone.first.price;
  let below = zone.first.grams;
  for (const { upTo, step, price } of zone.brackets) {
    if (actual > below) freight += Math.ceil((Math.min(actual, upTo) - below) / step) * price;
    below = upTo;
  }
  freight = Math.max(freight, zone.minimum);
  const tier = tiers.find(({ upTo }) => upTo >= known.value);
  if (known.value > 0 && !tier) return null;
  const guarantee = known.value > 0 ? tier!.fee : 0;
  const surcharge = Object.values(known.surcharges).reduce((sum, amount) => sum + amount, 0);
  const paid = part(freight, rateOf(terms.own, terms.promise, known.to));
  const pre = freight + guarantee + surcharge;
  const discount = freight - paid;
  return {
    pre,
    discount,
    guarantee,
    surcharge,
    post: pre - discount,
    shares: sharesOf(terms, known.to, freight, paid),
  };
};
