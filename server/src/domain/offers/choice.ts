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

/** The rule by which a station's product is chosen where nobody chooses one. */
export interface StationRule {
  offer_rule: OfferRule;
  offer_carriers: OfferCarriers;
  /** 1: while the carrier that the rule names takes no calls, another one's product is chosen. */
  offer_fallback: 0 | 1;
}

type Choosable = PricedOffer & { price: Price };

interface Chosen {
  offer: Choosable;
  choice: OfferChoice;
}

const isPriced = (quote: PricedOffer): quote is Choosable =>
  quote.price !== null && quote.offer.merchant !== null;

const amountOf = ({ price }: Choosable): number => price.post_amount;
/** Sorted by price; of equal prices the first in the list stays first. */
const byPrice = (quotes: readonly Choosable[]): Choosable[] =>
  quotes.toSorted((a, b) => amountOf(a) - amountOf(b));

interface Ranking {
  because: OfferChoice['because'];
  ranked: Choosable[];
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
  // One known time among unknown ones is not the fastest.
  const known = priced.filter((quote) => timeOf(quote) < last);
  return known.length < 2
    ? { because: 'no_times', ranked: [...priced], hoursOf: unknownHours }
    : {
        because: 'fastest',
        ranked: priced.toSorted((a, b) => timeOf(a) - timeOf(b)),
        hoursOf: (quote) => hours.get(quote) ?? null,
      };
};

const rankedByCarrier = (
  priced: readonly Choosable[],
  preferred: Provider | undefined,
): Ranking => {
  const own = priced.filter(({ offer }) => offer.provider === preferred);
  return {
    because: preferred === undefined ? 'cheapest' : own.length === 0 ? 'not_offered' : 'preferred',
    ranked: [...own, ...priced.filter((quote) => !own.includes(quote))],
    hoursOf: unknownHours,
  };
};

/** The division code of a province, of any division within it. */
const provinceOf = (code: string): string => `${code.slice(0, 2)}0000`;

/**
 * The product that a station's rule chooses among priced offers, and why; null if none can be
 * ordered. Of equal ones the cheaper, of equal prices the first. Pure. `hoursOf` is the average time
 * of a product on the parcel's lane.
 */
export const chooseOffer = (
  quotes: readonly PricedOffer[],
  { offer_rule, offer_carriers, offer_fallback }: StationRule,
  receive_code: string,
  hoursOf: (offer: Offer) => number | null,
): Chosen | null => {
  const all = byPrice(quotes.filter(isPriced));
  // Without a free choice of the station only the cheapest is left.
  const priced = all.filter(({ selectable }) => selectable === 1);
  const { because, ranked, ...ranking }: Ranking =
    offer_rule === 'fastest'
      ? rankedByTime(priced, hoursOf)
      : offer_rule === 'preferred'
        ? rankedByCarrier(
            priced,
            offer_carriers[provinceOf(receive_code)] ?? offer_carriers[otherProvinces],
          )
        : { because: 'cheapest', ranked: priced, hoursOf: unknownHours };
  const [first] = ranked;
  if (first === undefined) return null;
  const takesCalls = ({ offer }: Choosable): boolean => offer.merchant?.takes_calls !== false;
  const able = offer_fallback === 1 ? (ranked.find(takesCalls) ?? first) : first;
  const other = all.find(({ offer }) => offer.provider !== able.offer.provider);
  return {
    offer: able,
    choice: {
      rule: offer_rule,
      because: all.length === 1 ? 'only' : ranked.length === 1 ? 'cheapest' : because,
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
