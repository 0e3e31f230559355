const steps = [1, 2, 3, 4, 6, 8];

/**
 * The round number at the top of a value axis. It is not less than `most`, and half of it is a
 * whole number: 43 → 60, 1,204 → 2,000.
 */
export const roundTop = (most: number): number => {
  if (most <= 4) return 4;
  if (most <= 10) return 2 * Math.ceil(most / 2);
  const power = 10 ** Math.floor(Math.log10(most));
  return steps.map((step) => step * power).find((top) => top >= most) ?? 10 * power;
};

/** The number of positions from one label to the next. It leaves room for about seven labels. */
export const labelStep = (count: number): number => Math.max(2, Math.ceil(count / 7));

/**
 * The upper and the lower end of a value axis, and the values at its marks. The axis contains zero
 * and the given values.
 */
export const valueAxis = (
  values: readonly number[],
): { top: number; bottom: number; marks: number[] } => {
  const top = roundTop(Math.max(0, ...values));
  const least = Math.min(0, ...values);
  const bottom = least < 0 ? -roundTop(-least) : 0;
  // Between two marks there must be room for a line of text.
  return {
    top,
    bottom,
    marks: [top, top / 2, 0, ...(-bottom > (top - bottom) / 9 ? [bottom] : [])],
  };
};

/**
 * The index of the point to which a key moves, among `count` points. Null if the key does not move.
 */
export const placeByKey = (at: number, count: number, key: string): number | null => {
  const by = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: -7,
    PageDown: 7,
    Home: -count,
    End: count,
  }[key];
  return by === undefined ? null : Math.max(0, Math.min(count - 1, at + by));
};
