import type { Quote } from '@waystation/contract/parcels/express.ts';
import type { Choice } from '#parcels/orders/price.ts';
import type { BatchRow, QuotesOfRow } from './batch.ts';

/** True if the user chose a product for this row that differs from the product of the form. */
export const isOwnChoice = (form: Choice, { choice }: BatchRow): boolean =>
  choice !== undefined &&
  (choice.promise_id !== form.promise_id || choice.provider !== form.provider);

/**
 * A product that is offered for a list of people. `people` is the number of people to whom it is
 * available, and `amount` is the sum of their prices.
 */
export interface ListOffer {
  quote: Quote;
  people: number;
  amount: number;
}

/**
 * The products that are available for at least one pasted row. Each is listed once, in the order of
 * the first row's offers.
 */
export const offersOfList = (rows: readonly BatchRow[], quotesOf: QuotesOfRow): ListOffer[] => {
  const offers = new Map<string, ListOffer>();
  for (const row of rows)
    for (const quote of quotesOf(row)?.quotes ?? []) {
      if (quote.selectable !== 1) continue;
      const key = `${quote.provider} ${quote.promise_id}`;
      const { people, amount } = offers.get(key) ?? { people: 0, amount: 0 };
      offers.set(key, {
        quote: offers.get(key)?.quote ?? quote,
        people: people + 1,
        amount: amount + (quote.post_amount ?? 0),
      });
    }
  return [...offers.values()];
};

/**
 * The rows without the row that moves into the form. If that row has a product of its own, the form
 * takes this product. The other rows then keep the product that the form had before.
 */
export const withoutRow = (
  form: Choice,
  rows: readonly BatchRow[],
  taken: BatchRow,
): BatchRow[] => {
  const { promise_id, provider } = form;
  return rows
    .filter((row) => row !== taken)
    .map((row) =>
      taken.choice === undefined ? row : { ...row, choice: row.choice ?? { promise_id, provider } },
    );
};
