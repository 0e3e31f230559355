import { Menu } from './menu.tsx';
import type { MenuItem } from './menu-props.ts';
import { visibleActions } from './row-action.ts';
import type { RowAction } from './row-action.ts';

interface Props<R> {
  anchor: HTMLElement | null;
  row: R;
  actions: readonly RowAction<R>[];
  label: string;
  onClose: () => void;
}

/**
 * A menu with the further actions of a row. Dangerous actions are last in the menu. If the row's
 * state does not allow an action, the action shows the reason and does not run.
 */
export const ActionMenu = <R,>({ anchor, row, actions, label, onClose }: Props<R>) => {
  if (anchor === null) return null;
  const items = visibleActions(actions, row).map((action): MenuItem => {
    const why = action.blocked?.(row) ?? null;
    return {
      key: action.key,
      label: action.label,
      icon: action.icon,
      danger: action.danger === true,
      disabled: why !== null,
      why,
      run: () => action.run(row),
    };
  });
  const groups = [
    items.filter(({ danger }) => !danger),
    items.filter(({ danger }) => danger),
  ].filter((group) => group.length > 0);
  return <Menu anchor={anchor} label={label} groups={groups} onClose={onClose} />;
};
