import { useCallback, useRef } from 'react';
import { dropEntry } from '#parcels/orders/entries.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { takeBack } from '#parcels/orders/work.ts';

export interface Waiting {
  wait: (entry: OrderEntry) => void;
  /** Another parcel is wanted, or it does not come: what waited for it is opened by its own row again, and by nothing else. */
  forget: () => void;
  /** The parcel is here: the edit that waited for it, out of the queue; null: none did, or it is on its way. */
  take: (id: number) => OrderEntry | null;
}

/** What was opened from the queue and waits for its parcel to be read. It stays there until then: a reading that fails, or a reload, must not lose it. */
export const useWaiting = (): Waiting => {
  const waiting = useRef<OrderEntry | null>(null);
  return {
    wait: useCallback((entry) => {
      waiting.current = entry;
    }, []),
    forget: useCallback(() => {
      waiting.current = null;
    }, []),
    take: useCallback((id) => {
      const entry = waiting.current;
      waiting.current = null;
      if (entry === null) return null;
      if (entry.parcel === null) return entry.edited?.id === id ? takeBack(entry.key) : null;
      if (entry.parcel.id === id) dropEntry(entry.key);
      return null;
    }, []),
  };
};
