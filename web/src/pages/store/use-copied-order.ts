import { useCallback, useEffect, useRef, useState } from 'react';
import { getExpress, revealExpress } from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { copiedForm } from '#parcels/orders/inputs.ts';
import type { OrderForm } from '#parcels/orders/form.ts';

export interface Arrival {
  /** A parcel is on its way into the form: what is pressed meanwhile is meant for it. */
  isComing: boolean;
  /** How many could not be read: what was pressed meanwhile is meant for nothing. */
  failures: number;
}

interface CopiedOrder extends Arrival {
  /** Called once the form is free of it: the same parcel may come again, also where the page is hidden before it is drawn without it. */
  forget: () => void;
}

interface Options {
  /** The parcel that the address names (`copy` or `edit`). */
  id: string | undefined;
  same: boolean;
  onCopied: (form: OrderForm, express: Express) => void;
  onFailed: () => void;
}

/** Fills the form once from a parcel; masked phones are revealed for it, which the server notes. */
export const useCopiedOrder = ({ id, same, onCopied, onFailed }: Options): CopiedOrder => {
  const copied = useRef<string | undefined>(undefined);
  const [arrived, setArrived] = useState<string | undefined>();
  const [failures, setFailures] = useState(0);
  const named = id !== undefined && /^\d{1,15}$/.test(id) ? id : undefined;
  useEffect(() => {
    if (named === undefined) {
      copied.current = undefined;
      setArrived(undefined);
    }
    if (named === undefined || copied.current === named) return;
    copied.current = named;
    const copy = async (): Promise<void> => {
      const express = await call(getExpress, { id: Number(named) });
      const phones = express.phones_shown === 1 ? express : await call(revealExpress, { id: express.id });
      // Left meanwhile, or another one is wanted.
      if (copied.current !== named) return;
      onCopied(copiedForm(express, phones, same), express);
      setArrived(named);
    };
    copy().catch((error: unknown) => {
      if (copied.current === named) {
        copied.current = undefined;
        setFailures((count) => count + 1);
        onFailed();
      }
      notify.failure(error);
    });
  }, [named, same, onCopied, onFailed]);
  return {
    isComing: named !== undefined && arrived !== named,
    failures,
    forget: useCallback(() => {
      copied.current = undefined;
      setArrived(undefined);
    }, []),
  };
};
