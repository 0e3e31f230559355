import { useState } from 'react';

/** True from the first time on: what was opened once stays, closed, and keeps its closing motion. */
export const useEver = (open: boolean): boolean => {
  const [ever, setEver] = useState(open);
  if (open && !ever) setEver(true);
  return ever || open;
};
