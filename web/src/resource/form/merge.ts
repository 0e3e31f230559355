/**
 * True if two values have equal content. Lists and objects are compared item by item, and NaN
 * equals NaN.
 */
export const same = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

export type Side = 'mine' | 'theirs';

/** The names of the fields that have different values in the two versions `a` and `b`. */
export const differing = <V extends object>(a: V, b: V): (keyof V & string)[] =>
  (Object.keys(a) as (keyof V & string)[]).filter((key) => !same(a[key], b[key]));

/** Returns only the changed fields, for a PATCH call. */
export const changesOf = <V extends object>(base: V, values: V): Partial<V> =>
  Object.fromEntries(differing(base, values).map((key) => [key, values[key]])) as Partial<V>;

export interface Difference<V extends object> {
  key: keyof V & string;
  /**
   * The side whose value is used by default. It is the user's own value if the user changed the
   * field.
   */
  side: Side;
  /** True if both users changed the field to different values. */
  clash: boolean;
}

/** The fields that differ between the typed and the stored values; both were made from `base`. */
export const compared = <V extends object>(base: V, mine: V, theirs: V): Difference<V>[] =>
  differing(mine, theirs).map((key) => {
    const touched = !same(base[key], mine[key]);
    return {
      key,
      side: touched ? 'mine' : 'theirs',
      clash: touched && !same(base[key], theirs[key]),
    };
  });

/** The user's values. Each field for which the stored value was chosen has the stored value. */
export const merged = <V extends object>(
  mine: V,
  theirs: V,
  sides: Readonly<Partial<Record<keyof V & string, Side>>>,
): V =>
  Object.fromEntries(
    (Object.keys(mine) as (keyof V & string)[]).map((key) => [
      key,
      sides[key] === 'theirs' ? theirs[key] : mine[key],
    ]),
  ) as V;
