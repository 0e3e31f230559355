import { mostBrackets } from '@waystation/contract/money/voucher-content.ts';
import type { PriceListNeed, PriceListRole } from '@waystation/contract/money/price-list.ts';
import { isRanged, rangesOf, stepIn } from './list-titles.ts';
import type { WeightRange } from './list-titles.ts';

/** Weights that the user entered, because the price list has no column and no title with them. */
export interface ListWeights {
  first_g: number | null;
  step_g: number | null;
  up_to_g: number | null;
}

export interface RangeColumn extends WeightRange {
  at: number;
  flat: boolean;
}

/** The plan for reading the rows below the titles. */
export interface ListPlan {
  places: ReadonlyMap<PriceListRole, number>;
  /** The weight ranges, in ascending order. */
  ranges: readonly RangeColumn[];
  weights: ListWeights;
  needs: readonly PriceListNeed[];
}

/**
 * The only weight that the titles with these meanings contain; null if they contain none or
 * different weights.
 */
const weightOfRoles = (
  titles: readonly string[],
  roles: readonly (PriceListRole | null)[],
  wanted: readonly PriceListRole[],
): number | null => {
  const named = titles
    .filter((_, at) => wanted.some((role) => role === roles[at]))
    .flatMap((title) => stepIn(title) ?? []);
  return new Set(named).size === 1 ? (named[0] ?? null) : null;
};

const areContiguous = (ranges: readonly RangeColumn[], first: boolean): boolean =>
  ranges.every((range, index) => {
    const before = ranges[index - 1];
    return before === undefined ? first || range.from_g === 0 : before.to_g === range.from_g;
  });

const needsOf = (
  { places, ranges, weights }: Omit<ListPlan, 'needs'>,
  isAsked: boolean,
): PriceListNeed[] => {
  const isFirst = places.has('first_price');
  const isFlat = ranges[0]?.from_g === 0 && ranges[0].flat;
  const steps = places.has('step_price') || ranges.some(({ flat }) => !flat);
  const open = places.has('step_price') || ranges.some(({ to_g }) => to_g === null);
  const last = Math.max(0, ...ranges.map(({ from_g, to_g }) => to_g ?? from_g));
  return [
    ...(isAsked ? (['column'] as const) : []),
    ...(places.has('province') ? [] : (['province'] as const)),
    ...(isFirst || isFlat ? [] : (['price'] as const)),
    ...(areContiguous(ranges, isFirst) && !(isFirst && isFlat) && ranges.length < mostBrackets
      ? []
      : (['ranges'] as const)),
    ...(isFirst && !places.has('first_weight') && weights.first_g === null
      ? (['first_g'] as const)
      : []),
    ...(steps && !places.has('step_weight') && weights.step_g === null
      ? (['step_g'] as const)
      : []),
    ...(open && !places.has('up_to') && (weights.up_to_g ?? 0) <= last
      ? (['up_to_g'] as const)
      : []),
  ];
};

/** Plans how the rows of a sheet are read, from its titles and their meanings. */
export const planOf = (
  titles: readonly string[],
  roles: readonly (PriceListRole | null)[],
  chosen: ListWeights,
  isAsked: boolean,
): ListPlan => {
  const places = new Map<PriceListRole, number>();
  const ranges: RangeColumn[] = [];
  const named = rangesOf(titles);
  let isTwice = false;
  for (const [at, role] of roles.entries()) {
    if (role === null) continue;
    const range = isRanged(role) ? named[at] : null;
    if (range) ranges.push({ ...range, at, flat: role === 'range' });
    else if (places.has(role)) isTwice = true;
    else places.set(role, at);
  }
  ranges.sort((one, other) => one.from_g - other.from_g);
  const weights = {
    first_g: weightOfRoles(titles, roles, ['first_price']) ?? chosen.first_g,
    step_g: weightOfRoles(titles, roles, ['step_price', 'range_step']) ?? chosen.step_g,
    up_to_g: chosen.up_to_g,
  };
  const plan = { places, ranges, weights };
  return { ...plan, needs: needsOf(plan, isAsked || isTwice) };
};
