/** True if this is a daily run. */
export const isDaily = process.env['WAYSTATION_TEST_DAILY'] !== undefined;

/**
 * The cases for every run. The daily run (`npm run verify -- daily`, WAYSTATION_TEST_DAILY) adds
 * the daily cases. A daily case is a new combination of role, language and look. Each of these is
 * covered alone by a case of every run, on the same screens.
 */
export const withDaily = <A, D>(always: readonly A[], daily: readonly D[]): readonly (A | D)[] =>
  isDaily ? [...always, ...daily] : always;

/**
 * The languages in which a journey is tested. Every run uses the given language, and the daily run
 * uses both. Within a file, some journeys are given Chinese and others English.
 */
export const languagesOf = (always: 'zh-CN' | 'en-US'): readonly ('zh-CN' | 'en-US')[] =>
  isDaily ? ['zh-CN', 'en-US'] : [always];

/** The cases in one of the languages that `languagesOf` returns. */
export const inLanguageOf = <C extends { language: string }>(
  always: 'zh-CN' | 'en-US',
  cases: readonly C[],
): readonly C[] => cases.filter(({ language }) => isDaily || language === always);

/**
 * The number of repetitions within a journey. `always` applies in every run, and `daily` in the
 * daily run.
 */
export const dailyOr = (always: number, daily: number): number => (isDaily ? daily : always);
