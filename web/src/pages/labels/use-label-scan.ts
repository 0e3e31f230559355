import { useCallback, useEffect, useRef, useState } from 'react';
import { unverifiedLabels } from '@waystation/contract/parcels/label-scan.ts';
import type { LabelParcel, UnverifiedLabel } from '@waystation/contract/parcels/label-scan.ts';
import { useCall } from '#base/query.ts';
import { playSound } from '#base/sounds.ts';
import type { Printable } from '#printing/printable.ts';
import type { Printing } from '#printing/printing.tsx';
import { findStep, isRunning, numberOf, printStep, verifyStep } from './steps.ts';
import type { Next, Step } from './steps.ts';

/** Polled: a printer reports a failure after the scan. */
const pollEvery = 5_000;

/**
 * Scan to label: a number prints its label, which then has to be scanned back before the next
 * number; the server remembers the label, so that a reload forgets none.
 */
export const useLabelScan = ({ printScanned }: Pick<Printing, 'printScanned'>) => {
  const [step, setStep] = useState<Step>({ kind: 'ready' });
  const [current, setCurrent] = useState<UnverifiedLabel | null>(null);
  const { data } = useCall(
    unverifiedLabels,
    {},
    { quiet: true, staleTime: 0, keep: true, refetchInterval: pollEvery },
  );
  const isBusy = useRef(false);
  const isRemembered = useRef(false);
  const remember = useCallback((label: UnverifiedLabel): void => {
    setCurrent(label);
    setStep({ kind: 'remembered', number: label.delivery_id });
  }, []);
  useEffect(() => {
    const [newest] = data?.items ?? [];
    if (!data || isRemembered.current) return;
    isRemembered.current = true;
    if (newest && !isBusy.current) remember(newest);
  }, [data, remember]);

  /** Runs one step at a time, so that no scan is taken for another. */
  const alone = async (started: Step, run: () => Promise<Next>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setStep(started);
    try {
      const next = await run();
      setStep(next.step);
      setCurrent(next.label);
    } finally {
      isBusy.current = false;
    }
  };
  const printNow = (row: Printable, reason?: string): Promise<Next> => {
    setStep({ kind: 'printing', number: numberOf(row) });
    return printStep(printScanned, row, reason);
  };
  const print = (row: Printable, reason?: string): void =>
    void alone({ kind: 'printing', number: numberOf(row) }, () => printNow(row, reason));
  const scan = (text: string): void => {
    const number = text.trim();
    if (number === '') return;
    if (isBusy.current) {
      playSound('refused');
      setStep((shown) => (isRunning(shown) ? { kind: 'busy', number } : shown));
      return;
    }
    if (current) return void alone({ kind: 'checking', number }, () => verifyStep(current, number));
    void alone({ kind: 'finding', number }, async () => {
      const found = await findStep(number);
      return 'step' in found ? found : printNow(found);
    });
  };
  const choose = (parcel: LabelParcel): void => {
    const { result } = parcel;
    if (result === 'print') return print(parcel);
    setStep({ kind: 'scanned', number: numberOf(parcel), result, parcels: [parcel] });
  };
  const leave = (): void => {
    setCurrent(null);
    setStep({ kind: 'ready' });
  };
  /** Labels that wait besides the current one. */
  const waiting = (data?.items ?? []).filter(({ id }) => id !== current?.id);
  return { step, current, waiting, scan, print, remember, leave, choose };
};
export type LabelScanning = ReturnType<typeof useLabelScan>;
