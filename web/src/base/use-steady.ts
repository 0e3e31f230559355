import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns a function that always calls the latest `run` but never changes itself. Components that
 * use it are therefore not drawn again with every typed key.
 */
export const useSteady = <A extends unknown[], R>(run: (...args: A) => R): ((...args: A) => R) => {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
};
