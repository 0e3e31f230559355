import { useEffect, useRef } from 'react';
import type { PointerEvent } from 'react';
import { useTexts } from '#base/texts.ts';
import type { Column } from './column.ts';
import { leadWidth, stickyAt } from './resource-rows.tsx';
import styles from './resource-table.module.css';
import type { Selection } from './selection.ts';

interface Props<R extends { id: number }> {
  columns: readonly Column<R>[];
  rows: readonly R[];
  sort: { by: string; change: (by: string) => void; noteOf?: (by: string) => string | null };
  selection: Selection<R> | null;
}

/** The checkbox that selects all rows of the page. It is on, off, or partly on. */
export const PageCheckbox = <R extends { id: number }>({
  rows,
  selection,
}: {
  rows: readonly R[];
  selection: Selection<R>;
}) => {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const chosen = rows.filter(({ id }) => selection.rows.has(id)).length;
  const all = rows.length > 0 && chosen === rows.length;
  useEffect(() => {
    input.current!.indeterminate = chosen > 0 && !all;
  }, [chosen, all]);
  return (
    <input
      ref={input}
      type="checkbox"
      checked={all}
      disabled={rows.length === 0}
      aria-label={t('common.select_page')}
      onChange={() => selection.page(rows, !all)}
    />
  );
};

/**
 * The edge of a column. Dragging it changes the width; keyboard users change the width in the
 * column settings.
 */
const Edge = ({ resize }: { resize: (width: number) => void }) => {
  const from = useRef<{ x: number; width: number } | null>(null);
  return (
    <span
      className={styles['edge']}
      aria-hidden
      onPointerDown={(event: PointerEvent<HTMLSpanElement>) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = {
          x: event.clientX,
          width: event.currentTarget.parentElement!.getBoundingClientRect().width,
        };
      }}
      onPointerMove={(event) =>
        from.current && resize(from.current.width + event.clientX - from.current.x)
      }
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
    />
  );
};

const directions = { '': 'none', up: 'ascending', down: 'descending' } as const;

/**
 * The header of the table, which stays visible above the rows. The first click on a title sorts in
 * descending order.
 */
export const TableHead = <R extends { id: number }>({
  columns,
  rows,
  sort,
  selection,
}: Props<R>) => {
  const { t } = useTexts();
  return (
    <div role="rowgroup" className={styles['head']}>
      <div role="row" aria-rowindex={1} className={styles['row']}>
        <div
          role={selection ? 'columnheader' : 'presentation'}
          className={styles['check']}
          data-pin="start"
          {...(selection && { 'aria-label': t('common.selection') })}
        >
          {selection && (
            <label className={styles['hit']}>
              <PageCheckbox rows={rows} selection={selection} />
            </label>
          )}
        </div>
        {columns.map((column) => {
          const direction =
            column.sort === undefined
              ? ''
              : sort.by === column.sort
                ? 'up'
                : sort.by === `-${column.sort}`
                  ? 'down'
                  : '';
          return (
            <div
              key={column.key}
              role="columnheader"
              className={styles['cell']}
              data-key={column.key}
              data-pin={column.pin}
              data-align={column.align}
              style={stickyAt(columns, column, leadWidth(selection !== null))}
              {...(column.sort !== undefined && { 'aria-sort': directions[direction] })}
            >
              {column.sort === undefined ? (
                column.title
              ) : (
                <button
                  type="button"
                  className={styles['sort']}
                  title={sort.noteOf?.(column.sort) ?? undefined}
                  onClick={() =>
                    sort.change(direction === 'down' ? column.sort! : `-${column.sort}`)
                  }
                >
                  {column.title}
                  <svg viewBox="0 0 8 12" aria-hidden focusable="false" data-direction={direction}>
                    <path d="M4 1 7 5H1z" />
                    <path d="m4 11 3-4H1z" />
                  </svg>
                </button>
              )}
              {column.resize && <Edge resize={column.resize} />}
            </div>
          );
        })}
      </div>
    </div>
  );
};
