import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { traceExpress } from '@waystation/contract/express-calls.ts';
import type { Say } from '#base/texts.ts';

type Report = Pick<OutputOf<typeof traceExpress>['items'][number], 'source' | 'title' | 'state'>;

const answers = ['cancelled', 'intercepted', 'intercepting', 'cancel_failed', 'intercept_failed'] as const;

/** What a report of the carrier is called: in its own words; its answer to our cancel or interception, which has none, in ours. */
export const reportTitle = ({ source, title, state }: Report, t: Say): string => {
  const answer = source === 'cancel' ? answers.find((each) => each === state) : undefined;
  return title || (answer === undefined ? state : t(`expresses.answer.${answer}`));
};
