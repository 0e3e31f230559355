import type { ReactNode } from 'react';

/** Something that can be done with a row, shown alike in cells, menus, drawers and bars. What the role may not do is left out of the list. */
export interface RowAction<R> {
  key: string;
  label: string;
  icon?: ReactNode;
  /** Whether it makes sense for this row at all. */
  visible?: (row: R) => boolean;
  /** Why this row's state forbids it now; null: it can be done. */
  blocked?: (row: R) => string | null;
  danger?: boolean;
  run: (row: R) => void;
}

export const visibleActions = <R>(actions: readonly RowAction<R>[], row: R): RowAction<R>[] => actions.filter((action) => action.visible?.(row) ?? true);
