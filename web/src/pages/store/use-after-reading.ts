import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '#base/announce.ts';
import { useTexts } from '#base/texts.ts';
import type { Doubts } from '#parcels/orders/form.ts';
import type { Arrival } from './use-copied-order.ts';

interface Options {
  order: (print: boolean) => void;
  keepDraft: () => void;
  doubts: Doubts;
  arrival: Arrival;
}

interface AfterReading {
  order: (print: boolean) => void;
  keepDraft: () => void;
  onReading: (reading: boolean) => void;
}

/**
 * Handles orders and drafts that the user sends while the form is still being filled. If a pasted
 * text is being recognized, they wait for the result; an order is sent only if no part of the
 * result is uncertain. If a parcel is being loaded, they wait for it; nothing is sent if the parcel
 * cannot be loaded.
 */
export const useAfterReading = (options: Options): AfterReading => {
  const { t } = useTexts();
  const [reading, setReading] = useState(false);
  // A key may be pressed after reading has begun and before the form is rendered again. The ref is
  // already true then, but the state is not.
  const now = useRef(false);
  const wanted = useRef<'order' | 'print' | 'draft' | null>(null);
  const present = useRef(options);
  useLayoutEffect(() => {
    present.current = options;
  });
  const { isComing, failures } = options.arrival;
  const run = useCallback((what: 'order' | 'print' | 'draft') => {
    if (what === 'draft') present.current.keepDraft();
    else present.current.order(what === 'print');
  }, []);
  const ask = useCallback(
    (what: 'order' | 'print' | 'draft') => {
      if (now.current || present.current.arrival.isComing) wanted.current = what;
      else run(what);
    },
    [run],
  );
  useEffect(() => {
    if (failures > 0) wanted.current = null;
  }, [failures]);
  // Runs after the form was rendered with the recognized text or the loaded parcel.
  useEffect(() => {
    const what = wanted.current;
    if (reading || isComing || what === null) return;
    wanted.current = null;
    if (what !== 'draft' && Object.keys(present.current.doubts).length > 0)
      announce(t('store.check'));
    else run(what);
  }, [reading, isComing, run, t]);
  return {
    order: useCallback((print) => ask(print ? 'print' : 'order'), [ask]),
    keepDraft: useCallback(() => ask('draft'), [ask]),
    onReading: useCallback((isReading: boolean) => {
      now.current = isReading;
      setReading(isReading);
    }, []),
  };
};
