import { create } from 'zustand';

/**
 * Whether the first screen stands and the browser has caught its breath. What nobody waits for is asked only then: saved views, the standing of
 * the books.
 */
export const useRest = create<{ rested: boolean }>(() => ({ rested: false }));

/** Milliseconds after which a browser that never comes to rest is taken for rested. */
const patience = 1500;

/** Called once, when the console has been handed to the browser to draw. */
export const watchRest = (): void => {
  const rest = (): void => useRest.setState({ rested: true });
  // After the frame that shows it; Safari knows no idle callback.
  requestAnimationFrame(() =>
    setTimeout(() => ('requestIdleCallback' in window ? window.requestIdleCallback(rest, { timeout: patience }) : setTimeout(rest, 200))),
  );
};
