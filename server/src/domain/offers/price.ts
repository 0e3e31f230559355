import type { Price } from '@waystation/contract/money/price.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import { weightText } from '@waystation/contract/money/price-words.ts';
import { receiveCode, senderCode } from '#domain/address/address.ts';
import { priceOf, sharesOf } from '#domain/pricing/pricing.ts';
import type { CompiledTemplate, PricedParcel, Priced } from '#domain/pricing/pricing.ts';
import type { RowOf } from '#platform/db/db.ts';

type ExpressRow = RowOf<'expresses'>;

/**
 * The columns from which a price is calculated. A query for many parcels selects only these
 * columns, because the label and sorting data of whole rows are large.
 */
export const priceColumns = [
  'sender_province',
  'sender_city',
  'sender_county',
  'receive_province',
  'receive_city',
  'receive_county',
  'weight',
  're_weight',
  'jd_weight',
  'jd_volume',
  'length',
  'width',
  'height',
  'package_count',
  'guarantee_value_amount',
  'surcharges',
] as const satisfies readonly (keyof ExpressRow)[];

export type PriceFacts = Pick<ExpressRow, (typeof priceColumns)[number]>;

/** Converts a parcel's row to the input of `domain/pricing`. */
export const pricedParcel = (facts: PriceFacts): PricedParcel => ({
  sender_code: senderCode(facts),
  receive_code: receiveCode(facts),
  weight: facts.weight,
  re_weight: facts.re_weight,
  jd_weight: facts.jd_weight,
  jd_volume: facts.jd_volume,
  length: facts.length,
  width: facts.width,
  height: facts.height,
  package_count: facts.package_count,
  guarantee_value_amount: facts.guarantee_value_amount,
  surcharges: Object.entries(facts.surcharges).map(([code, { name, amount }]) => ({
    code,
    name,
    amount,
  })),
});

export const priceExpress = (facts: PriceFacts, template: CompiledTemplate, terms: Terms): Priced =>
  priceOf(pricedParcel(facts), template, terms);

/**
 * The parcel columns that store a price: amounts, billed weight with its reason, price lines, and
 * the parent stations' profit shares.
 */
export const priceFields = (price: Price, terms: Terms): Partial<ExpressRow> => ({
  cal_weight: price.cal_weight,
  weight_message: weightText(price.weight_message, 'zh'),
  weight_reason: price.weight_message,
  guarantee_amount: price.guarantee_amount,
  surcharge_amount: price.surcharge_amount,
  pre_amount: price.pre_amount,
  discount: price.discount,
  discount_amount: price.discount_amount,
  post_amount: price.post_amount,
  price_lines: price.lines,
  shares: sharesOf(price, terms).shares.map(({ parent_id, amount }) => ({
    station_id: parent_id,
    amount,
  })),
});
