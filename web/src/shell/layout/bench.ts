import { useStore } from 'zustand';
import { benchStore, isBench, setBench } from '#base/bench-mode.ts';

export const useBench = (): boolean => useStore(benchStore, ({ on }) => on);

/**
 * Starts or ends bench mode together with full screen. If the browser refuses full screen, bench
 * mode is shown in the normal window.
 */
export const toggleBench = (): void => {
  setBench(!isBench());
  const change = isBench()
    ? document.documentElement.requestFullscreen()
    : document.fullscreenElement
      ? document.exitFullscreen()
      : Promise.resolve();
  void change.catch(() => null);
};
