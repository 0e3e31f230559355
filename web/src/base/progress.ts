import { create } from 'zustand';

/**
 * The share of the progress bar that is filled when loading begins. Requirements §9: it starts at
 * 0.08 and grows every 800 ms.
 */
export const progressMinimum = 0.08;
export const trickleEvery = 800;

interface Progress {
  /** The number of loads that are running. */
  running: number;
  /** The share of the bar that is filled, 0–1. */
  share: number;
}

export const useProgress = create<Progress>(() => ({ running: 0, share: 0 }));

/**
 * The next progress of a load of unknown length. The steps become smaller, so that the bar never
 * becomes full.
 */
export const trickled = (share: number): number => {
  if (share >= 0.994) return 0.994;
  const step = share < 0.2 ? 0.1 : share < 0.5 ? 0.04 : share < 0.8 ? 0.02 : 0.005;
  return Math.min(share + step, 0.994);
};

let timer: ReturnType<typeof setInterval> | null = null;

const halt = (): void => {
  if (timer !== null) clearInterval(timer);
  timer = null;
};

/** Begins one load. The returned function ends it. The bar disappears when all loads have ended. */
export const startProgress = (): (() => void) => {
  const { running, share } = useProgress.getState();
  useProgress.setState({ running: running + 1, share: running === 0 ? progressMinimum : share });
  timer ??= setInterval(
    () => useProgress.setState((state) => ({ share: trickled(state.share) })),
    trickleEvery,
  );
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    const left = useProgress.getState().running - 1;
    if (left === 0) halt();
    useProgress.setState({ running: left, ...(left === 0 && { share: 1 }) });
  };
};
