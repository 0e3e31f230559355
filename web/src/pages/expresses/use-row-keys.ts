import { expressStates } from '@waystation/contract/parcels/express-states.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { copyText } from '#ui/copy-text.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { isEditable, numberOf, printBlocked } from '#parcels/parcel-rules.ts';
import type { Printing } from '#printing/printing.tsx';

interface Options {
  printing: Printing;
  chosen: readonly ExpressRow[];
  /** True if all matching rows are selected, including the rows of other pages. */
  everything: boolean;
  onBulk: (action: 'print') => void;
}

/**
 * The actions of keys on parcels. If no selected parcel can be printed, a notice is shown and no
 * label is requested.
 */
const useKeyActions = (printing: Printing) => {
  const { t, language } = useTexts();
  return {
    edit: (row: ExpressRow): void => {
      if (isEditable(row)) openScreen('ExpressStore', { edit: row.id });
      else
        notify.warning(
          t('expresses.not_editable', { state: wordOf(expressStates, row.state_code, language) }),
        );
    },
    print: (rows: readonly ExpressRow[]): void => {
      const reasons = rows.map((row) => printBlocked(row, language));
      const [first = null] = reasons;
      if (first !== null && reasons.every((reason) => reason === first)) notify.warning(first);
      else printing.print(rows);
    },
    copy: (row: ExpressRow): void =>
      void copyText(numberOf(row), t('expresses.numbers_copied', { count: 1 })),
  };
};

/** Registers the keys that act on the current row of the list. */
export const useRowKeys = ({ printing, chosen, everything, onBulk }: Options) => {
  const { t } = useTexts();
  const { edit, print, copy } = useKeyActions(printing);
  return [
    {
      keys: 'p',
      label: t('common.act.print'),
      ofChosen: true,
      run: (row: ExpressRow) =>
        everything || chosen.length > 1
          ? onBulk('print')
          : print(chosen.length > 0 ? chosen : [row]),
    },
    { keys: 'e', label: t('common.act.edit'), run: edit },
    { keys: 'c', label: t('expresses.copy_number'), run: (row: ExpressRow) => copy(row) },
  ];
};

/**
 * Registers the same keys for the opened parcel, whatever rows are selected. No keys are registered
 * before the parcel has been loaded.
 */
export const useOpenedKeys = (printing: Printing, parcel: ExpressRow | undefined) => {
  const { t } = useTexts();
  const { edit, print, copy } = useKeyActions(printing);
  if (!parcel) return [];
  return [
    { keys: 'p', label: t('common.act.print'), run: () => print([parcel]) },
    { keys: 'e', label: t('common.act.edit'), run: () => edit(parcel) },
    { keys: 'c', label: t('expresses.copy_number'), run: () => copy(parcel) },
  ];
};
