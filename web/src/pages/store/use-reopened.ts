import { useCallback, useEffect, useState } from 'react';
import { stateCode } from '@waystation/contract/express-states.ts';
import type { Express } from '@waystation/contract/express.ts';
import { useTexts } from '#base/texts.ts';
import { dropEntry, putEntry } from '#parcels/orders/entries.ts';
import { newEntry } from '#parcels/orders/entry.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { takeBack } from '#parcels/orders/work.ts';
import { problemFields, problemWords, refusedField } from '#parcels/orders/words.ts';
import { reasonWords } from '#parcels/parcel-rules.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import type { FormState } from './use-form.ts';

interface Options {
  state: FormState;
  refuse: (words: string, errors: Record<string, string>) => void;
  setSearch: SetSearch;
}

interface Refusal {
  words: string;
  errors: Record<string, string>;
}

/** Brings an order of the queue back into the form, with its reason at the field; what was typed there goes into the queue as a draft. */
export const useReopened = ({ state, refuse, setSearch }: Options) => {
  const { t, language } = useTexts();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // Once the form is drawn with its content.
  useEffect(() => {
    if (refusal === null) return;
    setRefusal(null);
    refuse(refusal.words, refusal.errors);
  }, [refusal, refuse]);

  const keepTyped = (): void => {
    if (state.isBegun) putEntry({ ...newEntry(state.idempotencyKey, state.form, false, Date.now()), state: 'kept' });
  };

  const open = (entry: OrderEntry): void => {
    if (entry.parcel !== null) {
      keepTyped();
      dropEntry(entry.key);
      return setSearch({ edit: entry.parcel.id, copy: undefined });
    }
    const taken = takeBack(entry.key);
    if (taken === null) return;
    keepTyped();
    state.replace(taken.form);
    if (taken.problem !== null) setRefusal({ words: problemWords(taken.problem, t, language), errors: problemFields(taken.problem, language) });
  };

  /** A parcel that the carrier refused came into the form. */
  const noteCopied = useCallback(
    (express: Express) => {
      if (express.state_code !== stateCode.failed) return;
      const words = reasonWords(express, language);
      if (words !== '') setRefusal({ words, errors: { [refusedField(words)]: words } });
    },
    [language],
  );
  return { open, noteCopied };
};
