import { Failure, fail } from '#platform/fail.ts';

/**
 * The callers, the least urgent first: the next poll reads what a lost push reported, a program
 * repeats a refused call, and a window in the background asks again soon.
 */
export type Urgency = 'push' | 'program' | 'person';

/** The transactions that may wait for each connection of the pool when a call arrives. */
const waitingEach: Record<Urgency, number> = { push: 1, program: 2, person: 3 };

/** Seconds after which refused callers come again, random so that they do not come together. */
const retryAfter = (): number => 1 + Math.random() * 4;

/**
 * Refuses a call that would wait behind too many others, before it has cost anything: 503
 * `overloaded` (requirements §10.8.88). Without it every call of an overloaded process waits longer
 * than its caller does, and the work is lost.
 */
export const createOverload =
  (waiting: () => number, { connections, jobs }: { connections: number; jobs: number }) =>
  (urgency: Urgency): void => {
    // Jobs of the same process wait among the callers, and are not many.
    if (waiting() >= waitingEach[urgency] * connections + jobs)
      fail('overloaded', {}, { retryAfter: retryAfter() });
  };

export const isOverloaded = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'overloaded';
