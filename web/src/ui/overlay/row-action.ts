import type { ReactNode } from 'react';

/**
 * An action on a row. It looks the same in cells, menus, drawers and bars. A list contains only
 * actions that the user's role may use.
 */
export interface RowAction<R> {
  key: string;
  label: string;
  icon?: ReactNode;
  /** True if the action exists for this row. */
  visible?: (row: R) => boolean;
  /** Why the action is not possible in this row's present state; null if it is possible. */
  blocked?: (row: R) => string | null;
  danger?: boolean;
  run: (row: R) => void;
}

export const visibleActions = <R>(actions: readonly RowAction<R>[], row: R): RowAction<R>[] =>
  actions.filter((action) => action.visible?.(row) ?? true);
