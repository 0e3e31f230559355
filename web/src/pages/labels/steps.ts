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

/** The step that the screen shows. `number` is the scanned number to which the step belongs. */
export type Step =
  | { kind: 'ready' }
  | { kind: 'finding' | 'printing' | 'checking' | 'busy'; number: string }
  | {
      kind: 'scanned';
      number: string;
      result: LabelScanResult;
      parcels: readonly LabelParcel[];
      more: boolean;
    }
  /**
   * The label waits for its verification scan. It was either printed just now or remembered from an
   * earlier print.
   */
  | { kind: 'printed' | 'remembered'; number: string }
  /** The number was scanned to start the print, so it does not verify the label. */
  | { kind: 'own_code'; number: string }
  /** The label no longer waits for verification, although nobody scanned it. */
  | { kind: 'gone'; number: string }
  | { kind: 'verified'; number: string; answer: VerifyAnswer }
  | { kind: 'not_found' | 'not_printed' | 'not_verified'; number: string; reason: string };

export const isRunning = ({ kind }: Step): boolean =>
  ['finding', 'printing', 'checking'].includes(kind);
export const numberOf = ({
  delivery_id,
  order_id,
}: Omit<Printable, 'id' | 'print_count'>): string => delivery_id ?? order_id;
/**
 * The timeout of a request. It is short, so that a request without a response does not block the
 * scanner for long.
 */
const within = { timeout: 10_000 };
const wordsOf = (error: unknown): string => errorWords(error, currentLanguage());

/**
 * The step that follows a request. `label` is the label that then waits for its verification scan.
 */
export interface Next {
  step: Step;
  label: UnverifiedLabel | null;
}
export const refused = (step: Step, label: UnverifiedLabel | null = null): Next => {
  playSound('refused');
  return { step, label };
};

/**
 * Prints one label and reads the print record that then waits for verification. If the label was
 * not printed, the label `before` keeps waiting.
 */
export const printStep = async (
  printScanned: Printing['printScanned'],
  row: Printable,
  { reason, before }: { reason: string | undefined; before: UnverifiedLabel | null },
): Promise<Next> => {
  const number = numberOf(row);
  const { printed, failures } = await printScanned(row, reason);
  void refresh(unverifiedLabels);
  if (printed === 0)
    return refused({ kind: 'not_printed', number, reason: failures.join(' ') }, before);
  try {
    const { items } = await call(unverifiedLabels, {}, within);
    const label = items.find(({ express_id }) => express_id === row.id) ?? null;
    return { step: label ? { kind: 'printed', number } : { kind: 'ready' }, label };
  } catch (error) {
    return refused({ kind: 'not_verified', number, reason: wordsOf(error) });
  }
};

/**
 * The result of a scan: a parcel whose label is printed at once, a printed label that is now
 * verified, or a result to show.
 */
export type Found = { print: LabelParcel } | { verify: UnverifiedLabel } | Next;

/**
 * Asks the server to look up the scanned number. Used only if no label on the screen waits for
 * verification.
 */
export const findStep = async (number: string): Promise<Found> => {
  try {
    const { result, parcels, more, label } = await call(scanForLabel, { number }, within);
    const [only] = parcels;
    if (label) return { verify: label };
    if (result === 'print' && only) return { print: only };
    return refused({ kind: 'scanned', number, result, parcels, more: more === 1 });
  } catch (error) {
    return refused({ kind: 'not_found', number, reason: wordsOf(error) });
  }
};

/** Checks whether a scanned number belongs to the label that waits for verification. */
export const verifyStep = async (label: UnverifiedLabel, number: string): Promise<Next> => {
  try {
    const answer = await call(verifyLabel, { id: label.id, number }, within);
    void refresh(unverifiedLabels);
    const step: Step = { kind: 'verified', number, answer };
    if (answer.result === 'verified') {
      playSound(answer.later_copies > 0 ? 'refused' : 'done');
      return { step, label: null };
    }
    if (answer.result === 'cancelled') return refused(step);
    const left = { ...label, verified_packages: answer.verified_packages };
    if (answer.result !== 'package') return refused(step, left);
    playSound('scanned');
    return { step, label: left };
  } catch (error) {
    return refused({ kind: 'not_verified', number, reason: wordsOf(error) }, label);
  }
};
