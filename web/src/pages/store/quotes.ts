import { quoteExpress } from '@waystation/contract/express-calls.ts';
import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { Quote } from '@waystation/contract/express.ts';
import { readFresh, useCall } from '#base/query.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { quoteInput } from './form.ts';
import type { OrderForm } from './form.ts';

const pause = 250;

type Quotes = OutputOf<typeof quoteExpress>;

/** Prices of what is typed, once the hand rests; the last ones stay while the next load, so that nothing jumps. `edited`: of the sent parcel that is changed. */
export const useQuotes = (form: OrderForm, edited: number | null) => {
  const settled = useSettled(JSON.stringify(quoteInput(form, edited)), pause);
  const input = JSON.parse(settled) as ReturnType<typeof quoteInput>;
  const quote = useCall(quoteExpress, input, { keep: input !== null, quiet: true });
  return { ...quote, data: input === null ? undefined : quote.data, asking: input !== null };
};

/** The prices of exactly this content: the ones on screen where they are of it, else waited for; null while it cannot be priced. */
export const presentQuotes = async (form: OrderForm): Promise<Quotes | null> => {
  const input = quoteInput(form, null);
  return input === null ? null : readFresh(quoteExpress, input);
};

/** The offer that would be ordered: the one picked while it can be had, else the cheapest. */
export const chosenOf = (quotes: Quotes | null | undefined, promise_id: string): Quote | null => {
  const offered = quotes?.quotes.filter((quote) => quote.selectable === 1) ?? [];
  return offered.find((quote) => quote.promise_id === promise_id) ?? offered.find((quote) => quote.cheapest === 1) ?? offered[0] ?? null;
};
