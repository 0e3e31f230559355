import type { Order } from './order.ts';

/**
 * Waybill numbers that were given to a customer before an order uses them. `at` is the simulated
 * time of the call.
 */
export type Reserved = {
  first: number;
  count: number;
  app_key: string;
  seller_id: string;
  customer_code: string;
  at: number;
};

/** The next waybill number and order number, which only ever increase. */
export type Numbers = { waybill: number; order: number };

/** All parcels, which can be found by each of their numbers. */
export type OrderBook = {
  /** Stores a new order, or replaces a known one under the same waybill. */
  file(order: Order): void;
  byWaybill(code: string): Order | undefined;
  byOrderCode(code: string): Order | undefined;
  byMerchant(customerCode: string, orderId: string): Order | undefined;
  all(): readonly Order[];
  takeWaybill(): string;
  takeOrderCode(): string;
  reserve(
    owner: Omit<Reserved, 'first' | 'count'>,
    count: number,
  ): { codes: string[]; range: Reserved };
  reservation(code: string): Reserved | undefined;
  reservations(): readonly Reserved[];
  numbers(): Numbers;
  /**
   * Sets the next numbers above these numbers, which are about to be stored, so that none of them
   * is given out again.
   */
  raiseAbove(waybills: readonly string[], orderCodes: readonly string[]): void;
  /** Restores the number counters from a journal. */
  restore(known: { numbers?: Numbers; range?: Reserved }): void;
};

const waybillShape = /^JDVE(\d{11})$/;
const orderCodeShape = /^EO(\d{13})$/;
const mostWaybills = 99_999_999_999;
export const waybillOf = (counter: number): string => `JDVE${String(counter).padStart(11, '0')}`;

const merchantKey = (customerCode: string, orderId: string): string =>
  `${customerCode}\u0000${orderId}`;

export const createOrderBook = (first: number): OrderBook => {
  const orders: Order[] = [];
  const byWaybill = new Map<string, Order>();
  const byOrderCode = new Map<string, Order>();
  const byMerchant = new Map<string, Order>();
  const ranges: Reserved[] = [];
  const next: Numbers = { waybill: first, order: first };
  const raise = (name: keyof Numbers, above: number): void => {
    next[name] = Math.max(next[name], above);
  };
  const raiseAbove = (waybills: readonly string[], orderCodes: readonly string[]): void => {
    for (const code of waybills) raise('waybill', Number(waybillShape.exec(code)?.[1] ?? -1) + 1);
    for (const code of orderCodes) raise('order', Number(orderCodeShape.exec(code)?.[1] ?? -1) + 1);
  };
  const take = (count: number): number => {
    if (next.waybill + count - 1 > mostWaybills)
      throw new Error('the waybill counter has reached its last number');
    next.waybill += count;
    return next.waybill - count;
  };
  return {
    file: (order) => {
      const known = byWaybill.get(order.waybill_code);
      if (known === undefined) orders.push(order);
      else orders[known.number - 1] = order;
      order.number = known?.number ?? orders.length;
      byWaybill.set(order.waybill_code, order);
      byOrderCode.set(order.order_code, order);
      // A return shipment has the merchant's order number too, but that number finds the original
      // order.
      if (order.return_of === undefined)
        byMerchant.set(merchantKey(order.customer_code, order.order_id), order);
      raiseAbove([order.waybill_code], [order.order_code]);
    },
    byWaybill: (code) => byWaybill.get(code),
    byOrderCode: (code) => byOrderCode.get(code),
    byMerchant: (customerCode, orderId) => byMerchant.get(merchantKey(customerCode, orderId)),
    all: () => orders,
    takeWaybill: () => waybillOf(take(1)),
    takeOrderCode: () => {
      next.order += 1;
      return `EO${String(next.order - 1).padStart(13, '0')}`;
    },
    reserve: (owner, count) => {
      const range: Reserved = { first: take(count), count, ...owner };
      ranges.push(range);
      return { codes: Array.from({ length: count }, (_, i) => waybillOf(range.first + i)), range };
    },
    reservation: (code) => {
      const counter = Number(waybillShape.exec(code)?.[1] ?? -1);
      return ranges.find((range) => counter >= range.first && counter < range.first + range.count);
    },
    reservations: () => ranges,
    numbers: () => ({ ...next }),
    raiseAbove,
    restore: ({ numbers, range }) => {
      if (range !== undefined) {
        ranges.push(range);
        raise('waybill', range.first + range.count);
      }
      if (numbers !== undefined) {
        raise('waybill', numbers.waybill);
        raise('order', numbers.order);
      }
    },
  };
};
