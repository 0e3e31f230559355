import type { ExpressRow } from './row.ts';

/** Limit of payouts of an uninsured parcel, as a multiple of its price. */
const priceFactor = 3;

/**
 * The limit of all payouts for a parcel, in fen: its insured value, or three times its price if it
 * is not insured. `charged_amount` is the charge before any reversal; if it is null, the parcel's
 * price counts. Before pickup it is 0, because the carrier cannot lose a parcel that it never had.
 */
export const payoutLimit = (
  express: Pick<ExpressRow, 'picked_up_at' | 'guarantee_value_amount' | 'terms' | 'post_amount'>,
  charged_amount: number | null,
): number => {
  if (express.picked_up_at === null) return 0;
  const insured = Math.max(express.guarantee_value_amount, express.terms?.guarantee ?? 0);
  return insured > 0 ? insured : priceFactor * (charged_amount ?? express.post_amount ?? 0);
};
