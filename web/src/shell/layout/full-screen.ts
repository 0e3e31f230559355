import { useSyncExternalStore } from 'react';

const listen = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
};

export const useFullScreen = (): boolean =>
  useSyncExternalStore(listen, () => document.fullscreenElement !== null);

/**
 * Switches full screen on or off. Some browsers permit it only after a click; their refusal is
 * ignored.
 */
export const toggleFullScreen = (): void => {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  void done.catch(() => null);
};
