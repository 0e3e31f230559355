import { useRef, useState } from 'react';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useTexts } from '#base/texts.ts';
import { isNobody } from '#parcels/orders/form.ts';
import type { Covered, EntryWork } from '#parcels/orders/entry.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { enqueue } from '#parcels/orders/work.ts';
import type { WindowTrouble } from '#parcels/offered-windows.ts';
import type { Choice, LostChoice } from '#parcels/orders/price.ts';
import type { FormState } from './use-form.ts';
import type { PlaceProblems } from './use-places.ts';
import { useSending } from './use-sending.ts';

interface OrderOptions {
  state: FormState;
  edited: Edited | null;
  /** The carrier's answer about coverage of the form's two places; null until it has arrived. */
  covered: Covered | null;
  /**
   * Called when the order is in the queue, so that the form may be changed. `saved` is set if the
   * order only changes an existing parcel.
   */
  onQueued: (saved: Edited | null) => void;
  /** True if the user orders for several stations and must choose one. */
  several: boolean;
  places: PlaceProblems;
  /** The product chosen in the form if the latest quotes do not offer it; otherwise null. */
  lost: LostChoice | null;
  /**
   * The offer that the form shows as the one to order. Null if there is no such offer, or if it
   * belongs to an earlier content of the form.
   */
  shown: Choice | null;
}

export interface Ordering {
  /**
   * The idempotency key of the last new order that this form has sent; null if it has sent none.
   */
  sentKey: string | null;
  /** The reason why the last attempt failed. It becomes null when another attempt begins. */
  refusal: string | null;
  dismiss: () => void;
  order: (print: boolean, pickup: WindowTrouble) => void;
  keepDraft: () => void;
  /** Shows the reason why an order was refused. Called after the order was returned to the form. */
  refuse: (words: string, errors: Record<string, string>) => void;
}

/** Two presses within this number of milliseconds count as one press. */
const doublePress = 1_000;

/**
 * Queues the form only once, even if the user presses the key several times. The outcome of the
 * order is not awaited (docs/decisions/0047).
 */
export const useOrder = ({
  state,
  edited,
  covered,
  onQueued,
  several,
  places,
  lost,
  shown,
}: OrderOptions): Ordering => {
  const { t } = useTexts();
  const { form, idempotencyKey } = state;
  const { refusal, dismiss, refuse, checked } = useSending(state, several, places, lost);
  const [sentKey, setSentKey] = useState<string | null>(null);
  const queuedAt = useRef(0);
  // The first press empties the form. If a second press follows shortly afterwards, it belongs to
  // the same order.
  const isSecondPress = (): boolean =>
    edited === null && Date.now() - queuedAt.current < doublePress && isNobody(form.receiver);
  const queue = (work: EntryWork, print: boolean): void => {
    if (enqueue(idempotencyKey, form, { work, print, edited, covered, seen: shown }) === 'full')
      return refuse(t('store.order_state.full'), {});
    queuedAt.current = Date.now();
    setSentKey(edited === null ? idempotencyKey : null);
    dismiss();
    onQueued(work === 'save' ? edited : null);
  };
  return {
    sentKey,
    refusal,
    dismiss,
    refuse,
    order: (print, pickup) => {
      if (isSecondPress() || !checked(pickup)) return;
      queue(
        edited === null
          ? 'order'
          : edited.state_code === stateCode.awaitingPickup
            ? 'save'
            : 'submit',
        print,
      );
    },
    keepDraft: () => {
      if (!isSecondPress()) queue(edited === null ? 'draft' : 'save', false);
    },
  };
};
