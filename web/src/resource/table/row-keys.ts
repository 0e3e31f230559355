import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import type { Selection } from './selection.ts';

/** A shortcut that acts on the current row. */
export interface RowKey<R> {
  keys: string;
  label: string;
  run: (row: R) => void;
  /**
   * True if the key acts on the selected rows when there are any, even if there is no current row.
   */
  ofChosen?: boolean;
}

interface RowKeysOptions<R> {
  /** The index of the keyboard's current row; −1 if there is none. */
  at: number;
  rows: readonly R[];
  moveTo: (index: number) => void;
  /** The selected rows; null if rows cannot be selected. */
  selection: Selection<R> | null;
  keys: readonly RowKey<R>[];
}

/**
 * The shortcuts of a list: j, k, x, Shift+x, Ctrl+A, and shortcuts that the page adds. They work
 * while the page is shown.
 */
export const useRowKeys = <R extends { id: number }>({
  at,
  rows,
  moveTo,
  selection,
  keys,
}: RowKeysOptions<R>): void => {
  const { t } = useTexts();
  const row = rows[at];
  const allChosen = rows.length > 0 && rows.every(({ id }) => selection?.rows.has(id));
  const choose = (range: boolean): void => {
    if (!selection) return;
    if (!row) moveTo(0);
    else if (range) selection.range(rows, row);
    else selection.toggle(row);
  };
  const run = (key: RowKey<R>): void => {
    const [first] = rows;
    const acted = row ?? (key.ofChosen && selection && selection.rows.size > 0 ? first : undefined);
    if (acted) key.run(acted);
    else moveTo(0);
  };
  useShortcuts([
    { keys: 'j', label: t('common.key_next_row'), run: () => moveTo(at + 1) },
    { keys: 'k', label: t('common.key_previous_row'), run: () => moveTo(at - 1) },
    ...(selection
      ? [
          { keys: 'x', label: t('common.key_select_row'), run: () => choose(false) },
          { keys: 'shift+x', label: t('common.key_select_range'), run: () => choose(true) },
          {
            keys: 'mod+a',
            label: t('common.key_select_page'),
            run: () => selection.page(rows, !allChosen),
          },
        ]
      : []),
    // A repeated key is ignored. Otherwise a key that is held down would act on one row after
    // another.
    ...keys.map((key) => ({ keys: key.keys, label: key.label, once: true, run: () => run(key) })),
  ]);
};
