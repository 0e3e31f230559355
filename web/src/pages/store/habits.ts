/** For each name of goods, the weights of the latest orders, the newest at the end. */
export type Habits = Readonly<Record<string, readonly string[]>>;

const mostGoods = 20;
const mostWeights = 9;

/** Reads the stored usual weights. Leaves out values in the format of an older version. */
export const readHabits = (stored: object | null): Habits =>
  Object.fromEntries(
    Object.entries(stored ?? {}).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((one) => typeof one === 'string'),
    ),
  );

/** Returns the usual weights after one more order was counted. */
export const withOrder = (habits: Habits, goods: string, weight: string): Habits => {
  if (goods === '' || weight === '') return habits;
  const { [goods]: known = [], ...others } = habits;
  // Moves the goods of the latest order to the end. So the goods that were ordered longest ago come
  // first and are removed first.
  return Object.fromEntries([
    ...Object.entries(others).slice(1 - mostGoods),
    [goods, [...known, weight].slice(-mostWeights)],
  ]);
};

/**
 * The usual weights of these goods, most frequent first. Equally frequent weights are sorted by
 * their latest order.
 */
export const usualWeights = (habits: Habits, goods: string): string[] => {
  const known = habits[goods] ?? [];
  const times = (weight: string): number => known.filter((one) => one === weight).length;
  return [...new Set(known.toReversed())].toSorted((a, b) => times(b) - times(a)).slice(0, 3);
};

/**
 * Returns the next usual weight, for another press of the key. If the present weight is not a usual
 * weight, returns the first one.
 */
export const nextWeight = (usual: readonly string[], weight: string): string | undefined =>
  usual[(usual.indexOf(weight) + 1) % Math.max(1, usual.length)];
