import { useEffect, useRef, useState } from 'react';
import { firstEmpty, isAmbiguous } from '#parcels/orders/form.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { focusField } from './use-sending.ts';

/** Moves the focus after a recognition: to the region if several match, else to the first required field that is empty. */
export const useLeading = (form: OrderForm, several: boolean): (() => void) => {
  const [requests, setRequests] = useState(0);
  const present = useRef({ form, several });
  useEffect(() => {
    present.current = { form, several };
  });
  // After the form has been drawn as it was read.
  useEffect(() => {
    if (requests === 0) return;
    const { form: read, several: many } = present.current;
    focusField(isAmbiguous(read.receiver) ? 'receiver.place' : (firstEmpty(read, many) ?? 'weight'));
  }, [requests]);
  return () => setRequests((count) => count + 1);
};
