export type { WeightMessage, PriceLine, Price } from './price.schema.ts';

/**
 * The rate of a discount line: the station's or the template's, the ordinary one or the one for the
 * north-east.
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
