import { useSyncExternalStore } from 'react';

/** A recipient's details on their way to the order form. Kept in memory: they are personal and belong in no address. */
let pending: string | null = null;
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const passRecipient = (text: string): void => {
  pending = text;
  tell();
};
export const clearPassedRecipient = (): void => {
  pending = null;
  tell();
};
export const usePassedRecipient = (): string | null => useSyncExternalStore(subscribe, () => pending);
