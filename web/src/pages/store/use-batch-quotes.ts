import { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { ApiError } from '#base/api-error.ts';
import { useCalls } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { pricedInputs, rowInput } from './batch.ts';
import type { BatchRow, QuotesOfRow } from './batch.ts';
import { pause } from './quotes.ts';

export interface BatchQuotes {
  of: QuotesOfRow;
  /**
   * The error because of which the price of the row could not be calculated; null if there is none.
   */
  errorOf: (row: BatchRow) => ApiError | null;
  /** True while the price of the row is requested. */
  isPending: (row: BatchRow) => boolean;
}

/**
 * The prices for several pasted people, requested after a pause in typing. After a change, a row
 * has no price until its new price arrives. `closed` is true if no station is chosen; then no
 * prices are requested.
 */
export const useBatchQuotes = (
  form: OrderForm,
  rows: readonly BatchRow[],
  closed: boolean,
): BatchQuotes => {
  const typed = closed ? [] : pricedInputs(form, rows);
  const settled = JSON.parse(useSettled(JSON.stringify(typed), pause)) as typeof typed;
  const answers = useCalls(quoteExpress, settled);
  const byInput = new Map(settled.map((input, at) => [JSON.stringify(input), answers[at]]));
  const answerOf = (row: BatchRow): (typeof answers)[number] | undefined =>
    byInput.get(JSON.stringify(rowInput(form, row)));
  const waiting = new Set(typed.map((input) => JSON.stringify(input)));
  return {
    of: (row) => answerOf(row)?.data,
    errorOf: (row) => answerOf(row)?.error ?? null,
    isPending: (row) => {
      const answer = answerOf(row);
      return answer?.isPending ?? waiting.has(JSON.stringify(rowInput(form, row)));
    },
  };
};
