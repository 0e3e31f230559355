import type { ExpressRow } from './row.ts';

/** Without insurance, payouts of a parcel come to at most so many times its price. */
const priceFactor = 3;

/**
 * The most that may be paid out for a parcel, in fen: its frozen insured value, or without one three times its price. `charged_amount` is what it was
 * charged before any reversal; null: nothing yet, so its price counts. 0 until the carrier has picked it up: what it never had cannot have been lost by it.
 */
export const payoutLimit = (
  express: Pick<ExpressRow, 'picked_up_at' | 'guarantee_value_amount' | 'terms' | 'post_amount'>,
  charged_amount: number | null,
): number => {
  if (express.picked_up_at === null) return 0;
  const insured = Math.max(express.guarantee_value_amount, express.terms?.guarantee ?? 0);
  return insured > 0 ? insured : priceFactor * (charged_amount ?? express.post_amount ?? 0);
};
