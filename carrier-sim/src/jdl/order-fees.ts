import { declaredCharge } from './created-data.ts';
import { feeName, feesOf } from './fees.ts';
import { isDelivered, isPickedUp, isReturning } from './order.ts';
import type { Settings } from '#settings.ts';
import type { FeeLine } from './fees.ts';
import type { Order } from './order.ts';

type Context = { settings(): Settings };

/**
 * The settlement type of a monthly account. With this type, the fee contains extra charges only
 * after the delivery or return.
 */
const monthly = 3;
const allCharged = (order: Order): boolean =>
  order.settle_type !== monthly || isDelivered(order) || isReturning(order);

/**
 * The carrier's present charge for a parcel in fen; null before the pickup. Fees set by hand
 * replace the computed ones.
 */
export const actualFees = (context: Context, order: Order): FeeLine[] | null => {
  if (!isPickedUp(order) || order.weighed === undefined) return null;
  const lines = feesOf({ ...declaredCharge(context, order), ...order.weighed });
  const surcharges = allCharged(order) ? (order.surcharges ?? {}) : {};
  const amounts = new Map(lines.map(({ code, amount }): [string, number] => [code, amount]));
  for (const [code, amount] of Object.entries(surcharges)) amounts.set(code, amount);
  for (const [code, amount] of Object.entries(order.fees ?? {})) {
    if (amount === null) amounts.delete(code);
    else amounts.set(code, amount);
  }
  return [...amounts].map(([code, amount]) => ({ code, name: feeName(code), amount }));
};

export const sumOf = (lines: readonly FeeLine[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/** Returns the fees in fen that are expected for the weight and volume declared in the order. */
export const estimatedFees = (context: Context, order: Order): FeeLine[] =>
  feesOf(declaredCharge(context, order));
