import type { Language } from '@waystation/contract/base/errors.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import type { Coverages } from './use-coverage.ts';

/**
 * The product's name in the user's language. If the list has several carriers, the carrier's name
 * precedes it.
 */
export const offerName = (
  {
    provider,
    promise_name,
    promise_name_en,
  }: Pick<Quote, 'provider' | 'promise_name' | 'promise_name_en'>,
  several: boolean,
  language: Language,
): string => {
  const product = language === 'en' && promise_name_en !== '' ? promise_name_en : promise_name;
  return several ? `${wordOf(providers, provider, language)} · ${product}` : product;
};

/**
 * True if the station's rule is not simply "the cheapest", or if an offer was skipped. The reason
 * for the proposal is then shown.
 */
export const isExplained = ({ rule, skipped }: OfferChoice): boolean =>
  rule !== 'cheapest' || skipped !== null;

type Offered = Pick<Quote, 'provider' | 'promise_id' | 'selectable' | 'post_amount'>;

/** The arrival time of a product in the carrier's coverage answer; null if it is not known. */
export const arrivalOf = (
  { provider, promise_id }: Pick<Quote, 'provider' | 'promise_id'>,
  coverages: Coverages,
): string | null => {
  const coverage = coverages.get(provider);
  return coverage?.result === 'reachable'
    ? (coverage.products.find((product) => product.promise_id === promise_id)
        ?.delivery_promise_at ?? null)
    : null;
};

/**
 * The available offer that arrives first. If several offers arrive first, it is the cheapest of
 * them; if their prices are equal, it is the first in the list. Null if no other offer arrives
 * later.
 */
export const fastestOf = <Q extends Offered>(
  quotes: readonly Q[],
  coverages: Coverages,
): Q | null => {
  const timed = quotes.flatMap((quote) => {
    const arrives = quote.selectable === 1 ? arrivalOf(quote, coverages) : null;
    return arrives === null || quote.post_amount === null
      ? []
      : [{ quote, at: Date.parse(arrives), amount: quote.post_amount }];
  });
  const [first, ...others] = timed.toSorted((a, b) => a.at - b.at || a.amount - b.amount);
  return first !== undefined && others.some(({ at }) => at > first.at) ? first.quote : null;
};
