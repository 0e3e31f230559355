import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The latest `run` under a stable identity, so that its holders are not drawn or registered again
 * with every typed key.
 */
export const useSteady = <A extends unknown[], R>(run: (...args: A) => R): ((...args: A) => R) => {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
};
