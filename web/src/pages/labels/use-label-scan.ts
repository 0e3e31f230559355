import { useCallback, useEffect, useRef, useState } from 'react';
import { mostUnverifiedLabels } from '@waystation/contract/base/limits.ts';
import { unverifiedLabels } from '@waystation/contract/parcels/label-scan.ts';
import type { LabelParcel, UnverifiedLabel } from '@waystation/contract/parcels/label-scan.ts';
import { hasPackageNumbers } from '@waystation/contract/parcels/waybill-number.ts';
import { useCall } from '#base/query.ts';
import { playSound } from '#base/sounds.ts';
import type { Printable } from '#printing/printable.ts';
import type { Printing } from '#printing/printing.tsx';
import { findStep, isRunning, numberOf, printStep, refused, verifyStep } from './steps.ts';
import type { Next, Step } from './steps.ts';

/**
 * The interval of the requests in milliseconds. They are repeated because a printer may report a
 * failure only after the label was scanned.
 */
const pollEvery = 5_000;
/**
 * For this many milliseconds after a print has started, a repeated scan of the same code does not
 * verify the label.
 */
const repeatMs = 3_000;

/**
 * Remembers which scan started each print. If the same code is scanned again shortly afterwards,
 * the scan may still be of the order and not of the label.
 */
const useStarts = () => {
  const codes = useRef(new Map<number, string>());
  const last = useRef({ code: '', at: 0 });
  const codeOf = (number: string): string => number.toUpperCase();
  return {
    note: (express_id: number, number: string): void => {
      codes.current.set(express_id, codeOf(number));
    },
    ended: (number: string): void => {
      last.current = { code: codeOf(number), at: Date.now() };
    },
    isRepeated: (number: string): boolean =>
      last.current.code === codeOf(number) && Date.now() - last.current.at < repeatMs,
    /** True if this package number is the number whose scan started the print of the label. */
    isOwn: ({ express_id }: UnverifiedLabel, number: string): boolean =>
      hasPackageNumbers(number) && codes.current.get(express_id) === codeOf(number),
  };
};

/**
 * The labels that wait for their verification scan. If the current label no longer waits on the
 * server, the screen drops the label.
 */
const useWaiting = (
  current: UnverifiedLabel | null,
  isBusy: { current: boolean },
  onGone: (label: UnverifiedLabel) => void,
): readonly UnverifiedLabel[] | undefined => {
  const { data, dataUpdatedAt } = useCall(
    unverifiedLabels,
    {},
    { quiet: true, staleTime: 0, keep: true, refetchInterval: pollEvery },
  );
  const watched = useRef({ id: 0, at: 0, answers: 0 });
  useEffect(() => {
    if (!current || !data) return;
    const { id, at, answers } = watched.current;
    if (id !== current.id) watched.current = { id: current.id, at: dataUpdatedAt, answers: 0 };
    if (id !== current.id || at === dataUpdatedAt) return;
    watched.current = { id, at: dataUpdatedAt, answers: answers + 1 };
    // The first response may be older than the label, so it is ignored.
    if (answers < 1 || isBusy.current || data.items.length >= mostUnverifiedLabels) return;
    if (data.items.some((label) => label.id === id)) return;
    onGone(current);
  }, [current, data, dataUpdatedAt, isBusy, onGone]);
  return data?.items;
};

/**
 * Shows the newest label that waits for verification. This happens only once, when the page opens.
 */
const useRemembered = (
  items: readonly UnverifiedLabel[] | undefined,
  isBusy: { current: boolean },
  remember: (label: UnverifiedLabel) => void,
): void => {
  const isRemembered = useRef(false);
  useEffect(() => {
    const [newest] = items ?? [];
    if (!items || isRemembered.current) return;
    isRemembered.current = true;
    if (newest && !isBusy.current) remember(newest);
  }, [items, isBusy, remember]);
};

/** Runs one step at a time, so that the results of two scans are never mixed up. */
const useAlone = (
  setStep: (step: Step) => void,
  setCurrent: (label: UnverifiedLabel | null) => void,
) => {
  const [running, setRunning] = useState(false);
  const isBusy = useRef(false);
  const alone = async (started: Step, run: () => Promise<Next>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setStep(started);
    try {
      const next = await run();
      setStep(next.step);
      setCurrent(next.label);
    } finally {
      isBusy.current = false;
      setRunning(false);
    }
  };
  return { running, isBusy, alone };
};

/**
 * Handles the scans of the label page. A scanned number prints the label of its parcel. Before the
 * next number, the printed label must be scanned for verification. The server remembers the label,
 * so that a reload does not lose it.
 */
export const useLabelScan = ({ printScanned }: Pick<Printing, 'printScanned'>) => {
  const [step, setStep] = useState<Step>({ kind: 'ready' });
  const [current, setCurrent] = useState<UnverifiedLabel | null>(null);
  const { running, isBusy, alone } = useAlone(setStep, setCurrent);
  const starts = useStarts();
  const onGone = useCallback((label: UnverifiedLabel): void => {
    playSound('refused');
    setCurrent(null);
    setStep({ kind: 'gone', number: label.delivery_id });
  }, []);
  const items = useWaiting(current, isBusy, onGone);
  const remember = useCallback((label: UnverifiedLabel): void => {
    setCurrent(label);
    setStep({ kind: 'remembered', number: label.delivery_id });
  }, []);
  useRemembered(items, isBusy, remember);

  /**
   * Prints a label. `code` is the scanned text that caused the print, or null if a button was
   * pressed.
   */
  const printNow = async (row: Printable, code: string | null, reason?: string): Promise<Next> => {
    setStep({ kind: 'printing', number: numberOf(row) });
    if (code !== null) starts.note(row.id, code);
    const next = await printStep(printScanned, row, { reason, before: current });
    if (code !== null) starts.ended(code);
    return next;
  };
  const print = (row: Printable, reason?: string): void => {
    const code = step.kind === 'scanned' ? step.number : null;
    void alone({ kind: 'printing', number: numberOf(row) }, () => printNow(row, code, reason));
  };
  const verify = async (label: UnverifiedLabel, number: string): Promise<Next> =>
    starts.isOwn(label, number)
      ? refused({ kind: 'own_code', number }, label)
      : verifyStep(label, number);
  const scan = (text: string): void => {
    const number = text.trim();
    if (number === '') return;
    const isOwn = current !== null && starts.isOwn(current, number);
    // Only the order's waybill number is doubtful, because it may have been scanned from the order
    // and not from the label. Any other number is refused anyway.
    const isDoubtful = current === null || number.toUpperCase() === current.delivery_id;
    if (isBusy.current || (!isOwn && isDoubtful && starts.isRepeated(number))) {
      playSound('refused');
      setStep((shown) => (isRunning(shown) || !isBusy.current ? { kind: 'busy', number } : shown));
      return;
    }
    if (current) return void alone({ kind: 'checking', number }, () => verify(current, number));
    void alone({ kind: 'finding', number }, async () => {
      const found = await findStep(number);
      if ('step' in found) return found;
      return 'verify' in found ? verify(found.verify, number) : printNow(found.print, number);
    });
  };
  const choose = (parcel: LabelParcel): void => {
    const { result } = parcel;
    if (result === 'print') return print(parcel);
    const number = step.kind === 'scanned' ? step.number : numberOf(parcel);
    setStep({ kind: 'scanned', number, result, parcels: [parcel], more: false });
  };
  const leave = (): void => {
    setCurrent(null);
    setStep({ kind: 'ready' });
  };
  /** The labels that wait for verification, without the current label. */
  const waiting = (items ?? []).filter(({ id }) => id !== current?.id);
  return { step, current, waiting, running, scan, print, remember, leave, choose };
};
export type LabelScanning = ReturnType<typeof useLabelScan>;
