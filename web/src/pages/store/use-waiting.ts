import { useCallback, useRef } from 'react';
import { dropEntry } from '#parcels/orders/entries.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { takeBack } from '#parcels/orders/work.ts';

export interface Waiting {
  wait: (entry: OrderEntry) => void;
  /**
   * Called if another parcel is requested, or if the read of the parcel fails. The user can then
   * open the entry only from its row in the queue.
   */
  clear: () => void;
  /**
   * Called after the parcel was read into the form. Removes the edit that waited for this parcel
   * from the queue and returns it. Returns null if no edit waited, or if the edit is being sent.
   */
  take: (id: number) => OrderEntry | null;
}

/**
 * Keeps the queue entry whose parcel is being read into the form. The entry stays in the queue
 * until the read has succeeded, so that neither a failed read nor a reload loses it.
 */
export const useWaiting = (): Waiting => {
  const waiting = useRef<OrderEntry | null>(null);
  return {
    wait: useCallback((entry) => {
      waiting.current = entry;
    }, []),
    clear: useCallback(() => {
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
