import { Button } from '#ui/button.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';

/**
 * The actions on a row, as buttons at the foot of its drawer. The first button has the primary
 * style.
 */
export const DrawerActions = <R,>({
  row,
  actions,
}: {
  row: R;
  actions: readonly RowAction<R>[];
}) => (
  <>
    {visibleActions(actions, row).map(({ key, label, danger, run }, index) => (
      <Button
        key={key}
        type={index === 0 && !danger ? 'primary' : 'default'}
        danger={danger === true}
        onClick={() => run(row)}
      >
        {label}
      </Button>
    ))}
  </>
);
