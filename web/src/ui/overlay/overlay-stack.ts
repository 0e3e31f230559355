import { useEffect, useRef, useState } from 'react';

/**
 * The open overlays in the order of their opening. They are not nested in the React tree, so Base
 * UI cannot find out which overlay is on top.
 */
const stack: { self: symbol; onCovered: (() => void) | undefined }[] = [];
/** The event that closed an overlay. It must not also close the overlay below. */
let spent: Event | null = null;

/**
 * Returns a function that checks whether an event may close this overlay. Only the top overlay may
 * close. `onCovered` is called when another overlay opens over this one.
 */
export const useStacked = (open: boolean, onCovered?: () => void): ((event: Event) => boolean) => {
  const covered = useRef(onCovered);
  useEffect(() => {
    covered.current = onCovered;
  });
  const [self] = useState(() => Symbol('overlay'));
  useEffect(() => {
    if (!open) return;
    stack.at(-1)?.onCovered?.();
    stack.push({ self, onCovered: () => covered.current?.() });
    return () =>
      void stack.splice(
        stack.findIndex((each) => each.self === self),
        1,
      );
  }, [open, self]);
  return (event) => {
    if (stack.at(-1)?.self !== self || spent === event) return false;
    spent = event;
    return true;
  };
};
