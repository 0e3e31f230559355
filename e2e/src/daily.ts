/** Whether this run is a daily one. */
export const isDaily = process.env['WAYSTATION_TEST_DAILY'] !== undefined;

/**
 * The cases that every run takes, and with `npm run verify -- daily` (WAYSTATION_TEST_DAILY) the
 * further ones. A further case combines a role, a language and a look. Each of these alone is
 * already in a case of every run, on the same screens.
 */
export const withDaily = <A, D>(always: readonly A[], daily: readonly D[]): readonly (A | D)[] =>
  isDaily ? [...always, ...daily] : always;

/**
 * The languages that a journey is tested in: the fixed one in every run, both in a daily run.
 * Within a file the journeys take both languages in turn.
 */
export const languagesOf = (always: 'zh-CN' | 'en-US'): readonly ('zh-CN' | 'en-US')[] =>
  isDaily ? ['zh-CN', 'en-US'] : [always];

/** The cases in one of the languages that `languagesOf` returns. */
export const inLanguageOf = <C extends { language: string }>(
  always: 'zh-CN' | 'en-US',
  cases: readonly C[],
): readonly C[] => cases.filter(({ language }) => isDaily || language === always);

/** The number of repetitions within a journey. */
export const dailyOr = (always: number, daily: number): number => (isDaily ? daily : always);
