import type { WeightMessage, WeightSource } from '@waystation/contract/money/price.ts';
import type { Sizes } from '@waystation/contract/base/weight.ts';
import { startedSteps, volumeOf, volumetricWeight } from '@waystation/contract/base/weight.ts';
import type { CompiledBracket, CompiledZone } from './template.ts';

/** The weights and sizes of a parcel in grams, cm and cm³; null if not measured. */
export interface Measures extends Sizes {
  weight: number;
  re_weight: number | null;
  jd_weight: number | null;
  jd_volume: number | null;
}

export interface Weighed {
  source: WeightSource;
  /** The weight that decides the price, before rounding. */
  actual: number;
  /** The measured or declared weight, before the volume is considered. */
  scale: number;
  /**
   * The volume in cm³, and the number of cm³ that counts as a kilogram; null if the volume did not
   * decide.
   */
  byVolume: { volume: number; divisor: number } | null;
}

/**
 * The weight that decides the price (docs/pricing.md §1): the carrier's weight, else the station's,
 * else the declared weight. If the weight for the volume is higher, it decides instead.
 */
export const weigh = (measures: Measures, divisor: number | null): Weighed => {
  const { weight, re_weight, jd_weight, jd_volume } = measures;
  const scale = jd_weight ?? re_weight ?? weight;
  if (divisor !== null) {
    const volume = jd_volume ?? volumeOf(measures);
    const volumetric = volumetricWeight(volume, divisor);
    if (volumetric > scale)
      return {
        source: jd_volume === null ? 'volume' : 'jd_volume',
        actual: volumetric,
        scale,
        byVolume: { volume, divisor },
      };
  }
  const source = jd_weight !== null ? 'jd_weight' : re_weight !== null ? 're_weight' : 'weight';
  return { source, actual: scale, scale, byVolume: null };
};

/**
 * The bracket for a weight of `grams`, which is at most the zone's limit; undefined if the first
 * weight covers it.
 */
export const bracketOf = (zone: CompiledZone, grams: number): CompiledBracket | undefined =>
  grams <= zone.first.max_g ? undefined : zone.brackets.find((bracket) => grams <= bracket.upTo);

/**
 * Explains the billed weight: rounds the weight up to a step of its bracket, and states which
 * weight decided.
 */
export const weightMessageOf = (
  weighed: Weighed,
  zone: CompiledZone,
  bracket: CompiledBracket | undefined,
): WeightMessage => {
  const params: WeightMessage['params'] = bracket
    ? {
        actual_weight: weighed.actual,
        billed_weight:
          bracket.from + startedSteps(weighed.actual - bracket.from, bracket.step) * bracket.step,
        rounding: 'step',
        from_weight: bracket.from,
        step_weight: bracket.step,
      }
    : { actual_weight: weighed.actual, billed_weight: zone.first.max_g, rounding: 'first' };
  if (weighed.byVolume) Object.assign(params, { scale_weight: weighed.scale, ...weighed.byVolume });
  return { code: weighed.source, params };
};
