import { Failure, fail } from '#platform/fail.ts';

/**
 * The kinds of callers, the least urgent first. `push`: a carrier, whose reports can still be read
 * by the next poll. `program`: a program with an API key, or an automatic call of a browser tab,
 * which the tab repeats. `person`: a user who is waiting.
 */
export type Urgency = 'push' | 'program' | 'person';

/** The number of transactions that may wait per connection of the pool when a call arrives. */
const waitingEach: Record<Urgency, number> = { push: 1, program: 2, person: 3 };

/**
 * Returns the seconds after which a refused caller should call again. They are random, so that not
 * all refused callers come at the same time.
 */
const retryAfter = (): number => 1 + Math.random() * 4;

/**
 * Refuses a call that would wait behind too many others, before any work is done for it: 503
 * `overloaded` (requirements §10.8.88). Otherwise every call of an overloaded process would wait
 * longer than its caller does, and its work would be lost.
 */
export const createOverload =
  (waiting: () => number, { connections, jobs }: { connections: number; jobs: number }) =>
  (urgency: Urgency): void => {
    // `waiting()` also counts this process's jobs that wait for a connection, at most `jobs`.
    if (waiting() >= waitingEach[urgency] * connections + jobs)
      fail('overloaded', {}, { retryAfter: retryAfter() });
  };

export const isOverloaded = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'overloaded';
