/** Whether this run is a daily one. */
export const isDaily = process.env['WAYSTATION_TEST_DAILY'] !== undefined;

/**
 * The cases that every run takes, and with `npm run verify -- daily` (WAYSTATION_TEST_DAILY)
 * the further ones: combinations of a role, a language and a look of which each alone, on the
 * same screens, is in a case of every run.
 */
export const withDaily = <A, D>(always: readonly A[], daily: readonly D[]): readonly (A | D)[] =>
  isDaily ? [...always, ...daily] : always;

/**
 * The languages of a journey that works in each: one in every run, the other too with the daily
 * ones. The journeys of a file get a fixed one, both in turn.
 */
export const languagesOf = (always: 'zh-CN' | 'en-US'): readonly ('zh-CN' | 'en-US')[] =>
  isDaily ? ['zh-CN', 'en-US'] : [always];

/** The cases of `languagesOf`, among those of two languages. */
export const inLanguageOf = <C extends { language: string }>(
  always: 'zh-CN' | 'en-US',
  cases: readonly C[],
): readonly C[] => cases.filter(({ language }) => isDaily || language === always);

/** The number of repetitions within a journey. */
export const dailyOr = (always: number, daily: number): number => (isDaily ? daily : always);
