import { useCallback, useLayoutEffect, useRef } from 'react';

/** `run` as it was last drawn, under an identity that stays: what holds it is not drawn or registered again with every key that is typed. */
export const useSteady = <A extends unknown[], R>(run: (...args: A) => R): ((...args: A) => R) => {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
};
