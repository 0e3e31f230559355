import { useEffect, useRef, useState } from 'react';

/**
 * The open overlays, latest last. They do not stand within each other in the React tree, so
 * Base UI cannot know which one lies on top.
 */
const stack: { self: symbol; onCovered: (() => void) | undefined }[] = [];
/** The event that closed one: it closes no second one below. */
let spent: Event | null = null;

/**
 * Whether this overlay may answer an event that closes: only the one on top does.
 * `onCovered`: another one opened over it.
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
