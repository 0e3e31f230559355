/**
 * The history of states: the past states for undo, the present state, and the undone states for
 * redo.
 */
export interface History<T> {
  past: readonly T[];
  now: T;
  future: readonly T[];
}

const mostSteps = 200;

export const startHistory = <T>(now: T): History<T> => ({ past: [], now, future: [] });

/**
 * Adds a state to the history, unless it equals the present state. The states that could be redone
 * are discarded.
 */
export const remember = <T>(history: History<T>, next: T): History<T> =>
  Object.is(next, history.now)
    ? history
    : { past: [...history.past, history.now].slice(-mostSteps), now: next, future: [] };

export const undo = <T>({ past, now, future }: History<T>): History<T> =>
  past.length === 0
    ? { past, now, future }
    : { past: past.slice(0, -1), now: past.at(-1)!, future: [now, ...future] };

export const redo = <T>({ past, now, future }: History<T>): History<T> =>
  future.length === 0
    ? { past, now, future }
    : { past: [...past, now], now: future[0]!, future: future.slice(1) };
