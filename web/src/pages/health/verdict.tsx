import type { Ref } from 'react';
import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons-svg';
import type { ProblemCode } from '@waystation/contract/shell/health-words.ts';
import type { HealthProblem } from '@waystation/contract/shell/health.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './health.module.css';
import { useHealthWords } from './words.ts';
import type { HealthWords } from './words.ts';

type Door = (problem: HealthProblem, words: HealthWords) => readonly [href: string, text: string];

const merchant: Door = ({ merchant_id }, { say }) => [
  screenHref('MerchantTable', { id: merchant_id }),
  say('open_merchant'),
];
const workplace: Door = (_, { say }) => [screenHref('Workplace'), say('open_workplace')];

/** The screen on which each problem can be solved, if there is one. */
const doors: Partial<Record<ProblemCode, Door>> = {
  carrier_down: merchant,
  carrier_paused: merchant,
  orders_unknown: (_, { say }) => [
    screenHref('ExpressTable', { tab: 'ordering' }),
    say('open_orders'),
  ],
  payments_suspended: workplace,
  proof_failed: workplace,
  proof_never: workplace,
};

/**
 * The first part of the page. It shows either a message that there are no problems, or each problem
 * with the action that solves it.
 */
export const Verdict = ({
  problems,
  heading,
  onSeeFailed,
}: {
  problems: readonly HealthProblem[];
  heading: Ref<HTMLParagraphElement>;
  onSeeFailed: () => void;
}) => {
  const words = useHealthWords();
  const { say, problem: textOf } = words;
  if (problems.length === 0)
    return (
      <div className={`${primitives['card']} ${styles['verdict']}`}>
        <p ref={heading} tabIndex={-1} className={styles['well']} role="status">
          <Icon of={CheckCircleFilled} /> {say('well')}
        </p>
        <p className={styles['hint']}>{say('well_hint')}</p>
      </div>
    );
  return (
    <div className={`${primitives['card']} ${styles['verdict']}`}>
      <p ref={heading} tabIndex={-1} className={styles['notWell']} role="status">
        <Icon of={ExclamationCircleFilled} /> {say('not_well', { count: problems.length })}
      </p>
      <ul>
        {problems.map((problem) => {
          const door = doors[problem.code]?.(problem, words);
          return (
            <li key={`${problem.code} ${problem.merchant_id} ${problem.params['place']}`}>
              <span>{textOf(problem)}</span> {door && <a href={door[0]}>{door[1]}</a>}
              {problem.code === 'jobs_failed' && (
                <button type="button" className={primitives['linkButton']} onClick={onSeeFailed}>
                  {say('see_failed')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
