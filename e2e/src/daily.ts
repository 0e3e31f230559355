const isDaily = process.env['WAYSTATION_TEST_DAILY'] !== undefined;

/**
 * The cases that every run takes, and with `npm run verify -- daily` (WAYSTATION_TEST_DAILY)
 * the further ones: combinations of a role, a language and a look of which each alone, on the
 * same screens, is in a case of every run.
 */
export const withDaily = <A, D>(always: readonly A[], daily: readonly D[]): readonly (A | D)[] =>
  isDaily ? [...always, ...daily] : always;

/** The number of repetitions within a journey. */
export const dailyOr = (always: number, daily: number): number => (isDaily ? daily : always);
