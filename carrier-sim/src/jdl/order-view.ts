import { Unreadable } from '#reading.ts';
import { statusOf, traceDetails } from './nodes.ts';
import { actualFees, sumOf } from './order-fees.ts';
import type { Order } from './order.ts';
import type { World } from './world.ts';

/**
 * The data that JD has about a parcel, to be compared with the data of JD's client. Weights in
 * grams, amounts in fen, times in ISO 8601.
 */
export type OrderView = {
  number: number;
  waybill_code: string;
  order_code: string;
  order_id: string;
  customer_code: string;
  app_key: string;
  product_code: string;
  pieces: number;
  weight: number;
  again_weight: number | null;
  again_volume: number | null;
  insured: number;
  fee_total: number | null;
  status: number;
  status_text: string;
  state: string | null;
  state_at: string | null;
  created_at: string;
  next_at: string | null;
  presorted: boolean;
  subscribed: boolean;
  cancel_result: number | null;
  return_of: string | null;
  return_waybill: string | null;
  /** True if the parcel was ordered; false if it was loaded into the simulator. */
  ordered: boolean;
};

const iso = (at: number): string => new Date(at).toISOString();

export const viewOf = (world: World, order: Order): OrderView => {
  const stand = statusOf(order);
  const fees = actualFees(world, order);
  const next = order.steps[order.done];
  return {
    number: order.number,
    waybill_code: order.waybill_code,
    order_code: order.order_code,
    order_id: order.order_id,
    customer_code: order.customer_code,
    app_key: order.app_key,
    product_code: order.product_code,
    pieces: order.pieces,
    weight: order.weight,
    again_weight: order.weighed?.weight ?? null,
    again_volume: order.weighed?.volume ?? null,
    insured: order.insured,
    fee_total: fees === null ? null : sumOf(fees),
    status: stand.status,
    status_text: stand.statusDesc,
    state: stand.state,
    state_at: stand.at === null ? null : iso(stand.at),
    created_at: iso(order.created_at),
    next_at: next === undefined ? null : iso(next.at),
    presorted: order.presorted,
    subscribed: order.subscribed,
    cancel_result: order.cancel?.result ?? null,
    return_of: order.return_of ?? null,
    return_waybill: order.return_waybill ?? null,
    ordered: order.fingerprint !== null,
  };
};

/**
 * Returns all data of a parcel: contacts, fees by code, sent nodes, future steps, and the number of
 * undelivered messages.
 */
export const wholeView = (world: World, order: Order): Record<string, unknown> => ({
  ...viewOf(world, order),
  volume: order.volume,
  goods: order.goods,
  remark: order.remark,
  sender: order.sender,
  receiver: order.receiver,
  fees: actualFees(world, order),
  trace: traceDetails(order),
  to_come: order.steps.slice(order.done).map((step) => ({ code: step.code, at: iso(step.at) })),
  untold: order.unpushed?.length ?? 0,
});

export type OrderFilter = {
  after?: number;
  limit?: number;
  customer_code?: string;
  order_id?: string;
  waybill_code?: string;
  status?: number;
  ordered?: boolean;
};

const mostListed = 5000;

/** Returns a page of parcels in the order of their creation, beginning after the number `after`. */
export const listOrders = (
  world: World,
  filter: OrderFilter,
): { orders: OrderView[]; next_after: number | null } => {
  const limit = filter.limit ?? 500;
  if (limit < 1 || limit > mostListed)
    throw new Unreadable('limit', `must be between 1 and ${mostListed}`);
  const orders: OrderView[] = [];
  const all = world.book.all();
  for (let i = filter.after ?? 0; i < all.length; i += 1) {
    const order = all[i] as Order;
    if (filter.customer_code !== undefined && order.customer_code !== filter.customer_code)
      continue;
    if (filter.order_id !== undefined && order.order_id !== filter.order_id) continue;
    if (filter.waybill_code !== undefined && order.waybill_code !== filter.waybill_code) continue;
    if (filter.ordered !== undefined && (order.fingerprint !== null) !== filter.ordered) continue;
    if (filter.status !== undefined && statusOf(order).status !== filter.status) continue;
    if (orders.length === limit) return { orders, next_after: i };
    orders.push(viewOf(world, order));
  }
  return { orders, next_after: null };
};
