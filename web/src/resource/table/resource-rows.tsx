import { memo } from 'react';
import type { CSSProperties } from 'react';
import { useTexts } from '#base/texts.ts';
import type { Column } from './column.ts';
import styles from './resource-table.module.css';
import { RowTabContext } from '#ui/row-tab.ts';
import { columnVisibility } from './row-window.ts';

/**
 * The width in pixels of the space before the first column. It contains the checkbox, or is only a
 * margin if rows cannot be selected.
 */
export const leadWidth = (choosing: boolean): number => (choosing ? 40 : 10);

/**
 * The value of `grid-template-columns`: the space before the first column, and the width of each
 * column. The columns that grow share the remaining room.
 */
export const gridTemplate = <R,>(columns: readonly Column<R>[], lead: number): string =>
  [
    `${lead}px`,
    // Columns with texts grow first. The other growing columns then share the remaining room.
    ...columns.map(({ width, grow, wants, share = width }) => {
      if (wants !== undefined) return `minmax(${width}px, ${wants}px)`;
      return grow ? `minmax(${width}px, ${share}fr)` : `${width}px`;
    }),
  ].join(' ');

/**
 * The total width of the columns in pixels. If the table's box is narrower, it scrolls sideways.
 */
export const gridWidth = <R,>(columns: readonly Column<R>[], lead: number): number =>
  columns.reduce((sum, { width }) => sum + width, lead);

/**
 * The sticky position of a pinned column. It is beside the columns that are pinned nearer to the
 * edge.
 */
export const stickyAt = <R,>(
  columns: readonly Column<R>[],
  column: Column<R>,
  lead: number,
): CSSProperties | undefined => {
  if (column.pin === undefined) return undefined;
  const at = columns.indexOf(column);
  const between = (column.pin === 'start' ? columns.slice(0, at) : columns.slice(at + 1)).filter(
    ({ pin }) => pin === column.pin,
  );
  const offset = between.reduce((sum, { width }) => sum + width, column.pin === 'start' ? lead : 0);
  return column.pin === 'start' ? { left: offset } : { right: offset };
};

/** The style of a number. The number is blank while a pinned column covers a part of it. */
const numberStyle = (key: string): CSSProperties => ({
  visibility: `var(${columnVisibility(key)}, visible)` as CSSProperties['visibility'],
});

interface Props<R> {
  row: R;
  index: number;
  columns: readonly Column<R>[];
  name: string;
  /** The row's level in a tree. `expanded` is true if the row's children are shown. */
  level?: number;
  expanded?: boolean | undefined;
  chosen: boolean;
  /** True if this is the row on which shortcut keys act. */
  current: boolean;
  /** True if the Tab key stops at this row. It stops at only one row. */
  tabStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
  /** Selects the row; null if rows cannot be selected. */
  onChoose: ((range: boolean) => void) | null;
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, a, input, label') !== null;

const Row = <R extends { id: number }>({
  row,
  index,
  columns,
  name,
  level,
  expanded,
  chosen,
  current,
  tabStop,
  onFocus,
  onOpen,
  onChoose,
}: Props<R>) => {
  const { t } = useTexts();
  const lead = leadWidth(onChoose !== null);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(onChoose && { 'aria-selected': chosen })}
      aria-level={level}
      aria-expanded={expanded}
      data-row={row.id}
      data-even={index % 2 === 1 || undefined}
      tabIndex={tabStop ? 0 : -1}
      className={styles['row']}
      data-current={current || undefined}
      onFocus={onFocus}
      onKeyDown={(event) => {
        if (!onChoose || event.key !== ' ' || event.target !== event.currentTarget) return;
        event.preventDefault();
        onChoose(event.shiftKey);
      }}
      onDoubleClick={(event) => !isControl(event.target) && onOpen()}
    >
      <RowTabContext value={tabStop}>
        <div role="gridcell" className={styles['check']} data-pin="start">
          {onChoose && (
            <label className={styles['hit']}>
              <input
                type="checkbox"
                checked={chosen}
                tabIndex={tabStop ? 0 : -1}
                aria-label={t('common.select_row', { name })}
                onClick={(event) => event.shiftKey && onChoose(true)}
                onChange={(event) => !(event.nativeEvent as MouseEvent).shiftKey && onChoose(false)}
              />
            </label>
          )}
        </div>
        {columns.map((column) => (
          <div
            key={column.key}
            role="gridcell"
            className={styles['cell']}
            data-pin={column.pin}
            data-align={column.align}
            style={
              column.pin === undefined && column.align === 'end'
                ? numberStyle(column.key)
                : stickyAt(columns, column, lead)
            }
          >
            {column.cell(row)}
          </div>
        ))}
      </RowTabContext>
    </div>
  );
};

/** One row of plain elements. It is drawn again only if its own data change. */
export const DataRow = memo(Row) as typeof Row;

/**
 * Placeholder bars that are shown until the rows are loaded. Their lengths differ but never change.
 */
export const SkeletonRows = <R,>({
  columns,
  lead,
}: {
  columns: readonly Column<R>[];
  lead: number;
}) => (
  <div role="rowgroup" aria-hidden>
    {Array.from({ length: 12 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- bars have no identity
      <div key={index} className={styles['row']}>
        <div className={styles['check']} data-pin="start" />
        {columns.map((column, at) => (
          <div
            key={column.key}
            className={styles['cell']}
            data-pin={column.pin}
            style={stickyAt(columns, column, lead)}
          >
            <span
              className={styles['bar']}
              style={{ width: `${45 + ((index * 37 + at * 53) % 40)}%` }}
            />
          </div>
        ))}
      </div>
    ))}
  </div>
);
