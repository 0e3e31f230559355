import { useEffect, useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { useSteady } from '#base/use-steady.ts';
import type { Coverages } from './use-coverage.ts';

export interface Press {
  print: boolean;
  /** The people of the list are ordered, not the form's. */
  list: boolean;
}

interface Options {
  /** Form and list as text: a press counts for what it was made for. */
  content: string;
  /** Prices of the list are being read. */
  isPricing: boolean;
  coverages: Coverages;
  /** Asks for present pickup windows; null: those known are not old. */
  askIfOld: () => Promise<Coverages> | null;
  order: (press: Press, answers: Coverages) => void;
  /** Says why nothing is ordered, or not yet. */
  say: (words: string) => void;
}

/**
 * Orders at a press, or as soon as prices or pickup windows have arrived, which the page says
 * meanwhile. Nothing is ordered if form or list have changed until then.
 */
export const usePresses = (options: Options): ((press: Press) => void) => {
  const { content, isPricing, coverages, askIfOld, order, say } = options;
  const { t } = useTexts();
  const [held, setHeld] = useState<(Press & { content: string }) | null>(null);
  const isAsking = useRef(false);
  const run = useSteady((press: Press, pressed: string, answers: Coverages): void =>
    pressed === content ? order(press, answers) : say(t('store.press_changed')),
  );
  useEffect(() => {
    if (held === null || isPricing) return;
    setHeld(null);
    run(held, held.content, coverages);
  }, [held, isPricing, coverages, run]);
  return (press) => {
    if (isAsking.current || held !== null) return;
    if (press.list && isPricing) {
      setHeld({ ...press, content });
      return say(t('store.batch.pricing'));
    }
    const asked = askIfOld();
    if (asked === null) return order(press, coverages);
    isAsking.current = true;
    say(t('store.pickup_asking'));
    void asked.then((answers) => {
      isAsking.current = false;
      run(press, content, answers);
    });
  };
};
