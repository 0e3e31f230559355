import { otherProvinces } from '@waystation/contract/network/offer-rule.ts';
import type {
  OfferCarriers,
  OfferChoice,
  OfferRule,
} from '@waystation/contract/network/offer-rule.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { PricedOffer } from './quotes.ts';
import type { Offer } from './terms.ts';

/** The rule that chooses a delivery-time option for a station's parcel if no user chooses one. */
export interface StationRule {
  offer_rule: OfferRule;
  offer_carriers: OfferCarriers;
  /**
   * 1 if a product of another carrier is chosen while the carrier that the rule chooses does not
   * answer calls.
   */
  offer_fallback: 0 | 1;
  /** 0 if the cheapest product is ordered for the station, whatever `offer_rule` is. */
  allow_select: 0 | 1;
}

/** The rule that is applied: always the cheapest product if `allow_select` is 0. */
export const ruleOf = ({
  allow_select,
  offer_rule,
}: Pick<StationRule, 'allow_select' | 'offer_rule'>): OfferRule =>
  allow_select === 0 ? 'cheapest' : offer_rule;

type Choosable = PricedOffer & { price: Price };

interface Chosen {
  offer: Choosable;
  choice: OfferChoice;
}

const isPriced = (quote: PricedOffer): quote is Choosable =>
  quote.price !== null && quote.offer.merchant !== null;

const amountOf = ({ price }: Choosable): number => price.post_amount;
/** Sorts products by price; products of equal price keep their order. */
const byPrice = (quotes: readonly Choosable[]): Choosable[] =>
  quotes.toSorted((a, b) => amountOf(a) - amountOf(b));

interface Ranking {
  because: OfferChoice['because'];
  /** The products in the order of the rule; the first one is chosen. */
  ranked: readonly Choosable[];
  hoursOf: (quote: Choosable) => number | null;
}

const unknownHours = (): null => null;

const rankedByTime = (
  priced: readonly Choosable[],
  hoursOf: (offer: Offer) => number | null,
): Ranking => {
  const hours = new Map(priced.map((quote) => [quote, hoursOf(quote.offer)]));
  const last = Number.MAX_SAFE_INTEGER;
  const timeOf = (quote: Choosable): number => hours.get(quote) ?? last;
  // One product with a known time is not enough: a comparison needs at least two.
  const known = priced.filter((quote) => timeOf(quote) < last);
  return known.length < 2
    ? { because: 'no_times', ranked: [...priced], hoursOf: unknownHours }
    : {
        because: 'fastest',
        ranked: priced.toSorted((a, b) => timeOf(a) - timeOf(b)),
        hoursOf: (quote) => hours.get(quote) ?? null,
      };
};

const rankedByPrice = (priced: readonly Choosable[]): Ranking => ({
  because: 'cheapest',
  ranked: priced,
  hoursOf: unknownHours,
});

const rankedByCarrier = (
  priced: readonly Choosable[],
  preferred: Provider | undefined,
): Ranking => {
  if (preferred === undefined) return rankedByPrice(priced);
  const own = priced.filter(({ offer }) => offer.provider === preferred);
  return {
    because: own.length === 0 ? 'not_offered' : 'preferred',
    ranked: [...own, ...priced.filter((quote) => !own.includes(quote))],
    hoursOf: unknownHours,
  };
};

/** The division code of the province to which a division belongs. */
const provinceOf = (code: string): string => `${code.slice(0, 2)}0000`;

/**
 * Returns the product that a station's rule chooses among priced offers, with the reason; null if
 * no product can be ordered. If several products fit equally, the cheapest is chosen, and at equal
 * prices the first. `hoursOf` returns the average delivery time of a product on the parcel's lane.
 */
export const chooseOffer = (
  quotes: readonly PricedOffer[],
  station: StationRule,
  receive_code: string,
  hoursOf: (offer: Offer) => number | null,
): Chosen | null => {
  const { offer_carriers, offer_fallback } = station;
  const offer_rule = ruleOf(station);
  const all = byPrice(quotes.filter(isPriced));
  // The rule chooses only among products that may be selected; for a station without free choice,
  // this is only the cheapest product.
  const priced = all.filter(({ selectable }) => selectable === 1);
  const rank = (among: readonly Choosable[], preferred: Provider | undefined): Ranking =>
    among.length < 2 || offer_rule === 'cheapest'
      ? rankedByPrice(among)
      : offer_rule === 'fastest'
        ? rankedByTime(among, hoursOf)
        : rankedByCarrier(among, preferred);
  const wanted = rank(
    priced,
    offer_carriers[provinceOf(receive_code)] ?? offer_carriers[otherProvinces],
  );
  const [first] = wanted.ranked;
  if (first === undefined) return null;
  const takesCalls = ({ offer }: Choosable): boolean => offer.merchant?.takes_calls !== false;
  const others = offer_fallback === 0 || takesCalls(first) ? [] : priced.filter(takesCalls);
  // The other products are ranked without a preferred carrier, because the preferred carrier does
  // not answer calls.
  const { because, ranked, ...ranking } = others.length === 0 ? wanted : rank(others, undefined);
  const able = ranked[0] ?? first;
  const isOnly = (others.length === 0 ? all : others).length === 1;
  const other = all.find(({ offer }) => offer.provider !== able.offer.provider);
  return {
    offer: able,
    choice: {
      rule: offer_rule,
      because: isOnly ? 'only' : because,
      offers: all.length,
      provider: able.offer.provider,
      promise_name: able.offer.promise_name,
      promise_name_en: able.offer.promise_name_en,
      average_hours: ranking.hoursOf(able),
      other:
        other === undefined
          ? null
          : { provider: other.offer.provider, more_amount: amountOf(other) - amountOf(able) },
      skipped: able.offer.provider === first.offer.provider ? null : first.offer.provider,
    },
  };
};
