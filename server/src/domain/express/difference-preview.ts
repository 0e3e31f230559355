import type { Work } from '#platform/db/db.ts';
import type { Facts } from './facts-type.ts';
import { priceExpress, templateOf } from '#domain/offers/offers.ts';
import type { PriceFacts } from '#domain/offers/offers.ts';
import type { ExpressRow } from './row.ts';

/**
 * Returns the change of a parcel's price, in fen, if these facts were applied; null if the parcel
 * cannot be priced with them.
 */
export const previewDifference = async (
  work: Work,
  express: PriceFacts & Pick<ExpressRow, 'terms' | 'post_amount'>,
  facts: Pick<Facts, 'jd_weight' | 'jd_volume'>,
): Promise<number | null> => {
  if (express.terms === null) return null;
  const { price } = priceExpress(
    { ...express, ...facts },
    await templateOf(work, express.terms),
    express.terms,
  );
  return price ? price.post_amount - express.post_amount : null;
};
