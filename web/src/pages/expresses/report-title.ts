import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { traceExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Say } from '#base/texts.ts';

type Report = Pick<OutputOf<typeof traceExpress>['items'][number], 'source' | 'title' | 'state'>;

const answers = [
  'cancelled',
  'intercepted',
  'intercepting',
  'cancel_failed',
  'intercept_failed',
] as const;

/**
 * The title of a carrier's report in the carrier's words. A carrier's answer to our cancellation or
 * interception has no such title, so its title is one of our texts.
 */
export const reportTitle = ({ source, title, state }: Report, t: Say): string => {
  const answer = source === 'cancel' ? answers.find((each) => each === state) : undefined;
  return title || (answer === undefined ? state : t(`expresses.answer.${answer}`));
};
