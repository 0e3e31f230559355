import { expressStates } from '@waystation/contract/express-states.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { isEditable, numberOf, printBlocked } from '#parcels/parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';

interface Options {
  printing: Printing;
  chosen: readonly ExpressRow[];
  /** All that match are chosen, on other pages too. */
  everything: boolean;
  onBulk: (action: 'print') => void;
}

/** Keys of the row under the cursor. What none of the parcels can be printed for is said instead of asked in vain. */
export const useRowKeys = ({ printing, chosen, everything, onBulk }: Options) => {
  const { t, language } = useTexts();
  const edit = (row: ExpressRow): void => {
    if (isEditable(row)) openScreen('ExpressStore', { edit: row.id });
    else notify.warning(t('expresses.not_editable', { state: expressStates[row.state_code][language] }));
  };
  const print = (rows: readonly ExpressRow[]): void => {
    const reasons = rows.map((row) => printBlocked(row, language));
    const [first = null] = reasons;
    if (first !== null && reasons.every((reason) => reason === first)) notify.warning(first);
    else printing.print(rows);
  };
  const copy = async (row: ExpressRow): Promise<void> => {
    try {
      await navigator.clipboard.writeText(numberOf(row));
      notify.success(t('expresses.numbers_copied', { count: 1 }));
    } catch {
      notify.warning(t('shell.copy_failed'));
    }
  };
  return [
    {
      keys: 'p',
      label: t('common.act.print'),
      ofChosen: true,
      run: (row: ExpressRow) => (everything || chosen.length > 1 ? onBulk('print') : print(chosen.length > 0 ? chosen : [row])),
    },
    { keys: 'e', label: t('common.act.edit'), run: edit },
    { keys: 'c', label: t('expresses.copy_number'), run: (row: ExpressRow) => void copy(row) },
  ];
};
