import { useCallback, useEffect, useRef, useState } from 'react';
import { announce } from '#base/announce.ts';
import { useTexts } from '#base/texts.ts';
import type { Doubts } from '#parcels/orders/form.ts';

type Order = (print: boolean) => void;

/** An order that is pressed while a pasted text is still being read goes out with what was read, unless a part of it is in doubt. */
export const useAfterReading = (order: Order, doubts: Doubts): { order: Order; onReading: (reading: boolean) => void } => {
  const { t } = useTexts();
  const [reading, setReading] = useState(false);
  // Known to a key that is pressed before the form is drawn as reading.
  const now = useRef(false);
  const wanted = useRef<boolean | null>(null);
  const present = useRef({ order, doubts });
  useEffect(() => {
    present.current = { order, doubts };
  });
  // After the form is drawn as it was read.
  useEffect(() => {
    const print = wanted.current;
    if (reading || print === null) return;
    wanted.current = null;
    if (Object.keys(present.current.doubts).length > 0) announce(t('store.check'));
    else present.current.order(print);
  }, [reading, t]);
  return {
    order: useCallback((print) => {
      if (now.current) wanted.current = print;
      else present.current.order(print);
    }, []),
    onReading: useCallback((isReading: boolean) => {
      now.current = isReading;
      setReading(isReading);
    }, []),
  };
};
