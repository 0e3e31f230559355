import type { WeightMessage, WeightSource } from '@waystation/contract/price.ts';
import type { Sizes } from '@waystation/contract/weight.ts';
import { startedSteps, volumeOf, volumetricWeight } from '@waystation/contract/weight.ts';
import type { CompiledBracket, CompiledZone } from './template.ts';

/** What is known of a parcel's weight: grams, cm and cm³; null while the one who measures has not. */
export interface Measures extends Sizes {
  weight: number;
  re_weight: number | null;
  jd_weight: number | null;
  jd_volume: number | null;
}

export interface Weighed {
  source: WeightSource;
  /** What decided, before rounding. */
  actual: number;
  /** What a scale or the sender said. */
  scale: number;
  /** Where volume decided: cm³, and how many of them count as a kilogram. */
  byVolume: { volume: number; divisor: number } | null;
}

/** The weight that decides: the carrier's, else the station's, else the declared one; or the volume's, where that is more (docs/pricing.md §1). */
export const weigh = (measures: Measures, divisor: number | null): Weighed => {
  const { weight, re_weight, jd_weight, jd_volume } = measures;
  const scale = jd_weight ?? re_weight ?? weight;
  if (divisor !== null) {
    const volume = jd_volume ?? volumeOf(measures);
    const volumetric = volumetricWeight(volume, divisor);
    if (volumetric > scale) return { source: jd_volume === null ? 'volume' : 'jd_volume', actual: volumetric, scale, byVolume: { volume, divisor } };
  }
  const source = jd_weight !== null ? 'jd_weight' : re_weight !== null ? 're_weight' : 'weight';
  return { source, actual: scale, scale, byVolume: null };
};

/** The bracket `grams` falls in; undefined within the first weight. `grams` is at most the zone's limit. */
export const bracketOf = (zone: CompiledZone, grams: number): CompiledBracket | undefined =>
  grams <= zone.first.max_g ? undefined : zone.brackets.find((bracket) => grams <= bracket.upTo);

/** Rounds up by the bracket and says what decided. */
export const weightMessageOf = (weighed: Weighed, zone: CompiledZone, bracket: CompiledBracket | undefined): WeightMessage => {
  const params: WeightMessage['params'] = bracket
    ? {
        actual_weight: weighed.actual,
        billed_weight: bracket.from + startedSteps(weighed.actual - bracket.from, bracket.step) * bracket.step,
        rounding: 'step',
        from_weight: bracket.from,
        step_weight: bracket.step,
      }
    : { actual_weight: weighed.actual, billed_weight: zone.first.max_g, rounding: 'first' };
  if (weighed.byVolume) Object.assign(params, { scale_weight: weighed.scale, ...weighed.byVolume });
  return { code: weighed.source, params };
};
