import { useState } from 'react';

/**
 * True once an overlay has been opened. The overlay then stays mounted while closed, so that its
 * closing animation is visible.
 */
export const useOnceOpen = (open: boolean): boolean => {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened || open;
};
