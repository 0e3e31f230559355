import { MoreOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { Icon } from '#ui/icon.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { useRowTab } from '#ui/row-tab.ts';
import styles from './list.module.css';

interface Props<R> {
  row: R;
  /** The name of the row for screen readers. */
  name: string;
  actions: readonly RowAction<R>[];
}

const inline = 2;

/** The cell with the actions on a row. Two actions are buttons, and the others are in a menu. */
export const RowActions = <R,>({ row, name, actions }: Props<R>) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  const more = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const usable = visibleActions(actions, row);
  const shown = usable
    .filter((action) => !action.danger && !action.blocked?.(row))
    .slice(0, usable.length > inline ? inline : usable.length);
  const rest = usable.filter((action) => !shown.includes(action));
  return (
    <span className={styles['row']}>
      {shown.map((action) => (
        <button
          key={action.key}
          type="button"
          tabIndex={tabIndex}
          onClick={() => action.run(row)}
          aria-label={`${action.label} ${name}`}
        >
          {action.label}
        </button>
      ))}
      {rest.length > 0 && (
        <button
          ref={more}
          type="button"
          tabIndex={tabIndex}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          aria-label={t('lists.more_for', { name })}
          onClick={() => setAnchor(more.current)}
        >
          <Icon of={MoreOutlined} />
        </button>
      )}
      {anchor && (
        <ActionMenu
          anchor={anchor}
          row={row}
          actions={rest}
          label={t('lists.more_for', { name })}
          onClose={() => setAnchor(null)}
        />
      )}
    </span>
  );
};
