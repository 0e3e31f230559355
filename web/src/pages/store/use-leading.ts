import { useEffect, useRef, useState } from 'react';
import { firstEmpty } from '#parcels/orders/form.ts';
import type { Doubts, OrderForm } from '#parcels/orders/form.ts';
import { focusField } from './use-sending.ts';

/**
 * Moves the focus after a pasted text was recognized. If the region is uncertain, it gets the
 * focus, so that the user can choose one of the possible places by key. Otherwise the first empty
 * required field gets it.
 */
export const useLeading = (form: OrderForm, doubts: Doubts, several: boolean): (() => void) => {
  const [requests, setRequests] = useState(0);
  const present = useRef({ form, doubts, several });
  useEffect(() => {
    present.current = { form, doubts, several };
  });
  // The field to focus is found only after the form was rendered with the recognized text.
  useEffect(() => {
    if (requests === 0) return;
    const { form: read, doubts: doubted, several: many } = present.current;
    focusField(doubted.place ? 'receiver.place' : (firstEmpty(read, many) ?? 'weight'));
  }, [requests]);
  return () => setRequests((count) => count + 1);
};
