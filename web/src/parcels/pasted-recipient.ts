import { useSyncExternalStore } from 'react';

/**
 * The details of a recipient that will be put into the order form. They are kept in memory, because
 * personal data must not be in a URL.
 */
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
export const usePassedRecipient = (): string | null =>
  useSyncExternalStore(subscribe, () => pending);
