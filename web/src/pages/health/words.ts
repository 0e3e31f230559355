import { fill } from '@waystation/contract/base/fill.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { healthLabels, problemWords, taskWords } from '@waystation/contract/shell/health-words.ts';
import type { HealthLabel } from '@waystation/contract/shell/health-words.ts';
import type { HealthProblem } from '@waystation/contract/shell/health.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';

export interface HealthWords {
  say: (label: HealthLabel, params?: Params) => string;
  task: (name: string) => string;
  problem: (problem: HealthProblem) => string;
}

/** The texts of the system status page, in the user's language. */
export const useHealthWords = (): HealthWords => {
  const { language } = useTexts();
  const task = (name: string): string => taskWords[name]?.[language] ?? name;
  return {
    say: (label, params) => fill(healthLabels[label][language], params),
    task,
    problem: ({ code, params }) =>
      fill(wordOf(problemWords, code, language), {
        ...params,
        ...(typeof params['task'] === 'string' && { task: task(params['task']) }),
      }),
  };
};
