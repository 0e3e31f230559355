import { openTestSystem } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack, AttackArea, Verdict } from './attack.ts';

export interface Outcome {
  area: string;
  name: string;
  bound?: string | undefined;
  tried: number;
  held: number;
  /** The attempts that wrongly succeeded, each as one sentence. */
  fell: string[];
}

/**
 * The time limit of one attack in milliseconds. An attack that is still running then counts as
 * successful.
 */
const limitMs = 120_000;

const withLimit = async (work: Promise<void>, milliseconds: number): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`not over after ${milliseconds / 1000} s`)),
    milliseconds,
  );
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Runs one attack and counts its attempts. An attack that throws an error, exceeds the time limit
 * or tries nothing counts as successful.
 */
export const playAttack = async (
  area: string,
  attack: Attack,
  system: TestSystem,
  milliseconds = limitMs,
): Promise<Outcome> => {
  const verdicts: Verdict[] = [];
  const judge = (held: boolean, what: string): void => void verdicts.push({ held, what });
  try {
    await withLimit(attack.run(system, judge), milliseconds);
    if (verdicts.length === 0) judge(false, 'nothing was tried');
  } catch (error) {
    judge(false, error instanceof Error ? error.message : String(error));
  }
  const fell = verdicts.filter(({ held }) => !held).map(({ what }) => what);
  return {
    area,
    name: attack.name,
    bound: attack.bound,
    tried: verdicts.length,
    held: verdicts.length - fell.length,
    fell,
  };
};

/** Starts a product for the attacks of one area, and runs them one after another. */
export const playArea = async (
  { area, config = {}, attacks }: AttackArea,
  report: (outcome: Outcome) => void,
): Promise<Outcome[]> => {
  const system = await openTestSystem({ config: { poolSize: 16, ...config } });
  const outcomes: Outcome[] = [];
  try {
    for (const attack of attacks) {
      const outcome = await playAttack(area, attack, system);
      report(outcome);
      outcomes.push(outcome);
    }
  } finally {
    await system.close();
  }
  return outcomes;
};

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Returns one line for each attack, and one more line for each successful attempt. */
export const linesOf = ({ area, name, bound, tried, held, fell }: Outcome): string[] => [
  `tried ${tried} · held ${held} · ${area}: ${name}${bound === undefined ? '' : ` (bound: ${bound})`}`,
  ...fell.map((what) => `  DID NOT HOLD: ${what}`),
];

export const sumLine = (outcomes: readonly Outcome[]): string => {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const areas = new Set(outcomes.map(({ area }) => area)).size;
  const fallen = outcomes.filter(({ fell }) => fell.length > 0).length;
  return `${plural(outcomes.length, 'attack')} on ${plural(areas, 'area')}, ${plural(
    sum(({ tried }) => tried),
    'try',
  ).replace(
    'trys',
    'tries',
  )}, ${sum(({ held }) => held)} held, ${plural(fallen, 'attack')} got through`;
};
