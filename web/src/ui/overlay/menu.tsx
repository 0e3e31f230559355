import { useEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Popup } from './popup.tsx';
import styles from './popup.module.css';

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  run: () => void;
}

interface Props {
  anchor: HTMLElement;
  label: string;
  /** Words over the items that are no choice themselves. */
  head?: ReactNode;
  /** In groups, with a line between them. */
  groups: readonly (readonly MenuItem[])[];
  align?: 'start' | 'end';
  onClose: () => void;
}

const step: Partial<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** A menu that hangs on a button: arrows walk it, Escape and Tab close it, the focus goes back to where it came from. */
export const Menu = ({ anchor, label, head, groups, align = 'end', onClose }: Props) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
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
    <Popup anchor={anchor} align={align} onClose={onClose}>
      {head}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the items take the focus */}
      <div ref={list} className={styles['menu']} role="menu" aria-label={label} onKeyDown={onKeyDown}>
        {groups.map((items, at) => (
          <div key={items[0]?.key ?? at} role="none">
            {at > 0 && <div className={styles['divider']} role="separator" />}
            {items.map(({ key, label: words, icon, disabled, run }) => (
              <button
                key={key}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={styles['item']}
                aria-disabled={disabled || undefined}
                onClick={() => {
                  if (disabled) return;
                  onClose();
                  run();
                }}
              >
                <span className={styles['icon']} aria-hidden>
                  {icon}
                </span>
                <span>{words}</span>
              </button>
            ))}
          </div>
        ))}
      </div>
    </Popup>
  );
};
