import { errorWords } from '#base/api-error.ts';
import { currentLanguage } from '#base/language.ts';
import type { Printable } from './printable.ts';
import type { Workstation } from './workstation.ts';

/** A label that was not printed, with the reason. */
export interface Unprinted {
  id: number;
  words: string;
  /**
   * True if the printer failed and another attempt may succeed. False if the parcel has no label.
   */
  retry: boolean;
}

/** The result of sending several labels to a printer of this computer. */
export interface Outcome {
  printed: number;
  unprinted: Unprinted[];
  /** The labels that were not sent after the printer or the user stopped. */
  unsent: readonly Printable[];
}

export interface Batch {
  rows: readonly Printable[];
  workstation: Workstation;
  reason?: string | undefined;
  /** Set if a scan started the print. The printed label must then be scanned for verification. */
  verify?: 1 | undefined;
  /** Called after each label, with the labels that remain. */
  onProgress: (left: readonly Printable[]) => void;
  signal: AbortSignal;
}

/**
 * Prints the rows in portions, one after another. `portion` returns true if the next portion may
 * follow. If nothing was sent before an error, the error is thrown. A later error is recorded for
 * the rows of its portion, and earlier prints are kept.
 */
export const inPortions = async (
  batch: Batch,
  size: number,
  portion: (rows: readonly Printable[], outcome: Outcome, left: Set<number>) => Promise<boolean>,
): Promise<Outcome> => {
  const outcome: Outcome = { printed: 0, unprinted: [], unsent: [] };
  const left = new Set(batch.rows.map(({ id }) => id));
  const attempt = async (from: number): Promise<boolean> => {
    const rows = batch.rows.slice(from, from + size);
    try {
      return await portion(rows, outcome, left);
    } catch (error) {
      if (from === 0) throw error;
      const words = errorWords(error, currentLanguage());
      for (const { id } of rows)
        if (left.delete(id)) outcome.unprinted.push({ id, words, retry: true });
      return false;
    }
  };
  for (let from = 0; from < batch.rows.length && !batch.signal.aborted; from += size)
    if (!(await attempt(from))) break;
  outcome.unsent = batch.rows.filter(({ id }) => left.has(id));
  return outcome;
};
