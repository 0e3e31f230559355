import { useSyncExternalStore } from 'react';

const listen = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
};

export const useFullScreen = (): boolean =>
  useSyncExternalStore(listen, () => document.fullscreenElement !== null);

/** Refused by a browser that allows it only after a click; the refusal is ignored. */
export const toggleFullScreen = (): void => {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  void done.catch(() => null);
};
