import { create } from 'zustand';

/**
 * True after the first screen has been drawn and the browser is idle. Data for which no user waits
 * are read only then, such as saved views and the state of the ledger.
 */
export const useIdle = create<{ idle: boolean }>(() => ({ idle: false }));

/** A browser that does not report being idle counts as idle after this number of milliseconds. */
const timeoutMs = 1500;

/** Runs `task` when the browser is idle. If the browser was idle before, it runs immediately. */
export const whenIdle = (task: () => void): void => {
  if (useIdle.getState().idle) return task();
  const stop = useIdle.subscribe(({ idle }) => {
    if (!idle) return;
    stop();
    task();
  });
};

/** Watches for the browser to become idle. Called once, after the console has been drawn. */
export const watchIdle = (): void => {
  const becomeIdle = (): void => useIdle.setState({ idle: true });
  // Runs after the frame that shows the console. A timer is used in Safari, which has no idle
  // callback.
  requestAnimationFrame(() =>
    setTimeout(() =>
      'requestIdleCallback' in window
        ? window.requestIdleCallback(becomeIdle, { timeout: timeoutMs })
        : setTimeout(becomeIdle, 200),
    ),
  );
};
