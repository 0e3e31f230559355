import { createStore } from 'zustand/vanilla';
import { session } from './storage.ts';

const key = 'waystation-bench-mode';

/**
 * Bench mode (requirements §10.15.16) has full screen and large type, and reads scans wherever the
 * focus is. It is stored for this browser tab, so that it stays on after a reload.
 */
export const benchStore = createStore<{ on: boolean }>(() => ({ on: session.read(key) === '1' }));

export const isBench = (): boolean => benchStore.getState().on;

export const setBench = (on: boolean): void => {
  if (on) session.write(key, '1');
  else session.drop(key);
  benchStore.setState({ on });
};
