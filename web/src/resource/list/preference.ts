import { useEffect, useRef, useState } from 'react';
import { readPreferences, writePreference } from '@waystation/contract/people/preferences.ts';
import { call } from '#base/call.ts';
import { setAnswer, useCall } from '#base/query.ts';

/**
 * Changes are sent after this number of milliseconds without a further change, because dragging
 * makes many changes.
 */
const settle = 600;

/**
 * A preference of this user. It is stored on the server under `name` for all of the user's devices.
 * The value null removes it.
 */
export const usePreference = (name: string): readonly [unknown, (value: unknown) => void] => {
  const { data } = useCall(
    readPreferences,
    {},
    { quiet: true, staleTime: Number.POSITIVE_INFINITY },
  );
  // A new choice is shown immediately. An earlier read that is still running does not undo it.
  const [chosen, setChosen] = useState<{ value: unknown } | null>(null);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; send: () => void } | null>(null);
  const sent = useRef<Promise<unknown>>(Promise.resolve());
  // If a change is not sent yet when the page closes, it is sent now.
  useEffect(
    () => () => {
      if (!waiting.current) return;
      clearTimeout(waiting.current.timer);
      waiting.current.send();
      waiting.current = null;
    },
    [],
  );
  const change = (value: unknown): void => {
    setChosen({ value });
    setAnswer(
      readPreferences,
      {},
      (known) => known && { values: { ...known.values, [name]: value } },
    );
    if (waiting.current) clearTimeout(waiting.current.timer);
    // The choice was made before the stored values were known, so it must not replace them.
    if (data === undefined) return;
    // A failed call is harmless. The choice applies while the page is open, and the next change
    // sends the whole choice again.
    const send = (): void => {
      waiting.current = null;
      // Sends the values one after another, so that the last value sent is the last value stored.
      sent.current = sent.current
        .then(() => call(writePreference, { name, value }))
        .catch(() => null);
    };
    waiting.current = { timer: setTimeout(send, settle), send };
  };
  return [chosen ? chosen.value : data?.values[name], change];
};
