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
 * The origin of a billed weight: the deciding weight (`jd_volume` the carrier's volume, `volume`
 * ours), and its rounding.
 */
export const weightSources = ['jd_weight', 're_weight', 'weight', 'jd_volume', 'volume'] as const;
export type WeightSource = (typeof weightSources)[number];
