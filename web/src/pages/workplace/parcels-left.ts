/**
 * The number of parcels that the available balance can pay for, at the average price of the latest
 * priced parcels. Null if no parcel has a price.
 */
export const parcelsLeft = (
  available: number,
  recent: readonly { post_amount: number }[],
): number | null => {
  const priced = recent.filter(({ post_amount }) => post_amount > 0);
  if (priced.length === 0) return null;
  const sum = priced.reduce((total, { post_amount }) => total + post_amount, 0);
  return Math.max(0, Math.floor((available * priced.length) / sum));
};
