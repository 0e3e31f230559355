import { useRef } from 'react';
import { stateCode } from '@waystation/contract/express-states.ts';
import { createExpress, editExpress, expressOptions, listExpresses, orderExpress, quoteExpress, retryExpress } from '@waystation/contract/express-calls.ts';
import { workplace } from '@waystation/contract/workplace.ts';
import type { AddressCandidate } from '@waystation/contract/address.ts';
import type { Express, Quote } from '@waystation/contract/express.ts';
import { call, newIdempotencyKey } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { tellOutcome } from '#parcels/outcome.ts';
import type { Printing } from '#printing/printing.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { isNobody, receiverFrom } from '#parcels/orders/form.ts';
import { draftInput, orderInput, sentInput } from '#parcels/orders/inputs.ts';
import { chosenOf, presentQuotes } from '#parcels/orders/price.ts';
import { enqueue } from '#parcels/orders/work.ts';
import type { FormState } from './use-form.ts';
import { useSending } from './use-sending.ts';

/** A parcel that is changed instead of a new one being made. */
export type Edited = Pick<Express, 'id' | 'version' | 'state_code' | 'order_id' | 'delivery_id'>;

interface OrderOptions {
  state: FormState;
  edited: Edited | null;
  printing: Printing;
  /** An edit was stored: the next one starts from what stands now. */
  onEdited: (express: Express) => void;
  /** A standing parcel was changed and nothing ordered. */
  onSaved: (express: Express) => void;
  /** An edited parcel was ordered. */
  onDone: (express: Express) => void;
  /** The new order is in the queue: the form is free. */
  onQueued: () => void;
  /** The user orders for several stations, of which one must be chosen. */
  several: boolean;
}

export interface Ordering {
  busy: boolean;
  /** Why the last try came to nothing; null once another one began. */
  refusal: string | null;
  dismiss: () => void;
  order: (print: boolean) => void;
  keepDraft: () => void;
  /** Says why an order that came back into the form was refused. */
  refuse: (words: string, errors: Record<string, string>) => void;
  keepDrafts: (queue: readonly AddressCandidate[]) => Promise<boolean>;
}

/** Milliseconds between the presses of one hand that meant one. */
const doublePress = 1_000;

const touched = () => refresh(listExpresses, workplace, expressOptions, quoteExpress);

/** An edit and then the order that its state asks for. */
const send = async ({ form, idempotencyKey }: FormState, chosen: Quote | null, edited: Edited, onEdited: (express: Express) => void): Promise<Express> => {
  const whole = { ...form, promise_id: chosen?.promise_id ?? form.promise_id };
  if (edited.state_code === stateCode.awaitingPickup) return call(editExpress, { id: edited.id, version: edited.version, ...sentInput(form) });
  const changed = await call(editExpress, { id: edited.id, version: edited.version, ...orderInput(whole, null) });
  onEdited(changed);
  if (changed.state_code === stateCode.draft) return call(orderExpress, { id: edited.id }, { idempotencyKey });
  return changed.state_code === stateCode.failed ? call(retryExpress, { id: edited.id }, { idempotencyKey }) : changed;
};

/** Sends the form: once per form however often it is pressed, every error at its field, nothing typed lost. */
export const useOrder = ({ state, edited, printing, onEdited, onSaved, onDone, onQueued, several }: OrderOptions): Ordering => {
  const { t, language } = useTexts();
  const { form, idempotencyKey } = state;
  const sent = edited?.state_code === stateCode.awaitingPickup;
  const { busy, refusal, dismiss, refuse, checked, run } = useSending(state, several);
  const queuedAt = useRef(0);
  // A second press belongs to the order that the first one sent: the form behind it is empty because of that.
  const isSecondPress = (): boolean => Date.now() - queuedAt.current < doublePress && isNobody(form.receiver);
  return {
    busy,
    refusal,
    dismiss,
    refuse,
    order: (print) => {
      if (busy || isSecondPress() || !checked()) return;
      if (edited === null) {
        if (enqueue(idempotencyKey, form, print) === 'full') return refuse(t('store.order_state.full'), {});
        queuedAt.current = Date.now();
        dismiss();
        return onQueued();
      }
      void run(async () => {
        // The price of the form's current values, which may still be loading.
        const chosen = sent ? null : chosenOf(await presentQuotes(form), form.promise_id);
        if (!sent && chosen === null) return refuse(t('store.no_offer'), { promise_id: t('store.problem.required') });
        const express = await send(state, chosen, edited, onEdited);
        if (sent) {
          notify.success(express.modifying === 1 ? t('store.edit_waits') : t('store.edit_taken', { amount: yuan(express.post_amount) }));
          onSaved(express);
          return touched();
        }
        tellOutcome(express, t, language);
        onDone(express);
        if (print && express.state_code === stateCode.awaitingPickup) void printing.printNow([express]);
        await touched();
      });
    },
    keepDraft: () =>
      void run(async () => {
        if (edited === null) {
          await call(createExpress, draftInput(form), { idempotencyKey });
          notify.success(t('store.draft_saved'));
          state.goOn();
        } else {
          const express = await call(editExpress, { id: edited.id, version: edited.version, ...orderInput(form, null) });
          notify.success(t('store.edit_saved'));
          onSaved(express);
        }
        await touched();
      }),
    keepDrafts: async (queue) => {
      let saved = 0;
      await run(async () => {
        for (const candidate of queue) {
          await call(createExpress, draftInput({ ...form, receiver: receiverFrom(candidate) }), { idempotencyKey: newIdempotencyKey() });
          saved++;
        }
        notify.success(t('store.queue_saved', { count: saved }));
        await touched();
      });
      return saved === queue.length;
    },
  };
};
