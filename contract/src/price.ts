export type { WeightMessage, PriceLine, Price } from './price.schema.ts';

/** Which rate a discount line applied: the station's or the template's, the ordinary one or the one for the north-east. */
export const rateSources = ['station', 'voucher', 'station_northeast', 'voucher_northeast'] as const;

/** How a billed weight came about: what decided it (`jd_volume` the carrier's volume, `volume` ours), and how it was rounded up. */
export const weightSources = ['jd_weight', 're_weight', 'weight', 'jd_volume', 'volume'] as const;
export type WeightSource = (typeof weightSources)[number];
