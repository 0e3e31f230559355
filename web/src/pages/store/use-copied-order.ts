import { useCallback, useEffect, useRef } from 'react';
import { getExpress, revealExpress } from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { copiedForm } from '#parcels/orders/inputs.ts';
import type { OrderForm } from '#parcels/orders/form.ts';

/**
 * Fills the form once from the parcel that the address names (`copy` or `edit`); masked phones are revealed for it, which the server notes.
 * Returns what is called once the form is free of it: the same parcel may come again, also where the page is hidden before it is drawn without it.
 */
export const useCopiedOrder = (id: string | undefined, same: boolean, onCopied: (form: OrderForm, express: Express) => void): (() => void) => {
  const copied = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (id === undefined) copied.current = undefined;
    if (id === undefined || !/^\d{1,15}$/.test(id) || copied.current === id) return;
    copied.current = id;
    const copy = async (): Promise<void> => {
      const express = await call(getExpress, { id: Number(id) });
      const phones = express.phones_shown === 1 ? express : await call(revealExpress, { id: express.id });
      onCopied(copiedForm(express, phones, same), express);
    };
    copy().catch((error: unknown) => {
      copied.current = undefined;
      notify.failure(error);
    });
  }, [id, same, onCopied]);
  return useCallback(() => {
    copied.current = undefined;
  }, []);
};
