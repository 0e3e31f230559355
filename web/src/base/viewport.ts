import { useSyncExternalStore } from 'react';

const phone = globalThis.matchMedia?.('(max-width: 767px)');

const listen = (listener: () => void): (() => void) => {
  phone?.addEventListener('change', listener);
  return () => phone?.removeEventListener('change', listener);
};

/**
 * True if the window is too narrow for a side menu. This is so on a phone, and on a screen zoomed
 * to 200 %.
 */
export const useNarrow = (): boolean => useSyncExternalStore(listen, () => phone?.matches ?? false);
