import { useEffect, useState } from 'react';

/** The open overlays, latest last. They do not stand within each other in the React tree, so Base UI cannot know which one lies on top. */
const stack: symbol[] = [];
/** The event that closed one: it closes no second one below. */
let spent: Event | null = null;

/** Whether this overlay may answer an event that closes: only the one on top does. */
export const useStacked = (open: boolean): ((event: Event) => boolean) => {
  const [self] = useState(() => Symbol('overlay'));
  useEffect(() => {
    if (!open) return;
    stack.push(self);
    return () => void stack.splice(stack.indexOf(self), 1);
  }, [open, self]);
  return (event) => {
    if (stack.at(-1) !== self || spent === event) return false;
    spent = event;
    return true;
  };
};
