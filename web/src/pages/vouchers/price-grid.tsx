import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { regions } from '@waystation/contract/parcels/regions.ts';
import type { RegionKey } from '@waystation/contract/parcels/regions.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import { announce } from '#base/announce.ts';
import { beginningOf, pressedKey } from '#base/pressed-key.ts';
import { useTexts } from '#base/texts.ts';
import { bounds, clearRange, columnsOf, fillDown, setCells } from './grid.ts';
import type { Grid } from './grid.ts';
import { move, single } from './grid-keys.ts';
import type { Place } from './grid-keys.ts';
import { PriceHead } from './price-head.tsx';
import { PriceRow } from './price-row.tsx';
import type { Marks } from './price-row.tsx';
import styles from './grid.module.css';

interface Props {
  grid: Grid;
  label: string;
  heads: readonly string[];
  marks: Marks;
  areaName: (area: string) => string;
  place: Place;
  onPlace: (place: Place) => void;
  onChange: (grid: Grid) => void;
  clipboard: { copy: (place: Place) => string; paste: (text: string, place: Place) => void };
  history: { undo: () => void; redo: () => void };
  /** The regions of the country whose rows are collapsed. */
  folded: ReadonlySet<RegionKey>;
  onFold: (region: RegionKey) => void;
}

const regionOf = (area: string) =>
  regions.find(({ provinces }) => (provinces as readonly string[]).includes(provinceOf(area)))!;

/** The text typed into the active cell; null while it is not edited. */
type Typing = string | null;

/**
 * The state of mouse and keyboard in the grid: the active cell, the typed text, and the handlers of
 * keys.
 */
const useHands = (props: Props, shown: readonly number[]) => {
  const { grid, place, onPlace, onChange } = props;
  const { t } = useTexts();
  const table = useRef<HTMLTableElement>(null);
  const [typing, setTyping] = useState<Typing>(null);
  const isComposed = useRef(false);
  const [dragging, setDragging] = useState(false);
  const columns = columnsOf(grid.brackets);
  const focusHere = useRef(false);
  useEffect(() => {
    if (!focusHere.current || typing !== null) return;
    focusHere.current = false;
    const cell = table.current?.querySelector<HTMLElement>(
      `[data-cell="${place.row}-${place.column}"]`,
    );
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  useEffect(() => {
    if (!dragging) return;
    const end = (): void => setDragging(false);
    window.addEventListener('pointerup', end);
    return () => window.removeEventListener('pointerup', end);
  }, [dragging]);
  const go = (next: Place): void => {
    focusHere.current = true;
    onPlace(next);
  };
  const write = (text: string): void => {
    setTyping(null);
    // Leaves the cell unchanged if the user cancelled the composition of an input method.
    if (isComposed.current && text === '') return;
    onChange(setCells(grid, [{ row: place.row, column: place.column, text }]));
  };
  const onTyped = (text: string, stroke: { key: string; shift: boolean } | null): void => {
    write(text);
    if (!stroke) return;
    focusHere.current = true;
    onPlace(move(place, { ...stroke, ctrl: false }, shown, columns.length) ?? place);
  };
  const leave = (): void => {
    focusHere.current = true;
    setTyping(null);
  };
  const commands: Record<string, (() => void) | undefined> = {
    d: () => onChange(fillDown(grid, place)),
    z: props.history.undo,
    y: props.history.redo,
    a: () =>
      onPlace({
        row: shown[0] ?? 0,
        column: 0,
        toRow: shown.at(-1) ?? 0,
        toColumn: columns.length - 1,
      }),
  };
  const edit = (text: string): void => {
    isComposed.current = false;
    setTyping(text);
  };
  const begin = (text: string): void => {
    edit(text);
    isComposed.current = text === '';
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (typing !== null || !(event.target as HTMLElement).matches('[data-cell]')) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const key = pressedKey(event);
    const text = ctrl || event.altKey ? null : beginningOf(event);
    const command = ctrl
      ? event.shiftKey && key.toLowerCase() === 'z'
        ? props.history.redo
        : commands[key.toLowerCase()]
      : undefined;
    const next = command
      ? null
      : move(place, { key, shift: event.shiftKey, ctrl }, shown, columns.length);
    if (command) command();
    else if (next) go(next);
    else if (key === 'Delete' || key === 'Backspace') onChange(clearRange(grid, place));
    else if (key === 'F2') edit(grid.rows[place.row]?.cells[place.column] ?? '');
    else if (key === 'Escape')
      document
        .getElementById('grid-tools')
        ?.querySelector<HTMLElement>('button:not(:disabled)')
        ?.focus();
    else if (text !== null) begin(text);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClipboard = (event: ClipboardEvent, run: () => void): void => {
    if (typing !== null) return;
    event.preventDefault();
    run();
  };
  const copy = (event: ClipboardEvent): void =>
    onClipboard(event, () => {
      event.clipboardData.setData('text/plain', props.clipboard.copy(place));
      const { top, bottom, left, right } = bounds(place);
      announce(t('vouchers.copied_cells', { count: (bottom - top + 1) * (right - left + 1) }));
    });
  return {
    table,
    typing,
    edit,
    dragging,
    setDragging,
    go,
    onTyped,
    leave,
    onKeyDown,
    onClipboard,
    copy,
  };
};

/**
 * A grid of prices with a row for each region and columns for each weight bracket. It has the keys
 * of a spreadsheet: arrows, typing to replace, Tab and Enter, copy and paste, fill down, undo.
 * Escape leaves the grid.
 */
export const PriceGrid = (props: Props) => {
  const { grid, label, heads, marks, areaName, place, onPlace, onChange, folded, onFold } = props;
  const { language } = useTexts();
  const columns = columnsOf(grid.brackets).map((column, index) => ({
    ...column,
    head: heads[index] ?? '',
  }));
  const shown = grid.rows.flatMap((row, index) =>
    folded.has(regionOf(row.area).key) ? [] : [index],
  );
  const {
    table,
    typing,
    edit,
    dragging,
    setDragging,
    go,
    onTyped,
    leave,
    onKeyDown,
    onClipboard,
    copy,
  } = useHands(props, shown);
  return (
    <div className={styles['scroll']}>
      <table
        ref={table}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={grid.rows.length + 2}
        aria-colcount={columns.length + 2}
        className={styles['grid']}
        onKeyDown={onKeyDown}
        onCopy={copy}
        onCut={(event) => {
          copy(event);
          if (typing === null) onChange(clearRange(grid, place));
        }}
        onPaste={(event) =>
          onClipboard(event, () =>
            props.clipboard.paste(event.clipboardData.getData('text/plain'), place),
          )
        }
      >
        <PriceHead columns={columns} brackets={grid.brackets} />
        {regions.map((region) => {
          const rows = grid.rows
            .map((row, index) => ({ row, index }))
            .filter(({ row }) => regionOf(row.area).key === region.key);
          const open = !folded.has(region.key);
          return (
            <tbody key={region.key}>
              <tr className={styles['region']}>
                <th scope="rowgroup" colSpan={columns.length + 2}>
                  <button type="button" aria-expanded={open} onClick={() => onFold(region.key)}>
                    <span aria-hidden>{open ? '▾' : '▸'}</span> {region[language]}
                    <span className={styles['count']}>{rows.length}</span>
                  </button>
                </th>
              </tr>
              {open &&
                rows.map(({ row, index }) => (
                  <PriceRow
                    key={row.area}
                    row={row}
                    index={index}
                    name={areaName(row.area)}
                    columns={columns}
                    marks={marks}
                    place={
                      index >= Math.min(place.row, place.toRow) &&
                      index <= Math.max(place.row, place.toRow)
                        ? place
                        : null
                    }
                    active={place.row === index ? place.column : null}
                    typing={
                      place.row === index && typing !== null
                        ? { text: typing, onTyped, onLeave: leave }
                        : null
                    }
                    onEdit={(column) => {
                      onPlace(single(index, column));
                      edit(row.cells[column] ?? '');
                    }}
                    onPress={(column, extend) => {
                      setDragging(true);
                      go(
                        extend
                          ? { ...place, toRow: index, toColumn: column }
                          : single(index, column),
                      );
                    }}
                    onOver={(column) => {
                      if (dragging) onPlace({ ...place, toRow: index, toColumn: column });
                    }}
                    onWhole={() =>
                      go({ row: index, column: 0, toRow: index, toColumn: columns.length - 1 })
                    }
                  />
                ))}
            </tbody>
          );
        })}
      </table>
    </div>
  );
};
