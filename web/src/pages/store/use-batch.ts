import { useState } from 'react';
import { useDraft } from '#shell/session/drafts.ts';
import type { BatchRow } from './batch.ts';

const isRow = (value: unknown): value is BatchRow => {
  const { candidate, weight } = (value ?? {}) as Partial<BatchRow>;
  return (
    typeof weight === 'string' &&
    typeof candidate?.name === 'string' &&
    typeof candidate.confidence === 'object'
  );
};

/**
 * The pasted people whose parcels have not been ordered yet. They are stored like the form, so that
 * they survive a closed tab, a reload and a logout.
 */
export const useBatch = (): [readonly BatchRow[], (rows: readonly BatchRow[]) => void] => {
  const draft = useDraft<{ rows: readonly BatchRow[] }>('batch');
  const [rows, setRows] = useState<readonly BatchRow[]>(() => {
    const stored: unknown = draft.read()?.rows;
    return Array.isArray(stored) ? stored.filter(isRow) : [];
  });
  const change = (next: readonly BatchRow[]): void => {
    setRows(next);
    if (next.length === 0) draft.drop();
    else draft.write({ rows: next });
  };
  return [rows, change];
};
