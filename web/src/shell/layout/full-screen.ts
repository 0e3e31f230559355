import { useSyncExternalStore } from 'react';

const listen = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
};

export const useFullScreen = (): boolean =>
  useSyncExternalStore(listen, () => document.fullscreenElement !== null);

/** Some browsers refuse full screen unless a click asks for it; the refusal is ignored. */
export const toggleFullScreen = (): void => {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  void done.catch(() => null);
};
