import { fail } from '#platform/fail.ts';
import type { Actor } from './actor.ts';

/**
 * Throws if the call was made with an API key. No scope opens an endpoint that moves or approves
 * money. This check repeats that rule in the code that moves money.
 */
export const requireSession = ({ key }: Pick<Actor, 'key'>): void => {
  if (key) fail('key_forbidden', { scope: '–' });
};
