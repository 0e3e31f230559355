import { useState } from 'react';
import { createExpress, editExpress, expressOptions, listExpresses, orderExpress, quoteExpress, retryExpress } from '@waystation/contract/express-calls.ts';
import { workplace } from '@waystation/contract/workplace.ts';
import type { AddressCandidate } from '@waystation/contract/address.ts';
import type { Express, Quote } from '@waystation/contract/express.ts';
import { fieldWords, isOutage } from '#app/api-error.ts';
import { call, newIdempotencyKey } from '#app/call.ts';
import { notify } from '#app/notify.tsx';
import { refresh } from '#app/query.ts';
import { useTexts } from '#app/texts.ts';
import { tellOutcome } from '#parts/outcome.ts';
import type { Printing } from '#parts/printing.tsx';
import { yuan } from '#ui/amounts.ts';
import { draftInput, formErrors, orderInput, problemsOf, receiverFrom, sentInput } from './form.ts';
import type { FormState } from './use-form.ts';

/** A parcel that is changed instead of a new one being made. */
export type Edited = Pick<Express, 'id' | 'version' | 'state_code' | 'order_id'>;

interface Given {
  state: FormState;
  chosen: Quote | null;
  edited: Edited | null;
  printing: Printing;
  /** An edit was stored: the next one starts from what stands now. */
  onEdited: (express: Express) => void;
  /** `print`: its label is wanted as soon as there is one. */
  onDone: (express: Express, print: boolean) => void;
}

export interface Ordering {
  busy: boolean;
  order: (print: boolean) => void;
  keepDraft: () => void;
  keepDrafts: (queue: readonly AddressCandidate[]) => Promise<boolean>;
}

const touched = () => refresh(listExpresses, workplace, expressOptions, quoteExpress);

/** A new order, or an edit and then the order that its state asks for. */
const send = async (
  { form, idempotencyKey }: FormState,
  chosen: Quote | null,
  edited: Edited | null,
  onEdited: (express: Express) => void,
): Promise<Express> => {
  const whole = { ...form, promise_id: chosen?.promise_id ?? form.promise_id };
  if (edited === null) return call(createExpress, orderInput(whole, chosen?.post_amount ?? null), { idempotencyKey });
  if (edited.state_code === 100) return call(editExpress, { id: edited.id, version: edited.version, ...sentInput(form) });
  const changed = await call(editExpress, { id: edited.id, version: edited.version, ...orderInput(whole, null) });
  onEdited(changed);
  if (changed.state_code === 0) return call(orderExpress, { id: edited.id }, { idempotencyKey });
  return changed.state_code === 90 ? call(retryExpress, { id: edited.id }, { idempotencyKey }) : changed;
};

/** Sends the form: once per form however often it is pressed, every error at its field, nothing typed lost. */
export const useOrder = ({ state, chosen, edited, printing, onEdited, onDone }: Given): Ordering => {
  const { t, language } = useTexts();
  const [busy, setBusy] = useState(false);
  const { form, idempotencyKey } = state;

  const failed = (error: unknown): void => {
    const errors = formErrors(fieldWords(error, language));
    state.setErrors(errors);
    if (isOutage(error)) notify.warning(t('store.unknown'));
    else notify.failure(error);
    document.querySelector<HTMLElement>(`[name="${CSS.escape(Object.keys(errors)[0] ?? '')}"]`)?.focus();
  };

  const checked = (): boolean => {
    const problems = problemsOf({ ...form, promise_id: form.promise_id || (chosen?.promise_id ?? '') });
    const named = Object.entries(problems);
    if (named.length === 0) return true;
    state.setErrors(Object.fromEntries(named.map(([name, problem]) => [name, t(`store.problem.${problem!}`)])));
    notify.warning(t('store.fix', { count: named.length }));
    document.querySelector<HTMLElement>(`[name="${CSS.escape(named[0]![0])}"]`)?.focus();
    return false;
  };

  const run = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };

  return {
    busy,
    order: (print) => {
      if (busy || !checked()) return;
      void run(async () => {
        const express = await send(state, chosen, edited, onEdited);
        if (edited?.state_code === 100)
          notify.success(express.modifying === 1 ? t('store.edit_waits') : t('store.edit_taken', { amount: yuan(express.post_amount) }));
        else tellOutcome(express, t, language);
        onDone(express, print);
        if (print && express.state_code === 100) void printing.printNow([express]);
        await touched();
      });
    },
    keepDraft: () =>
      void run(async () => {
        if (edited === null) await call(createExpress, draftInput(form), { idempotencyKey });
        else await call(editExpress, { id: edited.id, version: edited.version, ...orderInput(form, null) });
        notify.success(edited === null ? t('store.draft_saved') : t('store.edit_saved'));
        state.goOn();
        await touched();
      }),
    keepDrafts: async (queue) => {
      let kept = 0;
      await run(async () => {
        for (const candidate of queue) {
          await call(createExpress, draftInput({ ...form, receiver: receiverFrom(candidate) }), { idempotencyKey: newIdempotencyKey() });
          kept++;
        }
        notify.success(t('store.queue_saved', { count: kept }));
        await touched();
      });
      return kept === queue.length;
    },
  };
};
