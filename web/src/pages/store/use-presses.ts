import { useEffect, useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import type { Coverages } from './use-coverage.ts';

export interface Press {
  print: boolean;
  /** True to order for the people of the pasted list instead of the form's receiver. */
  list: boolean;
}

interface Options {
  /**
   * The form and the list as one text. An order is sent only if this text is still the same as when
   * the user pressed the button or key.
   */
  content: string;
  /** True while the prices of the list are being requested. */
  isPricing: boolean;
  coverages: Coverages;
  /**
   * Requests new pickup windows if the known windows are too old. Returns null if they are still
   * current.
   */
  askIfOld: () => Promise<Coverages> | null;
  order: (press: Press, answers: Coverages) => void;
  /** Shows why nothing was ordered. */
  say: (words: string) => void;
}

/**
 * Orders when a button or key is pressed. If prices or pickup windows are still missing, it orders
 * when they arrive; until then `waiting` names them. If the form or the list has changed in the
 * meantime, nothing is ordered.
 */
export const usePresses = (
  options: Options,
): { press: (press: Press) => void; waiting: string | null } => {
  const { content, isPricing, coverages, askIfOld, order, say } = options;
  const { t } = useTexts();
  const [held, setHeld] = useState<(Press & { content: string }) | null>(null);
  const [isAsked, setAsked] = useState(false);
  const isAsking = useRef(false);
  const run = useSteady((press: Press, pressed: string, answers: Coverages): void =>
    pressed === content ? order(press, answers) : say(t('store.press_changed')),
  );
  useEffect(() => {
    if (held === null || isPricing) return;
    setHeld(null);
    run(held, held.content, coverages);
  }, [held, isPricing, coverages, run]);
  const onPress = (press: Press): void => {
    if (isAsking.current || held !== null) return;
    if (press.list && isPricing) {
      return setHeld({ ...press, content });
    }
    const asked = askIfOld();
    if (asked === null) return order(press, coverages);
    isAsking.current = true;
    setAsked(true);
    void asked.then((answers) => {
      isAsking.current = false;
      setAsked(false);
      run(press, content, answers);
    });
  };
  const waiting =
    held !== null ? t('store.batch.pricing') : isAsked ? t('store.pickup_asking') : null;
  return { press: onPress, waiting };
};
