import { useEffect, useEffectEvent, useRef } from 'react';
import { useOrders } from '#parcels/orders/entries.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { isSamePerson } from '#parcels/orders/form.ts';
import type { Party } from '#parcels/orders/form.ts';
import type { FormState } from './use-form.ts';

interface Options {
  state: FormState;
  /** The idempotency key of the order that the form has sent last; null if it has sent none. */
  sentKey: string | null;
  /** True if no other parcel or order is being loaded into the form. */
  isFree: () => boolean;
  open: (entry: OrderEntry) => void;
  /** Puts the typed content into the queue as a draft, so that it is not lost. */
  keepTyped: () => void;
  dismiss: () => void;
}

/**
 * True if the server refused fields of a new order. False if it refused only the price or the
 * balance.
 */
const isForFields = ({ state, edited, problem }: OrderEntry): boolean =>
  state === 'refused' &&
  edited === null &&
  problem !== null &&
  Object.keys(problem.fields).length > 0;

/**
 * Returns the last order to the form if the server refused one of its fields and the form is empty.
 * Otherwise the order waits in the queue. The returned function must be called before another
 * receiver fills the form. It puts a returned order back into the queue, so that nothing is lost.
 */
export const useReturned = ({
  state,
  sentKey,
  isFree,
  open,
  keepTyped,
  dismiss,
}: Options): ((next: Party) => void) => {
  const returned = useRef<Party | null>(null);
  const refused = useOrders(
    ({ entries }) => entries.find((entry) => entry.key === sentKey && isForFields(entry)) ?? null,
  );
  const comeBack = useEffectEvent((entry: OrderEntry) => {
    if (state.isBegun || !isFree()) return;
    returned.current = entry.form.receiver;
    open(entry);
  });
  useEffect(() => {
    if (refused !== null) comeBack(refused);
  }, [refused]);
  return (next) => {
    const { receiver } = state.form;
    const isOther =
      returned.current !== null &&
      isSamePerson(returned.current, receiver) &&
      !isSamePerson(next, receiver);
    returned.current = null;
    if (!isOther) return;
    keepTyped();
    dismiss();
    state.goOn();
  };
};
