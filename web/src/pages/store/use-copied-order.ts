import { useCallback, useEffect, useRef, useState } from 'react';
import { getExpress, revealExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { getContact } from '@waystation/contract/people/contact.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { copiedForm } from './copied-form.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { partyFrom } from './contacts.ts';

export interface Arrival {
  /**
   * True while a parcel is being loaded into the form. Keys pressed during this time apply to that
   * parcel.
   */
  isComing: boolean;
  /**
   * The number of failed attempts to load the parcel. A key press during a failed attempt is
   * discarded.
   */
  failures: number;
}

interface CopiedOrder extends Arrival {
  /**
   * Called when the form drops the parcel or must load it again. Afterwards the same parcel can be
   * loaded again, even if the page was hidden in the meantime.
   */
  clear: () => void;
}

interface Options {
  /** The id of the parcel in the URL query (`copy` or `edit`). */
  id: string | undefined;
  /** The id of the contact for whom a copied order is meant (`to` in the URL). */
  to: string | undefined;
  same: boolean;
  /**
   * The id of the parcel that the form edits. If another parcel cannot be read, the form keeps this
   * parcel, and the URL gets its id again.
   */
  held: string | undefined;
  onCopied: (form: OrderForm, express: Express) => void;
  onFailed: () => void;
}

/** The id of the parcel in the URL query; undefined if the value is no id. */
export const namedParcel = (id: string | undefined): string | undefined =>
  id !== undefined && /^\d{1,15}$/.test(id) ? id : undefined;

/**
 * Fills the form once: with the content of a parcel, or with the goods of a parcel and a contact.
 * Masked phones are revealed for this, and the server records that in the audit log.
 */
export const useCopiedOrder = ({
  id,
  to,
  same,
  held,
  onCopied,
  onFailed,
}: Options): CopiedOrder => {
  /** The read that was started last; the answers to earlier reads are ignored. */
  const reading = useRef<{ id: string } | null>(null);
  const [turn, setTurn] = useState(0);
  const [arrived, setArrived] = useState<string | undefined>();
  const [failures, setFailures] = useState(0);
  const named = namedParcel(id);
  /**
   * The number of the copied parcel, and also the recipient if the parcel is copied for another
   * recipient, because that makes it a different order.
   */
  const wanted = named === undefined || same || to === undefined ? named : `${named} ${to}`;
  useEffect(() => {
    if (named === undefined || wanted === undefined) {
      reading.current = null;
      setArrived(undefined);
      return;
    }
    if (reading.current?.id === wanted) return;
    const own = { id: wanted };
    reading.current = own;
    const copy = async (): Promise<void> => {
      const express = await call(getExpress, { id: Number(named) });
      const phones =
        express.phones_shown === 1 ? express : await call(revealExpress, { id: express.id });
      const found = same || to === undefined ? null : await call(getContact, { id: Number(to) });
      // A contact with a masked phone cannot be used, because an order needs the whole number.
      const entry = found?.phones_shown === 1 ? found : null;
      // In the meantime, the user has left the form or requested another parcel.
      if (reading.current !== own) return;
      const form = copiedForm(express, phones, same);
      onCopied(entry === null ? form : { ...form, receiver: partyFrom(entry) }, express);
      setArrived(wanted);
    };
    copy().catch((error: unknown) => {
      if (reading.current === own) {
        reading.current = held === undefined ? null : { id: held };
        setArrived(held);
        setFailures((count) => count + 1);
        onFailed();
      }
      notify.failure(error);
    });
  }, [named, wanted, to, same, held, turn, onCopied, onFailed]);
  return {
    isComing: named !== undefined && arrived !== wanted,
    failures,
    clear: useCallback(() => {
      reading.current = null;
      setArrived(undefined);
      setTurn((now) => now + 1);
    }, []),
  };
};
