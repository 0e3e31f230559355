import { Refusal } from './answers.ts';
import { orderOf, principalOf } from './call.ts';
import { yuan } from './fees.ts';
import { statusOf, traceDetails } from './nodes.ts';
import { actualFees, estimatedFees, sumOf } from './order-fees.ts';
import { placeOf } from './places.ts';
import { courierOf } from './stations.ts';
import type { Call, Reply } from './call.ts';

/** Returns up to 500 waybill numbers, which are valid for three months of simulated time. */
export const fetchNumbers = (call: Call): Reply => {
  const { account, customerCode } = principalOf(call);
  const count = call.body.whole('sum', 1, 500);
  const owner = {
    app_key: call.application.app_key,
    seller_id: account.seller_id,
    customer_code: customerCode,
    at: call.world.clock.now(),
  };
  const { codes, range } = call.world.book.reserve(owner, count);
  call.world.append([{ k: 'reserved', r: range }]);
  return { data: codes };
};

export const status = (call: Call): Reply => {
  const { status: category, statusDesc } = statusOf(orderOf(call, null));
  return { data: { status: category, statusDesc } };
};

export const trace = (call: Call): Reply => {
  const order = orderOf(call, null);
  const place = placeOf(order.sender.address);
  const collector = place === null ? { name: '', phone: '' } : courierOf(place);
  return {
    data: {
      collectorName: collector.name,
      collectorPhone: collector.phone,
      traceDetails: traceDetails(order),
    },
  };
};

/**
 * Subscribes to the messages of an order. The request must contain the last four digits of the
 * receiver's mobile.
 */
export const subscribe = (call: Call): Reply => {
  const order = orderOf(call, null);
  const tail = call.body.text('mobile', 4, 4);
  const { mobile, phone } = order.receiver;
  if (!(mobile === '' ? phone : mobile).endsWith(tail))
    throw new Refusal('手机号后四位与收件人不一致');
  if (!order.subscribed) {
    order.subscribed = true;
    call.world.save(order);
  }
  return { data: '订阅成功' };
};

const kilograms = (grams: number): string =>
  `${Math.floor(grams / 1000)}.${String(Math.floor((grams % 1000) / 10)).padStart(2, '0')}`;

/**
 * Returns the order with its measured weight and volume as texts, which are null before it is
 * weighed.
 */
export const details = (call: Call): Reply => {
  const order = orderOf(call, null);
  const cargo = {
    name: order.goods,
    quantity: order.pieces,
    weight: order.weight / 1000,
    volume: order.volume,
    againWeight: order.weighed === undefined ? null : kilograms(order.weighed.weight),
    againVolume: order.weighed === undefined ? null : String(order.weighed.volume),
  };
  return {
    data: {
      orderCode: order.order_code,
      waybillCode: order.waybill_code,
      orderId: order.order_id,
      cargoes: [cargo],
    },
  };
};

/** Returns the real fee in yuan. Refuses a parcel that was not picked up yet. */
export const actualFee = (call: Call): Reply => {
  const order = orderOf(call, null);
  const lines = actualFees(call.world, order);
  if (lines === null) throw new Refusal('运单未揽收，暂无实际费用');
  return {
    data: {
      sumMoney: yuan(sumOf(lines)),
      estimateSumMoney: yuan(sumOf(estimatedFees(call.world, order))),
      commonActualFeeInfoDetails: lines.map(({ code, amount }) => ({
        feeType: code,
        money: yuan(amount),
      })),
    },
  };
};
