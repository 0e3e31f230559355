/**
 * Weights are whole grams everywhere in the code; users see and type kilograms. Volumes are whole
 * cm³ (docs/pricing.md).
 */
import { decimalText, parseMeasure, roundDecimal } from './decimal.ts';
import { visibleText } from './visible-text.ts';

/**
 * Converts typed kilograms ("4.3", "４．３ kg", "4,3公斤", "4。3") to grams; null if the text is not a
 * number of whole grams.
 */
export const parseKg = (text: string): number | null =>
  parseMeasure(
    visibleText(text)
      .normalize('NFKC')
      .trim()
      .replace(/(?:kg|公斤|千克)$/i, ''),
    3,
  );

/** Converts a carrier's kilograms to grams, rounded half up; null if it is not a number. */
export const kgToGrams = (kg: string | number): number | null => roundDecimal(kg, 3);

/**
 * Writes grams as kilograms, such as "4.3": with as many decimals as needed, and at least `least`.
 */
export const kgText = (grams: number, least = 0): `${number}` => decimalText(grams, 3, least);

/**
 * The number of steps of size `step` that `amount` begins: the quotient rounded up, and 0 for 0.
 */
export const startedSteps = (amount: number, step: number): number => {
  const rest = amount % step;
  return rest === 0 ? amount / step : (amount - rest) / step + 1;
};

/**
 * `grams` rounded up to the next multiple of `step`, because a carrier accepts whole steps only.
 */
export const upToStep = (grams: number, step: number): number => startedSteps(grams, step) * step;

/** Sizes in centimetres; null if a size is not known. */
export interface Sizes {
  length: number | null;
  width: number | null;
  height: number | null;
  package_count: number;
}

/**
 * The volume of the whole parcel in cm³: the sizes are those of one piece, and all pieces have the
 * same sizes. 0 if a size is unknown.
 */
export const volumeOf = (sizes: Sizes): number =>
  (sizes.length ?? 0) * (sizes.width ?? 0) * (sizes.height ?? 0) * sizes.package_count;

/** The volumetric weight in grams of `volume` cm³, with `divisor` cm³ per kilogram, rounded up. */
export const volumetricWeight = (volume: number, divisor: number): number =>
  startedSteps(volume * 1000, divisor);
