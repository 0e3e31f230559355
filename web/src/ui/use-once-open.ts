import { useState } from 'react';

/**
 * True after an overlay was opened for the first time. After that it stays mounted while it is
 * closed, so that its closing animation is visible.
 */
export const useOnceOpen = (open: boolean): boolean => {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened || open;
};
