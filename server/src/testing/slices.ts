import { it } from 'vitest';

/**
 * The seed of a daily run. `npm test` runs a part of each random check, and always the same part.
 * `npm run verify -- daily` sets `WAYSTATION_TEST_DAILY` to a seed and runs the long checks.
 */
const dailySeed = process.env['WAYSTATION_TEST_DAILY'];

/** True if this run is a daily run, which includes the checks that `npm test` omits. */
export const isDaily = dailySeed !== undefined;

/** Defines a test that runs only in a daily run. */
export const itDaily = (name: string, run: () => Promise<void>): void => {
  if (isDaily) it(name, run);
};

/**
 * Returns the number of repetitions of a check: `slice` in `npm test`, and `daily` in a daily run.
 */
export const rounds = (slice: number, daily: number): number =>
  dailySeed === undefined ? slice : daily;

/**
 * Returns the seed for a random check. In `npm test` it is the fixed seed; in a daily run it is a
 * new seed.
 */
export const seedOr = (fixed: number): number =>
  dailySeed === undefined ? fixed : Number(dailySeed);

/** Returns every `every`-th element of the list in `npm test`, and all elements in a daily run. */
export const sampled = <T>(list: readonly T[], every: number): T[] =>
  list.filter((_, index) => index % rounds(every, 1) === 0);

/**
 * In `npm test`, returns the element at the position `turn`. After the end of the list the position
 * continues at the beginning. In a daily run, returns all elements.
 */
export const inTurn = <T>(list: readonly T[], turn: number): readonly T[] =>
  isDaily || list.length === 0 ? list : [list[turn % list.length]!];
