import { useEffect, useRef } from 'react';

/**
 * A menu or a list of options closes when its tab is hidden: it must not come back with the
 * tab. Sheets do come back.
 */
export const useCloseWhenHidden = (close: () => void): void => {
  const latest = useRef(close);
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    // React runs effects twice during development: content that comes back at once has not been
    // hidden.
    clearTimeout(leaving.current);
    return () => {
      leaving.current = setTimeout(() => latest.current(), 0);
    };
  }, []);
};
