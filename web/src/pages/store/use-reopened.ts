import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { useTexts } from '#base/texts.ts';
import type { Edited } from '#parcels/orders/inputs.ts';
import { putEntry, storedEntry } from '#parcels/orders/entries.ts';
import { newEntry } from '#parcels/orders/entry.ts';
import type { OrderEntry } from '#parcels/orders/entry.ts';
import { takeBack } from '#parcels/orders/work.ts';
import { problemFields, problemWords, refusedField } from '#parcels/orders/words.ts';
import { reasonWords } from '#parcels/parcel-rules.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import type { FormState } from './use-form.ts';
import type { Waiting } from './use-waiting.ts';

interface Options {
  state: FormState;
  /** The parcel that the form changes; null if the form creates a new parcel. */
  edited: Edited | null;
  setEdited: (edited: Edited | null) => void;
  refuse: (words: string, errors: Record<string, string>) => void;
  setSearch: SetSearch;
  wait: Waiting['wait'];
  /** Reads the parcel in the URL again. */
  readAgain: () => void;
  /** Ends the edit and cancels the loading of a parcel into the form. */
  leave: () => void;
}

interface Refusal {
  words: string;
  errors: Record<string, string>;
}

/**
 * Returns an order from the queue to the form and shows the reason of its refusal at the field. If
 * the form already contains text, that text goes into the queue as a draft.
 */
export const useReopened = ({
  state,
  edited,
  setEdited,
  refuse,
  setSearch,
  wait,
  readAgain,
  leave,
}: Options) => {
  const { t, language } = useTexts();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // Shows the refusal only after the form was rendered with the parcel's content.
  useEffect(() => {
    if (refusal === null) return;
    setRefusal(null);
    refuse(refusal.words, refusal.errors);
  }, [refusal, refuse]);

  const keepTyped = (): void => {
    if (!state.isBegun) return;
    const work =
      edited === null
        ? 'order'
        : edited.state_code === stateCode.awaitingPickup
          ? 'save'
          : 'submit';
    putEntry({
      ...newEntry(state.idempotencyKey, state.form, false, Date.now()),
      work,
      edited,
      state: 'kept',
    });
  };

  const refusalOf = ({ problem }: OrderEntry): Refusal | null =>
    problem === null
      ? null
      : { words: problemWords(problem, t, language), errors: problemFields(problem, language) };

  /**
   * Reads the parcel again, because its present version is needed. When it arrives, the form shows
   * it with the typed changes.
   */
  const read = (entry: OrderEntry, parcel: number): void => {
    keepTyped();
    // Removes the content of another parcel's edit from the form. If it stayed and the read failed,
    // it would be ordered as a new parcel.
    if (edited !== null) {
      setEdited(null);
      state.clear();
    }
    wait(entry);
    readAgain();
    setSearch({ edit: parcel, copy: undefined, to: undefined });
  };

  const open = (entry: OrderEntry): void => {
    if (entry.parcel !== null) return read(entry, entry.parcel.id);
    const stored = storedEntry(entry.key);
    if (stored !== null && stored.edited !== null) {
      if (stored.state === 'sending' || stored.state === 'placed') return;
      return read(stored, stored.edited.id);
    }
    const taken = takeBack(entry.key);
    if (taken === null) return;
    keepTyped();
    leave();
    state.replace(taken.form);
    setRefusal(refusalOf(taken));
  };

  const refused = useRef(refusalOf);
  const kept = useRef(keepTyped);
  useLayoutEffect(() => {
    refused.current = refusalOf;
    kept.current = keepTyped;
  });

  /**
   * Called after a parcel was loaded into the form. Shows the reason why an edit of the parcel was
   * refused, or why its order failed.
   */
  const noteRefusal = useCallback(
    (returned: OrderEntry | null, express: Express) => {
      if (returned !== null) return setRefusal(refused.current(returned));
      if (express.state_code !== stateCode.failed) return;
      const words = reasonWords(express, language);
      const field = refusedField(words, express.state_reason?.code);
      if (words !== '') setRefusal({ words, errors: { [field]: words } });
    },
    [language],
  );
  return { open, noteRefusal, keepTyped: useCallback(() => kept.current(), []) };
};
