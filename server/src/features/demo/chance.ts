/** Random numbers that are the same for the same seed, so that every demo network is the same. */
export interface Chance {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from min to max, both included. */
  whole(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** True with this probability. */
  hits(probability: number): boolean;
}

/** Mulberry32: a small and quick generator, good enough for example data. */
export const chanceFrom = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    pick: (items) => items[whole(0, items.length - 1)]!,
    hits: (probability) => next() < probability,
  };
};
