import { errorWords } from '#base/api-error.ts';
import { currentLanguage } from '#base/language.ts';
import type { Printable } from './printable.ts';
import type { Workstation } from './workstation.ts';

/** A label that did not come out, and why. */
export interface Unprinted {
  id: number;
  words: string;
  /** The printer failed: another try may do. Else the parcel has no label. */
  retry: boolean;
}

/** What became of labels that were sent to a printer of this workstation, one after the other. */
export interface Outcome {
  printed: number;
  unprinted: Unprinted[];
  /** Behind the label at which the printer or the person stopped. */
  unsent: readonly Printable[];
}

export interface Batch {
  rows: readonly Printable[];
  workstation: Workstation;
  reason?: string | undefined;
  /** Called after each label with what is left. */
  onProgress: (left: readonly Printable[]) => void;
  signal: AbortSignal;
}

/**
 * Prints the rows in portions, one after the other; a portion answers whether the next may follow. What fails before anything was sent is thrown; later
 * it names the rows of its portion, and what was printed before is kept.
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
      for (const { id } of rows) if (left.delete(id)) outcome.unprinted.push({ id, words, retry: true });
      return false;
    }
  };
  for (let from = 0; from < batch.rows.length && !batch.signal.aborted; from += size) if (!(await attempt(from))) break;
  outcome.unsent = batch.rows.filter(({ id }) => left.has(id));
  return outcome;
};
