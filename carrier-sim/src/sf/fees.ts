import { drawWhole } from '#draw.ts';
import { says } from './sf-order.ts';
import type { FeeLine, SfOrder } from './sf-order.ts';

/** The prices by product, in fen: of the first kilogram, and of each further kilogram. */
const prices: Record<number, [number, number]> = {
  1: [2300, 1000],
  2: [1800, 500],
  5: [2600, 1200],
  6: [3000, 1500],
};
const fallback: [number, number] = [1800, 500];

/** The SF products with a promised delivery time, by their number. */
export const products: readonly { id: number; name: string; hours: number }[] = [
  { id: 1, name: '顺丰特快', hours: 24 },
  { id: 2, name: '顺丰标快', hours: 48 },
  { id: 5, name: '顺丰次晨', hours: 20 },
  { id: 6, name: '顺丰即日', hours: 10 },
];

export const billedKilograms = (grams: number): number => Math.max(1, Math.ceil(grams / 1000));

export const freightOf = (product: number, grams: number): number => {
  const [first, further] = prices[product] ?? fallback;
  return first + (billedKilograms(grams) - 1) * further;
};

/** Returns the fees of a parcel; null if the parcel was not weighed yet. */
export const feesOf = (order: SfOrder): FeeLine[] | null => {
  if (order.weighed === undefined) return null;
  if (order.fees !== undefined) return order.fees;
  const lines = [{ type: '1', name: '运费', amount: freightOf(order.product, order.weighed) }];
  if (order.insured > 0)
    lines.push({
      type: '3',
      name: '基础保价',
      amount: Math.max(100, Math.ceil(order.insured / 200)),
    });
  return lines;
};

/** The weight in grams that the scale shows: 90 to 130 % of the declared weight. */
export const weigh = (seed: string, order: SfOrder): number => {
  if (says(order, 'same_weight')) return order.weight;
  const rate = drawWhole(90, 130, seed, order.partner, order.order_id, 'weight');
  return Math.max(10, Math.round((order.weight * rate) / 1000) * 10);
};

/**
 * Returns the fees of an earlier version, which differ from those of the next version, as SF's
 * sandbox sends them.
 */
export const contradicted = (lines: readonly FeeLine[], version: number): FeeLine[] => [
  ...lines.map((line) => ({ ...line, amount: line.amount + 100 * version })),
  { type: '59', name: '其他', amount: 5000 },
];

export const yuan = (fen: number): string => (fen / 100).toFixed(2);
