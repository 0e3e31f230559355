import { isProvider } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { readFresh } from '#base/query.ts';
import type { OrderForm } from './form.ts';
import { quoteInput } from './inputs.ts';

export type Quotes = OutputOf<typeof quoteExpress>;

/**
 * The prices for exactly this form. If the prices on the screen do not belong to it, new prices are
 * requested. Null if the form cannot be priced.
 */
export const presentQuotes = async (form: OrderForm): Promise<Quotes | null> => {
  const input = quoteInput(form, null);
  return input === null ? null : readFresh(quoteExpress, input);
};

/** The code and the carrier of the chosen product. The code is empty if no product was chosen. */
export type Choice = Pick<OrderForm, 'promise_id' | 'provider'>;

/** The offer that is proposed if the user has made no choice in the form. */
export const proposalOf = (quotes: Quotes | null | undefined): Quote | null => {
  const offered = quotes?.quotes.filter((quote) => quote.selectable === 1) ?? [];
  return (
    offered.find((quote) => quote.proposed === 1) ??
    // The quotes for a changed parcel contain no proposal.
    offered.find((quote) => quote.cheapest === 1) ??
    offered[0] ??
    null
  );
};

/**
 * True if an offer is the chosen product. A choice that an older version stored has no carrier;
 * only its code is compared.
 */
const isChoice = (quote: Quote, { promise_id, provider }: Choice): boolean =>
  quote.promise_id === promise_id && (provider === '' || quote.provider === provider);

/**
 * The offer to order: the chosen offer, or the proposed offer if the user chose none. Null if the
 * chosen offer is not available; it is never silently replaced by another.
 */
export const chosenOf = (quotes: Quotes | null | undefined, choice: Choice): Quote | null =>
  choice.promise_id === ''
    ? proposalOf(quotes)
    : (quotes?.quotes.find((quote) => quote.selectable === 1 && isChoice(quote, choice)) ?? null);

/**
 * A chosen product that is no longer available, with the reason and the offer that is proposed
 * instead.
 */
export interface LostChoice {
  promise_id: string;
  provider: Provider | null;
  /**
   * The quote that contains the reason why the lost product cannot be ordered. Null if the freight
   * scheme no longer has the product.
   */
  listed: Quote | null;
  reason: NonNullable<Quote['reason']>;
  proposed: Quote | null;
}

/**
 * Describes the product choice of the form if these quotes do not offer it. Null if they offer it
 * or if the user chose no product.
 */
export const lostChoice = (
  quotes: Quotes | null | undefined,
  choice: Choice,
): LostChoice | null => {
  if (!quotes || choice.promise_id === '' || chosenOf(quotes, choice) !== null) return null;
  const { promise_id, provider } = choice;
  const listed = quotes.quotes.find((quote) => isChoice(quote, choice)) ?? null;
  return {
    promise_id,
    provider: listed?.provider ?? (isProvider(provider) ? provider : null),
    listed,
    reason: listed?.reason ?? { code: 'promise_not_offered', params: { promise_id } },
    proposed: proposalOf(quotes),
  };
};
