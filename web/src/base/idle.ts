import { create } from 'zustand';

/** Whether the first screen is drawn and the browser is idle. Reads that nobody waits for start only then: saved views, the ledger's status. */
export const useIdle = create<{ idle: boolean }>(() => ({ idle: false }));

/** Milliseconds after which a browser that never reports being idle is taken to be idle. */
const patience = 1500;

/** Runs `task` once the browser is idle, at once where it is. */
export const whenIdle = (task: () => void): void => {
  if (useIdle.getState().idle) return task();
  const stop = useIdle.subscribe(({ idle }) => {
    if (!idle) return;
    stop();
    task();
  });
};

/** Called once, when the console has been handed to the browser to draw. */
export const watchIdle = (): void => {
  const becomeIdle = (): void => useIdle.setState({ idle: true });
  // After the frame that shows it; Safari has no idle callback.
  requestAnimationFrame(() =>
    setTimeout(() => ('requestIdleCallback' in window ? window.requestIdleCallback(becomeIdle, { timeout: patience }) : setTimeout(becomeIdle, 200))),
  );
};
