import type { PriceError, Priced } from './priced.ts';

/** The price of one delivery-time option, or the reason why it has no price. */
export interface PromiseQuote {
  promise_id: string;
  priced: Priced;
}

/** The reason why a clerk may not choose an option, or why the wanted option was not chosen. */
export type ChoiceReason =
  | PriceError
  | { code: 'cheapest_only'; params: { promise_id: string; post_amount: number } }
  | { code: 'promise_not_offered'; params: { promise_id: string } };

export interface Choice {
  /** The options in the order of the input. `reason` is null if and only if `selectable` is 1. */
  options: { promise_id: string; selectable: 0 | 1; reason: ChoiceReason | null }[];
  cheapest: string | null;
  /**
   * The option to order; null if no option can be ordered, or if the wanted option cannot be
   * ordered.
   */
  chosen: string | null;
  /**
   * The reason why the wanted option was not chosen; null if it was chosen. An import shows the
   * reason as a warning beside `chosen`.
   */
  notice: ChoiceReason | null;
}

const cheapestOf = (quotes: readonly PromiseQuote[]) => {
  let best: { promise_id: string; post_amount: number } | null = null;
  for (const { promise_id, priced } of quotes) {
    if (priced.price && (!best || priced.price.post_amount < best.post_amount)) {
      best = { promise_id, post_amount: priced.price.post_amount };
    }
  }
  return best;
};

/**
 * The delivery-time options that a clerk may choose (docs/pricing.md §8). If `allow_select` is 1,
 * every option with a price may be chosen; otherwise only the cheapest. If several options are the
 * cheapest, the first one counts, so pass the options in the order of preference. If `wanted` is
 * null, the cheapest option is chosen.
 */
export const choosePromise = (
  quotes: readonly PromiseQuote[],
  allow_select: 0 | 1,
  wanted: string | null,
): Choice => {
  const best = cheapestOf(quotes);
  const reasonOf = ({ promise_id, priced }: PromiseQuote): ChoiceReason | null => {
    if (priced.error) return priced.error;
    return allow_select || !best || promise_id === best.promise_id
      ? null
      : { code: 'cheapest_only', params: best };
  };
  const options = quotes.map((quote) => {
    const reason = reasonOf(quote);
    return {
      promise_id: quote.promise_id,
      selectable: reason ? 0 : 1,
      reason,
    } satisfies Choice['options'][number];
  });
  const cheapest = best?.promise_id ?? null;
  if (wanted === null) return { options, cheapest, chosen: cheapest, notice: null };
  const option = options.find(({ promise_id }) => promise_id === wanted);
  const notice: ChoiceReason | null = option
    ? option.reason
    : { code: 'promise_not_offered', params: { promise_id: wanted } };
  if (!notice) return { options, cheapest, chosen: wanted, notice };
  return { options, cheapest, chosen: allow_select ? null : cheapest, notice };
};
