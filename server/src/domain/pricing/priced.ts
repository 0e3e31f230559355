import type { Price } from '@waystation/contract/money/price.ts';

/**
 * Why a parcel has no price; every code is in contract/src/base/errors.ts. Amounts in fen, weights
 * in grams, regions by division code.
 */
export type PriceError =
  | { code: 'no_origin'; params: { province: string; sender_code: string } }
  | { code: 'not_served'; params: { province: string; receive_code: string } }
  | { code: 'over_weight'; params: { actual_weight: number; limit_weight: number } }
  | { code: 'above_top_tier'; params: { value_amount: number; top_amount: number } }
  | { code: 'no_tiers'; params: { value_amount: number } };

/** Either a price or the reason why there is none. */
export type Priced = { price: Price; error?: undefined } | { price?: undefined; error: PriceError };
