import { useSyncExternalStore } from 'react';

/**
 * A recipient's details for the order form. Kept in memory, because personal data must not be in an
 * address.
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
