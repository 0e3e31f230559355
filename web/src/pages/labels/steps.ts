import {
  scanForLabel,
  unverifiedLabels,
  verifyLabel,
} from '@waystation/contract/parcels/label-scan.ts';
import type {
  LabelParcel,
  LabelScanResult,
  UnverifiedLabel,
  VerifyAnswer,
} from '@waystation/contract/parcels/label-scan.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { currentLanguage } from '#base/language.ts';
import { refresh } from '#base/query.ts';
import { playSound } from '#base/sounds.ts';
import type { Printable } from '#printing/printable.ts';
import type { Printing } from '#printing/printing.tsx';

/** The shown step; `number` is the number that it is about. */
export type Step =
  | { kind: 'ready' }
  | { kind: 'finding' | 'printing' | 'checking' | 'busy'; number: string }
  | { kind: 'scanned'; number: string; result: LabelScanResult; parcels: readonly LabelParcel[] }
  /** A label waits: it was just printed, or remembered from before. */
  | { kind: 'printed' | 'remembered'; number: string }
  | { kind: 'verified'; number: string; answer: VerifyAnswer }
  | { kind: 'not_found' | 'not_printed' | 'not_verified'; number: string; reason: string };

export const isRunning = ({ kind }: Step): boolean =>
  ['finding', 'printing', 'checking'].includes(kind);
export const numberOf = ({
  delivery_id,
  order_id,
}: Omit<Printable, 'id' | 'print_count'>): string => delivery_id ?? order_id;
const wordsOf = (error: unknown): string => errorWords(error, currentLanguage());

/** The step after a call, and the label that waits from then on. */
export interface Next {
  step: Step;
  label: UnverifiedLabel | null;
}
const refused = (step: Step, label: UnverifiedLabel | null = null): Next => {
  playSound('refused');
  return { step, label };
};

/** Prints one label, and reads which record waits for it. */
export const printStep = async (
  printScanned: Printing['printScanned'],
  row: Printable,
  reason?: string,
): Promise<Next> => {
  const number = numberOf(row);
  const { printed, failures } = await printScanned(row, reason);
  void refresh(unverifiedLabels);
  if (printed === 0) return refused({ kind: 'not_printed', number, reason: failures.join(' ') });
  try {
    const { items } = await call(unverifiedLabels, {});
    const label = items.find(({ express_id }) => express_id === row.id) ?? null;
    return { step: label ? { kind: 'printed', number } : { kind: 'ready' }, label };
  } catch (error) {
    return refused({ kind: 'not_verified', number, reason: wordsOf(error) });
  }
};

/** The parcel that a number means if its label is printed at once, else what is shown. */
export const findStep = async (number: string): Promise<LabelParcel | Next> => {
  try {
    const { result, parcels } = await call(scanForLabel, { number });
    const [only] = parcels;
    if (result === 'print' && only) return only;
    return refused({ kind: 'scanned', number, result, parcels });
  } catch (error) {
    return refused({ kind: 'not_found', number, reason: wordsOf(error) });
  }
};

/** Compares a number with the waiting label. */
export const verifyStep = async (label: UnverifiedLabel, number: string): Promise<Next> => {
  try {
    const answer = await call(verifyLabel, { id: label.id, number });
    void refresh(unverifiedLabels);
    const step: Step = { kind: 'verified', number, answer };
    if (answer.result === 'verified') {
      playSound('done');
      return { step, label: null };
    }
    const left = { ...label, verified_packages: answer.verified_packages };
    if (answer.result !== 'package') return refused(step, left);
    playSound('scanned');
    return { step, label: left };
  } catch (error) {
    return refused({ kind: 'not_verified', number, reason: wordsOf(error) }, label);
  }
};
