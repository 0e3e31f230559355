import type { Reason } from '@waystation/contract/base/envelope.ts';
import { carrierTooLong as tooLong } from '@waystation/contract/parcels/carrier-text.ts';
import type { CarrierOrder, Problems } from '#domain/carriers/port.ts';
import { contactProblems } from './contact.ts';

const limits = {
  order_id: 64,
  thr_order_id: 100,
  goods: 128,
  remark: 100,
  package_count: 307,
  /** The highest weight in grams: 300 kg. */
  weight: 300_000,
  /** The weight in grams that a parcel of several packages must exceed. */
  weightOfSeveral: 6_000,
} as const;

/** The remark and the description of the goods, joined, because SF has only one remark for both. */
export const remarkOf = ({ remark, description }: CarrierOrder): string =>
  [remark.trim(), description.trim()].filter((text) => text !== '').join('；');

const required = (text: string, max: number): Reason | null =>
  text.trim() === '' ? { code: 'required' } : tooLong(text, max);

const weightProblem = ({ weight, package_count }: CarrierOrder): Reason | null => {
  if (weight < 1) return { code: 'too_small' };
  if (weight > limits.weight)
    return { code: 'carrier_over_weight', params: { limit_weight: limits.weight } };
  return package_count > 1 && weight <= limits.weightOfSeveral
    ? { code: 'carrier_under_weight', params: { limit_weight: limits.weightOfSeveral } }
    : null;
};

const packagesProblem = ({ package_count }: CarrierOrder): Reason | null => {
  if (package_count < 1) return { code: 'too_small' };
  return package_count > limits.package_count ? { code: 'too_big' } : null;
};

/** The problem if the product is not a number: SF's products have numbers (expressTypeId). */
const productProblem = ({ promise_id }: CarrierOrder): Reason | null => {
  if (promise_id.trim() === '') return { code: 'required' };
  return /^\d{1,6}$/.test(promise_id) ? null : { code: 'invalid' };
};

/** Every field of an order that SF would refuse, with the reason; empty: the order is valid. */
export const problemsOf = (order: CarrierOrder): Problems => {
  const own: [string, Reason | null][] = [
    ['order_id', required(order.order_id, limits.order_id)],
    ['thr_order_id', tooLong(order.thr_order_id, limits.thr_order_id)],
    ['goods', required(order.goods, limits.goods)],
    ['remark', tooLong(remarkOf(order), limits.remark)],
    ['package_count', packagesProblem(order)],
    ['weight', weightProblem(order)],
    ['promise_id', productProblem(order)],
  ];
  return {
    ...contactProblems(order, 'sender'),
    ...contactProblems(order, 'receive'),
    ...Object.fromEntries(own.filter((entry): entry is [string, Reason] => entry[1] !== null)),
  };
};
