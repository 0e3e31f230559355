import { useEffect, useRef } from 'react';

/**
 * Closes a menu or a list of options when the tab of its page is hidden. Otherwise it would still
 * be open when the tab is shown again. Drawers stay open.
 */
export const useCloseWhenHidden = (close: () => void): void => {
  const latest = useRef(close);
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    // During development React runs effects twice. If the content is back immediately, it was not
    // really hidden.
    clearTimeout(leaving.current);
    return () => {
      leaving.current = setTimeout(() => latest.current(), 0);
    };
  }, []);
};
