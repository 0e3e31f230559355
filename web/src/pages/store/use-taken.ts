import { useEffect, useRef } from 'react';
import { getExpress, revealExpress } from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { copiedForm } from './form.ts';
import type { OrderForm } from './form.ts';

/** Fills the form once from the parcel that the address names (`copy` or `edit`); masked phones are revealed for it, which the server notes. */
export const useTaken = (id: string | undefined, same: boolean, onTaken: (form: OrderForm, express: Express) => void): void => {
  const taken = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (id === undefined || !/^\d{1,15}$/.test(id) || taken.current === id) return;
    taken.current = id;
    const take = async (): Promise<void> => {
      const express = await call(getExpress, { id: Number(id) });
      const phones = express.phones_shown === 1 ? express : await call(revealExpress, { id: express.id });
      onTaken(copiedForm(express, phones, same), express);
    };
    take().catch((error: unknown) => {
      taken.current = undefined;
      notify.failure(error);
    });
  }, [id, same, onTaken]);
};
