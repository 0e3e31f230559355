import { useEffect, useRef, useState } from 'react';
import { readPreferences, writePreference } from '@waystation/contract/preferences.ts';
import { call } from '#base/call.ts';
import { setAnswer, useCall } from '#base/query.ts';

/** Milliseconds of quiet before a change is sent: a drag changes often. */
const settle = 600;

/** Something this user set up, kept on the server under `name`, so that it follows them. Null forgets it. */
export const usePreference = (name: string): readonly [unknown, (value: unknown) => void] => {
  const { data } = useCall(readPreferences, {}, { quiet: true, staleTime: Number.POSITIVE_INFINITY });
  // What was just chosen shows at once, and no reading that is still on its way undoes it.
  const [chosen, setChosen] = useState<{ value: unknown } | null>(null);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; send: () => void } | null>(null);
  const sent = useRef<Promise<unknown>>(Promise.resolve());
  // What waits is sent before the page goes.
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
    setAnswer(readPreferences, {}, (known) => known && { values: { ...known.values, [name]: value } });
    if (waiting.current) clearTimeout(waiting.current.timer);
    // What is kept could not be read yet: this was made without it, and must not take its place.
    if (data === undefined) return;
    // A failure costs nothing here: what was chosen holds as long as the page, and the next change sends it whole.
    const send = (): void => {
      waiting.current = null;
      // One after another: the last one sent is the last one kept.
      sent.current = sent.current.then(() => call(writePreference, { name, value })).catch(() => null);
    };
    waiting.current = { timer: setTimeout(send, settle), send };
  };
  return [chosen ? chosen.value : data?.values[name], change];
};
