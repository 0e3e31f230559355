import { fail } from '#platform/fail.ts';
import type { Actor } from './actor.ts';

/**
 * Throws for a call by an API key. No endpoint that moves or approves money names a scope; this
 * check repeats it where the money moves.
 */
export const requireSession = ({ key }: Pick<Actor, 'key'>): void => {
  if (key) fail('key_forbidden', { scope: '–' });
};
