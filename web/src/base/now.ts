import { useSyncExternalStore } from 'react';

const step = 30_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

const tick = (): void => {
  now = Date.now();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (Date.now() - now > step) queueMicrotask(tick);
  timer ??= setInterval(tick, step);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
};

/** The current time in milliseconds, updated every half minute while a component uses it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
