import { useCallback, useEffect, useRef, useState } from 'react';
import { stateCode } from '@waystation/contract/express-states.ts';
import type { Express } from '@waystation/contract/express.ts';
import { useTexts } from '#base/texts.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { dropEntry, putEntry } from '#parcels/orders/entries.ts';
import { newEntry } from '#parcels/orders/entry.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { takeBack } from '#parcels/orders/work.ts';
import { problemFields, problemWords, refusedField } from '#parcels/orders/words.ts';
import { reasonWords } from '#parcels/parcel-rules.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import type { FormState } from './use-form.ts';

interface Options {
  state: FormState;
  /** The parcel that the form changes; null: a new one. */
  edited: Edited | null;
  refuse: (words: string, errors: Record<string, string>) => void;
  setSearch: SetSearch;
}

interface Refusal {
  words: string;
  errors: Record<string, string>;
}

/** Brings an order of the queue back into the form, with its reason at the field; what was typed there goes into the queue as a draft. */
export const useReopened = ({ state, edited, refuse, setSearch }: Options) => {
  const { t, language } = useTexts();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** An edit that waits for its parcel to be read. */
  const typed = useRef<OrderEntry | null>(null);
  // Once the form is drawn with its content.
  useEffect(() => {
    if (refusal === null) return;
    setRefusal(null);
    refuse(refusal.words, refusal.errors);
  }, [refusal, refuse]);

  const keepTyped = (): void => {
    if (!state.isBegun) return;
    const work = edited === null ? 'order' : edited.state_code === stateCode.awaitingPickup ? 'save' : 'submit';
    putEntry({ ...newEntry(state.idempotencyKey, state.form, false, Date.now()), work, edited, state: 'kept' });
  };

  const refusalOf = ({ problem }: OrderEntry): Refusal | null =>
    problem === null ? null : { words: problemWords(problem, t, language), errors: problemFields(problem, language) };

  const open = (entry: OrderEntry): void => {
    if (entry.parcel !== null) {
      keepTyped();
      dropEntry(entry.key);
      return setSearch({ edit: entry.parcel.id, copy: undefined });
    }
    const taken = takeBack(entry.key);
    if (taken === null) return;
    keepTyped();
    if (taken.edited !== null) {
      // The parcel is read as it is now, for its version; what was typed is in the form then.
      typed.current = taken;
      return setSearch({ edit: taken.edited.id, copy: undefined });
    }
    state.replace(taken.form);
    setRefusal(refusalOf(taken));
  };

  const refused = useRef(refusalOf);
  const kept = useRef(keepTyped);
  useEffect(() => {
    refused.current = refusalOf;
    kept.current = keepTyped;
  });

  /** A parcel came into the form: what was typed of it before, and why that was refused; or why the carrier refused the parcel. */
  const noteCopied = useCallback(
    (express: Express, replace: (form: OrderForm) => void) => {
      const before = typed.current;
      typed.current = null;
      if (before?.edited?.id === express.id) {
        replace(before.form);
        return setRefusal(refused.current(before));
      }
      if (express.state_code !== stateCode.failed) return;
      const words = reasonWords(express, language);
      if (words !== '') setRefusal({ words, errors: { [refusedField(words)]: words } });
    },
    [language],
  );
  return { open, noteCopied, keepTyped: useCallback(() => kept.current(), []) };
};
