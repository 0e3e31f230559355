import type { ExpressRow } from '@waystation/contract/express.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { numberOf, printBlocked } from '#parcels/parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';

/** Keys of the row under the cursor. What none of the parcels can be printed for is said instead of asked in vain. */
export const useRowKeys = (printing: Printing, chosen: readonly ExpressRow[]) => {
  const { t, language } = useTexts();
  const print = (rows: readonly ExpressRow[]): void => {
    const reasons = rows.map((row) => printBlocked(row, language));
    const [first = null] = reasons;
    if (first !== null && reasons.every((reason) => reason === first)) notify.warning(first);
    else printing.print(rows);
  };
  return [
    { keys: 'p', label: t('common.act.print'), run: (row: ExpressRow) => print(chosen.length > 0 ? chosen : [row]) },
    { keys: 'c', label: t('expresses.copy_number'), run: (row: ExpressRow) => void navigator.clipboard.writeText(numberOf(row)) },
  ];
};
