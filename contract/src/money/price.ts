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
 * The weights from which a billed weight can be calculated: the carrier's weight, the station's
 * weight, the declared weight, or a volumetric weight. The volume is the carrier's (`jd_volume`) or
 * ours (`volume`).
 */
export const weightSources = ['jd_weight', 're_weight', 'weight', 'jd_volume', 'volume'] as const;
export type WeightSource = (typeof weightSources)[number];
