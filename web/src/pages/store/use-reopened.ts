import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { stateCode } from '@waystation/contract/express-states.ts';
import type { Express } from '@waystation/contract/express.ts';
import { useTexts } from '#base/texts.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { dropEntry, putEntry, storedEntry } from '#parcels/orders/entries.ts';
import { newEntry } from '#parcels/orders/entry.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
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
  /** Reads the parcel that the address names once more. */
  readAgain: () => void;
}

interface Refusal {
  words: string;
  errors: Record<string, string>;
}

/** Brings an order of the queue back into the form, with its reason at the field; what was typed there goes into the queue as a draft. */
export const useReopened = ({ state, edited, refuse, setSearch, readAgain }: Options) => {
  const { t, language } = useTexts();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** An edit that waits for its parcel to be read. It stays in the queue until then: a reading that fails, or a reload, must not lose it. */
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
    const stored = storedEntry(entry.key);
    if (stored !== null && stored.edited !== null) {
      if (stored.state === 'sending' || stored.state === 'placed') return;
      keepTyped();
      // The parcel is read as it is now, for its version; what was typed is in the form then.
      typed.current = stored;
      readAgain();
      return setSearch({ edit: stored.edited.id, copy: undefined });
    }
    const taken = takeBack(entry.key);
    if (taken === null) return;
    keepTyped();
    state.replace(taken.form);
    setRefusal(refusalOf(taken));
  };

  const refused = useRef(refusalOf);
  const kept = useRef(keepTyped);
  useLayoutEffect(() => {
    refused.current = refusalOf;
    kept.current = keepTyped;
  });

  /** The edit that waited for this parcel, out of the queue; null: none did, or it is on its way. */
  const takeTyped = useCallback((id: number): OrderEntry | null => {
    const waiting = typed.current;
    typed.current = null;
    return waiting?.edited?.id === id ? takeBack(waiting.key) : null;
  }, []);
  /** A parcel came into the form: why the edit of it was refused, or why the carrier refused the parcel. */
  const noteRefusal = useCallback(
    (returned: OrderEntry | null, express: Express) => {
      if (returned !== null) return setRefusal(refused.current(returned));
      if (express.state_code !== stateCode.failed) return;
      const words = reasonWords(express, language);
      if (words !== '') setRefusal({ words, errors: { [refusedField(words)]: words } });
    },
    [language],
  );
  return { open, takeTyped, noteRefusal, keepTyped: useCallback(() => kept.current(), []) };
};
