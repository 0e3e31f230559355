export type { WeightMessage, PriceLine, Price } from './price.schema.ts';

/**
 * The source of the rate in a discount line: the station or the template, and the ordinary or the
 * northeast discount.
 */
export const rateSources = [
  'station',
  'voucher',
  'station_northeast',
  'voucher_northeast',
] as const;

/**
 * The weights that can decide a billed weight: that of the carrier's scale, the station's, the
 * declared one, or the volumetric weight by the carrier's volume (`jd_volume`) or by our own
 * (`volume`).
 */
export const weightSources = ['jd_weight', 're_weight', 'weight', 'jd_volume', 'volume'] as const;
export type WeightSource = (typeof weightSources)[number];
