import { createStore } from 'zustand/vanilla';
import { session } from './storage.ts';

const key = 'waystation-bench-mode';

/** Bench mode (docs/decisions/0056): full screen, large type, scans read whatever has the focus. It is kept for this browser tab, so that a reload stays in it. */
export const benchStore = createStore<{ on: boolean }>(() => ({ on: session.read(key) === '1' }));

export const isBench = (): boolean => benchStore.getState().on;

export const setBench = (on: boolean): void => {
  if (on) session.write(key, '1');
  else session.drop(key);
  benchStore.setState({ on });
};
