import type { Quote } from '@waystation/contract/parcels/express.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { Discounts } from '@waystation/contract/money/terms.ts';
import { present } from '@waystation/contract/base/present.ts';
import { choosePromise, priceOf } from '#domain/pricing/pricing.ts';
import type { Work } from '#platform/db/db.ts';
import { pricedParcel } from './price.ts';
import type { PriceFacts } from './price.ts';
import { offersOf } from './terms.ts';
import type { Offer, StationTerms } from './terms.ts';

/** A delivery-time option with its price, or the reason why it cannot be ordered. */
export interface PricedOffer {
  offer: Offer;
  price: Price | null;
  selectable: 0 | 1;
  reason: { code: string; params?: Record<string, string | number> } | null;
  cheapest: 0 | 1;
}

/**
 * Prices a parcel with every delivery-time option of the station's scheme, and marks the options
 * that may be selected (docs/pricing.md §8). `trial` replaces the station's discounts for a
 * preview.
 */
export const quoteOffers = async (
  work: Work,
  station: StationTerms,
  { facts, at, trial = {} }: { facts: PriceFacts; at: Date; trial?: Partial<Discounts> },
): Promise<PricedOffer[]> => {
  const stored = await work.asSystem('offers of a station', (system) =>
    offersOf(system, station, at),
  );
  return pricedOffers(
    stored.map((offer) => ({
      ...offer,
      terms: { ...offer.terms, station: { ...offer.terms.station, ...trial } },
    })),
    station,
    facts,
  );
};

/**
 * Like `quoteOffers`, but with offers that were read before; used for many parcels of one station.
 */
export const pricedOffers = (
  offers: readonly Offer[],
  station: Pick<StationTerms, 'allow_select'>,
  facts: PriceFacts,
): PricedOffer[] => {
  const parcel = pricedParcel(facts);
  const quotes = offers.map((offer) => ({
    offer,
    promise_id: offer.promise_id,
    priced: priceOf(parcel, offer.template, offer.terms),
  }));
  // An offer without a carrier account cannot be ordered, so it is not compared.
  const choice = choosePromise(
    quotes.filter(({ offer }) => offer.merchant !== null),
    station.allow_select,
    null,
  );
  const options = choice.options.values();
  return quotes.map(({ offer, priced }) => {
    const { selectable, reason } = offer.merchant
      ? present(options.next().value)
      : {
          selectable: 0 as const,
          reason: { code: 'no_merchant', params: { provider: offer.provider } },
        };
    return {
      offer,
      price: priced.price ?? null,
      selectable,
      reason,
      cheapest: offer.merchant && offer.promise_id === choice.cheapest ? 1 : 0,
    };
  });
};

/** A priced delivery-time option with the fields of the contract. */
export const shownQuote = ({
  offer,
  price,
  selectable,
  reason,
  cheapest,
}: Omit<PricedOffer, 'offer'> & {
  offer: Pick<
    Offer,
    | 'promise_id'
    | 'promise_name'
    | 'promise_name_en'
    | 'provider'
    | 'voucher_id'
    | 'voucher_name'
    | 'voucher_no'
  >;
}): Quote => ({
  promise_id: offer.promise_id,
  promise_name: offer.promise_name,
  promise_name_en: offer.promise_name_en,
  provider: offer.provider,
  voucher_id: offer.voucher_id,
  voucher_name: offer.voucher_name,
  voucher_no: offer.voucher_no,
  selectable,
  reason,
  cheapest,
  proposed: 0,
  cal_weight: price?.cal_weight ?? null,
  pre_amount: price?.pre_amount ?? null,
  discount: price?.discount ?? null,
  discount_amount: price?.discount_amount ?? null,
  guarantee_amount: price?.guarantee_amount ?? null,
  surcharge_amount: price?.surcharge_amount ?? null,
  post_amount: price?.post_amount ?? null,
  weight_reason: price?.weight_message ?? null,
  lines: price?.lines ?? [],
  lane: null,
});
