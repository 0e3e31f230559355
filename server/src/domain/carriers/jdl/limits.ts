import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { CarrierOrder, CarrierParcel, Problems } from '#domain/carriers/port.ts';
import { carrierTooLong as tooLong } from '@waystation/contract/parcels/carrier-text.ts';
import { contactOf } from './contact.ts';

const limits = {
  order_id: 50,
  goods: 200,
  cargoRemark: 200,
  remark: 500,
  package_count: 99_999_999,
  /** The highest weight in grams: 10,000 kg. */
  weight: 10_000_000,
  /** The highest insured value in fen: ¥300,000. */
  insured: 30_000_000,
} as const;

/**
 * The temperature layer of each goods type. JDL requires it for fresh and cold products. The goods
 * types 3 and 4 have none.
 */
const warmLayers: Record<number, string> = {
  1: 'common',
  2: 'usual',
  5: 'alive',
  6: 'control',
  7: 'cold',
  8: 'freezing',
  9: 'deepCool',
};

export const needsWarmLayer = (promiseId: string): boolean => /^ll-/i.test(promiseId);
export const warmLayerOf = (goodsType: number): string | undefined => warmLayers[goodsType];

/** The problems of the goods, which do not depend on sender and receiver. */
const goodsProblems = (parcel: CarrierParcel): [string, Reason | null][] => [
  [
    'goods',
    parcel.goods.trim() === '' ? { code: 'required' } : tooLong(parcel.goods, limits.goods),
  ],
  [
    'package_count',
    parcel.package_count < 1
      ? { code: 'too_small' }
      : parcel.package_count > limits.package_count
        ? { code: 'too_big' }
        : null,
  ],
  [
    'weight',
    parcel.weight < 1
      ? { code: 'too_small' }
      : parcel.weight > limits.weight
        ? { code: 'carrier_over_weight', params: { limit_weight: limits.weight } }
        : null,
  ],
  [
    'guarantee_value_amount',
    parcel.guarantee_value_amount > limits.insured
      ? { code: 'carrier_over_insured', params: { limit_amount: limits.insured } }
      : null,
  ],
  ['promise_id', parcel.promise_id.trim() === '' ? { code: 'required' } : null],
  [
    'goods_type',
    needsWarmLayer(parcel.promise_id) && warmLayerOf(parcel.goods_type) === undefined
      ? {
          code: 'carrier_goods_type',
          params: { promise_id: parcel.promise_id, goods_type: parcel.goods_type },
        }
      : null,
  ],
];

/**
 * All fields of an order that JDL would refuse, each with the reason; empty if the order is valid.
 */
export const problemsOf = (order: CarrierOrder): Problems => {
  const own: [string, Reason | null][] = [
    [
      'order_id',
      order.order_id === '' ? { code: 'required' } : tooLong(order.order_id, limits.order_id),
    ],
    ['thr_order_id', tooLong(order.thr_order_id, limits.order_id)],
    ['remark', tooLong(order.remark, limits.remark)],
    ['description', tooLong(order.description, limits.cargoRemark)],
    ...goodsProblems(order),
  ];
  return {
    ...contactOf(order, 'sender').problems,
    ...contactOf(order, 'receive').problems,
    ...Object.fromEntries(own.filter((entry): entry is [string, Reason] => entry[1] !== null)),
  };
};
