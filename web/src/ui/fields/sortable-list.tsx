import { HolderOutlined } from '@ant-design/icons-svg';
import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { announce } from '#base/announce.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import styles from './sortable-list.module.css';

interface Props<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string | number;
  nameOf: (item: T) => string;
  onMove: (from: number, to: number) => void;
  /** Draws the content of an item beside its handle. */
  children: (item: T, index: number) => ReactNode;
}

/**
 * A list that a user can reorder. The handle of an item is dragged or moved by the arrow keys. Home
 * and End move the item to the ends.
 */
export const SortableList = <T,>({ label, items, keyOf, nameOf, onMove, children }: Props<T>) => {
  const { t } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  const moving = useRef<string | number | null>(null);
  const [held, setHeld] = useState<string | number | null>(null);
  const move = (from: number, to: number): void => {
    if (to === from || to < 0 || to >= items.length) return;
    onMove(from, to);
    announce(t('lists.moved_to', { name: nameOf(items[from]!), at: to + 1, count: items.length }));
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: items.length - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    moving.current = keyOf(items[index]!);
    move(index, to);
  };
  // An element loses the focus when it is moved within the document. It gets the focus again before
  // the next key is read.
  useLayoutEffect(() => {
    if (moving.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-handle="${moving.current}"]`)?.focus();
    moving.current = null;
  }, [items]);
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>): void => {
    if (held === null) return;
    const from = items.findIndex((item) => keyOf(item) === held);
    const rows = [...(list.current?.children ?? [])];
    const to = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return event.clientY >= top && event.clientY < bottom;
    });
    if (from < 0 || to < 0 || to === from) return;
    // A row is moved only if the pointer is past the middle of the other row. Otherwise two rows of
    // different heights would change places again and again.
    const { top, height } = rows[to]!.getBoundingClientRect();
    if (to > from ? event.clientY > top + height / 2 : event.clientY < top + height / 2)
      move(from, to);
  };
  return (
    <ul ref={list} className={styles['list']} aria-label={label}>
      {items.map((item, index) => {
        const key = keyOf(item);
        return (
          <li key={key} className={styles['item']} data-held={held === key || undefined}>
            <button
              type="button"
              className={styles['handle']}
              data-handle={key}
              aria-label={t('lists.move', {
                name: nameOf(item),
                at: index + 1,
                count: items.length,
              })}
              title={t('lists.move_hint')}
              onKeyDown={(event) => onKeyDown(event, index)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setHeld(key);
              }}
              onPointerMove={onPointerMove}
              onPointerUp={() => setHeld(null)}
              onPointerCancel={() => setHeld(null)}
            >
              <Icon of={HolderOutlined} />
            </button>
            {children(item, index)}
          </li>
        );
      })}
    </ul>
  );
};
