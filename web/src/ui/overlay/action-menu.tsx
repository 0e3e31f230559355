import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { Popup } from './popup.tsx';
import styles from './popup.module.css';
import { visibleActions } from './row-action.ts';
import type { RowAction } from './row-action.ts';

interface Props<R> {
  anchor: HTMLElement | null;
  row: R;
  actions: readonly RowAction<R>[];
  label: string;
  onClose: () => void;
}

const step: Partial<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** The rest of a row's actions, the dangerous ones last. What the state forbids says why instead of doing it. */
export const ActionMenu = <R,>({ anchor, row, actions, label, onClose }: Props<R>) => {
  const list = useRef<HTMLDivElement>(null);
  const shown = visibleActions(actions, row);
  const ordered = [...shown.filter((action) => !action.danger), ...shown.filter((action) => action.danger)];
  const firstDanger = ordered.findIndex((action) => action.danger);
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
    return () => anchor?.focus({ preventScroll: true });
  }, [anchor]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') {
      event.preventDefault();
      onClose();
      return;
    }
    const items = [...list.current!.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const next = step[event.key]?.(items.indexOf(document.activeElement as HTMLElement), items.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    items[next]?.focus();
  };
  return (
    <Popup anchor={anchor} align="end" onClose={onClose}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the items take the focus */}
      <div ref={list} className={styles['menu']} role="menu" aria-label={label} onKeyDown={onKeyDown}>
        {ordered.map((action, index) => {
          const why = action.blocked?.(row) ?? null;
          return (
            <div key={action.key} role="none">
              {index === firstDanger && index > 0 && <div className={styles['divider']} role="separator" />}
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={styles['item']}
                data-danger={(action.danger && why === null) || undefined}
                aria-disabled={why !== null || undefined}
                onClick={() => {
                  if (why !== null) return;
                  onClose();
                  action.run(row);
                }}
              >
                <span className={styles['icon']} aria-hidden>
                  {action.icon}
                </span>
                <span>{action.label}</span>
                {why !== null && <span className={styles['why']}>{why}</span>}
              </button>
            </div>
          );
        })}
      </div>
    </Popup>
  );
};
