import { useEffect, useRef, useState } from 'react';
import type { CSSProperties, ComponentType, KeyboardEvent, ReactNode, RefObject } from 'react';
import { useSettings } from '#base/settings.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { areRowsWanted } from '#ui/enter-rows.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { fittedColumns } from './column-layout.ts';
import type { Column } from './column.ts';
import { CardList } from './resource-cards.tsx';
import { TableHead } from './resource-head.tsx';
import { DataRow, SkeletonRows, gridTemplate, gridWidth, leadWidth } from './resource-rows.tsx';
import styles from './resource-table.module.css';
import { useRowKeys } from './row-keys.ts';
import type { RowKey } from './row-keys.ts';
import { useEdges, useKeptScroll, useRowWindow } from './row-window.ts';
import type { Selection } from './selection.ts';
import { parentIndex } from './tree.ts';
import type { TreeOf } from './tree.ts';

/** The rows of a table and the state of their loading. */
export interface Reading<R> {
  /** Undefined until the rows are read for the first time. */
  rows: readonly R[] | undefined;
  error: unknown;
  /**
   * True while the displayed rows belong to the previous filters. The rows for the new filters are
   * still being read.
   */
  stale: boolean;
  retry: () => unknown;
  /** Another action that is offered if reading again would fail in the same way. */
  way?: { label: string; run: () => void } | undefined;
}

export interface ResourceTableProps<R extends { id: number }> {
  label: string;
  columns: readonly Column<R>[];
  reading: Reading<R>;
  /** Shown instead of the rows if the table is empty. */
  empty: ReactNode;
  sort: { by: string; change: (by: string) => void; noteOf?: (by: string) => string | null };
  /** The selected rows; null if the table has no bulk actions and therefore no checkboxes. */
  selection: Selection<R> | null;
  /** The name of a row and of its checkbox for screen readers. */
  nameOf: (row: R) => string;
  onOpen: (row: R) => void;
  /** Shortcuts that act on the current row. */
  keys: readonly RowKey<R>[];
  /**
   * Draws a row on a phone. If it is null, the columns that the user has chosen are drawn instead.
   */
  card: ComponentType<{ row: R }> | null;
  /**
   * The relation of parents and children between the rows of a tree. → opens a row or moves to its
   * children, and ← closes a row or moves to its parent.
   */
  tree?: TreeOf<R>;
  /** The state of the list whose rows are shown. If it changes, the table scrolls to the top. */
  place: string;
}

const heights = { comfortable: 36, compact: 32 } as const;

/**
 * The table of a resource's rows. Only visible rows are drawn, and the header and the outer columns
 * are sticky. The keyboard has a current row: j, k and arrows move it, Enter opens it, x selects
 * it, and Shift+x selects a range. On phones each row is a card.
 */
export const ResourceTable = <R extends { id: number }>(props: ResourceTableProps<R>) => {
  const narrow = useNarrow();
  const { reading, empty, label } = props;
  const { rows } = reading;
  if (rows === undefined && reading.error) {
    const { way } = reading;
    const go = way && (
      <Button type="primary" onClick={way.run}>
        {way.label}
      </Button>
    );
    return (
      <ErrorPanel error={reading.error} {...(go ? { actions: go } : { onRetry: reading.retry })} />
    );
  }
  if (rows?.length === 0) return <div className={styles['none']}>{empty}</div>;
  return narrow ? (
    <CardList
      label={label}
      rows={rows}
      selection={props.selection}
      nameOf={props.nameOf}
      onOpen={props.onOpen}
      card={props.card}
      columns={props.columns}
      stale={reading.stale}
    />
  ) : (
    <Grid {...props} />
  );
};

interface Moving<R> {
  box: RefObject<HTMLDivElement | null>;
  rowHeight: number;
  tree: TreeOf<R> | undefined;
  onOpen: (row: R) => void;
}

/** The current row for the keyboard, and the keys that make another row current. */
const useCurrentRow = <R extends { id: number }>(
  list: readonly R[],
  { box, rowHeight, tree, onOpen }: Moving<R>,
) => {
  const [current, setCurrent] = useState<number | null>(null);
  const at = list.findIndex((row) => row.id === current);
  const tabStop = at < 0 ? 0 : at;
  const moveTo = (index: number): void => {
    const row = list[Math.max(0, Math.min(index, list.length - 1))];
    if (!row) return;
    setCurrent(row.id);
    scrollToAndFocus(box.current!, list.indexOf(row), rowHeight);
  };
  const branch = (deeper: boolean): void => {
    const row = list[tabStop];
    if (!tree || !row) return;
    const expanded = tree.expanded(row);
    setCurrent(row.id);
    if (expanded === !deeper) tree.toggle(row);
    else if (deeper && expanded) moveTo(tabStop + 1);
    else if (!deeper) moveTo(Math.max(0, parentIndex(list, tabStop, tree.levelOf)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches('[role=row]')) return;
    const jump = {
      ArrowDown: tabStop + 1,
      ArrowUp: tabStop - 1,
      Home: 0,
      End: list.length - 1,
      PageDown: tabStop + 10,
      PageUp: tabStop - 10,
    }[event.key];
    if (jump !== undefined) moveTo(jump);
    else if (event.key === 'Enter' && list[at]) onOpen(list[at]);
    else if (tree && (event.key === 'ArrowRight' || event.key === 'ArrowLeft'))
      branch(event.key === 'ArrowRight');
    else return;
    event.preventDefault();
  };
  return { current, setCurrent, at, tabStop, moveTo, onKeyDown };
};

const Grid = <R extends { id: number }>({
  label,
  columns: all,
  reading,
  sort,
  selection,
  nameOf,
  onOpen,
  keys,
  tree,
  place,
}: ResourceTableProps<R>) => {
  const { t } = useTexts();
  const density = useSettings((state) => state.density);
  const zebra = useSettings((state) => state.zebra);
  const rowHeight = heights[density];
  const { rows } = reading;
  const lead = leadWidth(selection !== null);
  const box = useRef<HTMLDivElement>(null);
  const list = rows ?? [];
  const columns = fittedColumns(all, list);
  const { start, end } = useRowWindow(box, list.length, rowHeight);
  useKeptScroll(box, place);
  useEdges(box);
  const { current, setCurrent, at, tabStop, moveTo, onKeyDown } = useCurrentRow(list, {
    box,
    rowHeight,
    tree,
    onOpen,
  });
  useRowKeys({ at, rows: list, moveTo, selection, keys });
  useEffect(() => {
    if (!reading.stale && rows && rows.length > 0 && areRowsWanted(box.current)) moveTo(0);
  });
  return (
    <div
      ref={box}
      className={styles['box']}
      style={
        {
          '--row': `${rowHeight}px`,
          '--columns': gridTemplate(columns, lead),
          '--width': `${gridWidth(columns, lead)}px`,
        } as CSSProperties
      }
      data-stale={reading.stale || undefined}
      data-zebra={zebra || undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a grid, whose rows take the focus */}
      <div
        role={tree ? 'treegrid' : 'grid'}
        className={styles['grid']}
        aria-label={label}
        {...(selection && { 'aria-multiselectable': true })}
        aria-busy={rows === undefined || reading.stale}
        aria-rowcount={list.length + 1}
        aria-colcount={columns.length + 1}
        onKeyDown={onKeyDown}
      >
        <TableHead columns={columns} rows={list} sort={sort} selection={selection} />
        {rows === undefined ? (
          <SkeletonRows columns={columns} lead={lead} />
        ) : (
          <div
            role="rowgroup"
            style={{
              paddingTop: start * rowHeight,
              paddingBottom: (list.length - end) * rowHeight,
            }}
          >
            {list.slice(start, end).map((row, index) => (
              <DataRow
                key={row.id}
                row={row}
                index={start + index}
                columns={columns}
                name={nameOf(row)}
                {...(tree && { level: tree.levelOf(row), expanded: tree.expanded(row) })}
                chosen={selection?.rows.has(row.id) ?? false}
                current={row.id === current}
                tabStop={start + index === tabStop}
                onFocus={() => setCurrent(row.id)}
                onOpen={() => onOpen(row)}
                onChoose={
                  selection &&
                  ((range) => (range ? selection.range(list, row) : selection.toggle(row)))
                }
              />
            ))}
          </div>
        )}
      </div>
      {reading.error && rows !== undefined && !reading.stale ? (
        <p className="sr-only">{t('common.load_failed')}</p>
      ) : null}
    </div>
  );
};

/** Scrolls the row into view and focuses it after it is drawn. */
const scrollToAndFocus = (box: HTMLElement, index: number, rowHeight: number): void => {
  const head = rowHeight;
  const top = index * rowHeight;
  const seen = box.clientHeight - head - 16;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowHeight > box.scrollTop + seen) box.scrollTop = top + rowHeight - seen;
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      box
        .querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`)
        ?.focus({ preventScroll: true }),
    ),
  );
};
