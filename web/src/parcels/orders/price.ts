import { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { readFresh } from '#base/query.ts';
import type { OrderForm } from './form.ts';
import { quoteInput } from './inputs.ts';

export type Quotes = OutputOf<typeof quoteExpress>;

/**
 * The prices of exactly this content: the displayed ones if they match, else awaited; null if it
 * cannot be priced.
 */
export const presentQuotes = async (form: OrderForm): Promise<Quotes | null> => {
  const input = quoteInput(form, null);
  return input === null ? null : readFresh(quoteExpress, input);
};

/** The offer to order: the chosen one while it is available, else the cheapest. */
export const chosenOf = (quotes: Quotes | null | undefined, promise_id: string): Quote | null => {
  const offered = quotes?.quotes.filter((quote) => quote.selectable === 1) ?? [];
  return (
    offered.find((quote) => quote.promise_id === promise_id) ??
    offered.find((quote) => quote.cheapest === 1) ??
    offered[0] ??
    null
  );
};
