import { it } from 'vitest';

/**
 * `npm test` runs a slice of each random check, always the same one. `npm run verify -- daily` sets
 * `WAYSTATION_TEST_DAILY` to a seed and runs the long ones.
 */
const dailySeed = process.env['WAYSTATION_TEST_DAILY'];

/** Whether this run is a daily one, with the checks that `npm test` leaves out. */
export const isDaily = dailySeed !== undefined;

/** A test that only the daily run has. */
export const itDaily = (name: string, run: () => Promise<void>): void => {
  if (isDaily) it(name, run);
};

/** The number of repetitions of a check: `slice` in `npm test`. */
export const rounds = (slice: number, daily: number): number =>
  dailySeed === undefined ? slice : daily;

/** The seed of a check: a fixed one in `npm test`. */
export const seedOr = (fixed: number): number =>
  dailySeed === undefined ? fixed : Number(dailySeed);

/** One of `every` in `npm test`, all of them daily. */
export const sampled = <T>(list: readonly T[], every: number): T[] =>
  list.filter((_, index) => index % rounds(every, 1) === 0);

/** The one at place `turn` in `npm test`, counted round the list; all of them daily. */
export const inTurn = <T>(list: readonly T[], turn: number): readonly T[] =>
  isDaily || list.length === 0 ? list : [list[turn % list.length]!];
