import { draw, drawWhole } from '#draw.ts';
import { legsOf, stepsFrom } from './journey.ts';
import { says } from './keywords.ts';
import type { Settings } from '#settings.ts';
import type { Order, Step } from './order.ts';
import type { OrderBook } from './order-book.ts';

/** The parts of the world that a step needs. */
export type EffectContext = {
  seed: string;
  settings(): Settings;
  book: Pick<OrderBook, 'takeWaybill' | 'takeOrderCode'>;
};

/** The scale shows the weight in steps of ten grams. */
const scaleStep = 10;
const basis = 10_000;

const weighed = (grams: number, rate: number): number =>
  Math.max(scaleStep, Math.round((grams * rate) / basis / scaleStep) * scaleStep);

const keyOf = (context: EffectContext, order: Order): (string | number)[] => [
  context.seed,
  order.customer_code,
  order.order_id,
];

/**
 * Weighs the parcel: the result is 0.9 to 1.3 times the declared weight by default. Also records
 * charges in addition to the freight.
 */
export const weigh = (context: EffectContext, order: Order): void => {
  const { weigh_from: from, weigh_to: to, rates } = context.settings();
  const key = keyOf(context, order);
  const rate = says(order, 'same_weight') ? basis : drawWhole(from, to, ...key, 'weight');
  order.weighed = {
    weight: order.weigh_as?.weight ?? weighed(order.weight, rate),
    volume: order.weigh_as?.volume ?? order.volume,
  };
  const surcharges: Record<string, number> = { ...order.surcharges };
  if (says(order, 'packaging') || draw(...key, 'packaging') < rates.packaging)
    surcharges['QLHCF'] ??= drawWhole(2, 8, ...key, 'box') * 100;
  if (says(order, 'oversize')) surcharges['kkcccc'] ??= 2000;
  if (Object.keys(surcharges).length > 0) order.surcharges = surcharges;
};

/**
 * Weighs the parcel a second time. The second weight differs from the first one by up to 15 %, and
 * is never equal to it.
 */
const weighAgain = (context: EffectContext, order: Order): void => {
  if (order.weighed === undefined) return;
  const first = order.weighed.weight;
  const second = weighed(first, drawWhole(8500, 11_500, ...keyOf(context, order), 'second weight'));
  order.weighed = { ...order.weighed, weight: second === first ? first + scaleStep : second };
};

/** Returns the order of the return shipment, which brings the parcel back under a new waybill. */
export const returnParcel = (
  context: EffectContext,
  order: Order,
  waybill: string,
  at: number,
): Order => {
  const child: Order = {
    number: 0,
    app_key: order.app_key,
    seller_id: order.seller_id,
    customer_code: order.customer_code,
    order_id: order.order_id,
    order_code: context.book.takeOrderCode(),
    waybill_code: waybill,
    origin: order.origin,
    settle_type: order.settle_type,
    product_code: order.product_code,
    services: [],
    insured: 0,
    cash_on_delivery: 0,
    pieces: order.pieces,
    weight: order.weighed?.weight ?? order.weight,
    volume: order.weighed?.volume ?? order.volume,
    goods: order.goods,
    remark: '',
    channel_order_code: order.channel_order_code,
    sender: order.receiver,
    receiver: order.sender,
    fingerprint: null,
    created_at: at,
    presorted: true,
    subscribed: order.subscribed,
    steps: [],
    done: 0,
    weighed: {
      weight: order.weighed?.weight ?? order.weight,
      volume: order.weighed?.volume ?? order.volume,
    },
    return_of: order.waybill_code,
  };
  child.steps = stepsFrom(context.seed, child, legsOf(child, 'delivered'), at);
  return child;
};

/**
 * Applies the effects of a step, except for its message. `changed`: true if the order has further
 * planned steps. `born`: the parcels that the step creates.
 */
export const applyStep = (
  context: EffectContext,
  order: Order,
  step: Step,
): { changed: boolean; born: Order[] } => {
  const quiet = { changed: true, born: [] };
  if (step.code === 'presorted') {
    order.presorted = true;
    return quiet;
  }
  if (step.code === 'picked_up') {
    weigh(context, order);
    return quiet;
  }
  if (step.code === 'corrected') {
    weighAgain(context, order);
    return quiet;
  }
  if (step.code === 'relabelled') {
    const waybill = order.return_waybill ?? context.book.takeWaybill();
    order.return_waybill = waybill;
    return { changed: true, born: [returnParcel(context, order, waybill, step.at)] };
  }
  if (
    order.cancel?.result === 4 &&
    ['intercept_won', 'intercept_lost', 'delivered'].includes(step.code)
  ) {
    order.cancel = { ...order.cancel, result: step.code === 'intercept_won' ? 1 : 3 };
    return quiet;
  }
  return { changed: false, born: [] };
};
