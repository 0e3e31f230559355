/**
 * Prices and profit shares, calculated by pure functions from a parcel, a template version and
 * stored terms, in whole fen and grams. The rules are in docs/pricing.md, and its tables are
 * tested. The texts for price lines and weights are in contract/src/money/price-words.ts.
 */
import { wholeRate } from '@waystation/contract/money/money.ts';
import type { PriceLine } from '@waystation/contract/money/price.ts';
import { provinceName, provinceOf } from '@waystation/contract/parcels/provinces.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import { bracketOf, weigh, weightMessageOf } from './billed-weight.ts';
import type { Measures } from './billed-weight.ts';
import { discountOf, rateOf } from './discount.ts';
import { listFreight } from './freight.ts';
import { insure } from './insurance.ts';
import { pricingVersion } from './pricing-version.ts';
import type { PriceError, Priced } from './priced.ts';
import { surcharge } from './surcharges.ts';
import type { Surcharge } from './surcharges.ts';
import { findZone } from './template.ts';
import type { CompiledTemplate } from './template.ts';

export { choosePromise } from './choice.ts';
export type { PromiseQuote } from './choice.ts';
export type { PriceError, Priced } from './priced.ts';
export { rateOf } from './discount.ts';
export { insure } from './insurance.ts';
export { chainRate, chainTooGenerous, sharesOf } from './shares.ts';
export type { Shares } from './shares.ts';
export type { Surcharge } from './surcharges.ts';
export { compileTemplate } from './template.ts';
export type { CompiledTemplate } from './template.ts';

/**
 * The facts that determine a parcel's price, with the same names as in the parcel's row, and the
 * division codes (of any level) of sender and receiver.
 */
export interface PricedParcel extends Measures {
  sender_code: string;
  receive_code: string;
  /** The value declared for insurance, in fen; 0 if there is none. */
  guarantee_value_amount: number;
  /** The current surcharges, one for each fee code. */
  surcharges: readonly Surcharge[];
}

const assertWhole = (name: string, value: number | null): void => {
  if (value !== null && (!Number.isSafeInteger(value) || value < 0))
    throw new RangeError(`${name} is not a whole number: ${value}`);
};

const assertParcel = (parcel: PricedParcel): void => {
  assertWhole('weight', parcel.weight);
  assertWhole('re_weight', parcel.re_weight);
  assertWhole('jd_weight', parcel.jd_weight);
  assertWhole('jd_volume', parcel.jd_volume);
  assertWhole('length', parcel.length);
  assertWhole('width', parcel.width);
  assertWhole('height', parcel.height);
  assertWhole('package_count', parcel.package_count);
  assertWhole('guarantee_value_amount', parcel.guarantee_value_amount);
  for (const { amount } of parcel.surcharges) assertWhole('surcharge', amount);
};

const routeError = (
  reason: 'no_origin' | 'not_served',
  { sender_code, receive_code }: PricedParcel,
): PriceError =>
  reason === 'no_origin'
    ? { code: 'no_origin', params: { province: provinceName(sender_code, 'zh'), sender_code } }
    : { code: 'not_served', params: { province: provinceName(receive_code, 'zh'), receive_code } };

/**
 * Prices a parcel with a template and the terms that are stored with it (docs/pricing.md §1–§5).
 * `template` must be the version that `terms.voucher` states. Expected refusals are returned as
 * `error`: a region is not served, the parcel is too heavy, or the insured value is too high. A
 * fraction or a negative number among the facts is an error of the caller and throws RangeError.
 */
export const priceOf = (parcel: PricedParcel, template: CompiledTemplate, terms: Terms): Priced => {
  assertParcel(parcel);
  const found = findZone(template, parcel.sender_code, parcel.receive_code);
  if (!found.zone) return { error: routeError(found.reason, parcel) };
  const { zone } = found;
  const weighed = weigh(parcel, template.divisor);
  if (weighed.actual > zone.limit) {
    return {
      error: {
        code: 'over_weight',
        params: { actual_weight: weighed.actual, limit_weight: zone.limit },
      },
    };
  }
  const insured = insure(parcel.guarantee_value_amount, terms);
  if ('reason' in insured) {
    const { reason, value: value_amount, top: top_amount } = insured;
    return {
      error:
        reason === 'no_tiers'
          ? { code: reason, params: { value_amount } }
          : { code: reason, params: { value_amount, top_amount } },
    };
  }
  const weight_message = weightMessageOf(weighed, zone, bracketOf(zone, weighed.actual));
  const cal_weight = weight_message.params.billed_weight;

  const lines: PriceLine[] = [];
  const freight_amount = listFreight(zone, cal_weight, terms.voucher, lines);
  const northeast = terms.northeast.includes(provinceOf(parcel.receive_code));
  const { rate, source } = rateOf(terms.station, terms.voucher, northeast);
  const discount_amount = discountOf(freight_amount, rate);
  if (source && rate !== wholeRate) {
    // The discount is subtracted from 0, because -x would be a negative zero if there is no
    // discount.
    lines.push({
      rule: 'discount',
      version: pricingVersion,
      input: { source, rate, freight_amount },
      result: 0 - discount_amount,
    });
  }
  if (insured.line) lines.push(insured.line);
  const surcharge_amount = surcharge(parcel.surcharges, lines);
  const pre_amount = freight_amount + insured.amount + surcharge_amount;
  return {
    price: {
      cal_weight,
      weight_message,
      freight_amount,
      guarantee_amount: insured.amount,
      surcharge_amount,
      pre_amount,
      discount: rate,
      discount_amount,
      post_amount: pre_amount - discount_amount,
      northeast: northeast ? 1 : 0,
      lines,
    },
  };
};
