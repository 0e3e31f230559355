import { useState } from 'react';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { isCity } from './grid.ts';
import type { GridColumn, GridRow } from './grid.ts';
import type { Place } from './grid-keys.ts';
import styles from './grid.module.css';

/** The marks of the cells and rows of the grid. The keys of `findings` are `row-column`. */
export interface Marks {
  /**
   * For each region, the number of parcels in the last 30 days that were priced with its row; null
   * if it is not known yet.
   */
  uses: ReadonlyMap<string, number> | null;
  changed: (row: GridRow, column: number) => boolean;
  findings: ReadonlyMap<string, { severity: 'error' | 'warning'; words: string }>;
}

interface Typing {
  text: string;
  onTyped: (text: string, stroke: { key: string; shift: boolean } | null) => void;
  onLeave: () => void;
}

interface Props {
  row: GridRow;
  index: number;
  name: string;
  columns: readonly (GridColumn & { head: string })[];
  marks: Marks;
  /** The selected range if it includes this row; otherwise null. */
  place: Place | null;
  /** The index of the active cell's column if that cell is in this row; otherwise null. */
  active: number | null;
  /**
   * The text typed into the active cell, and the functions that receive it; null if the active cell
   * is not in this row.
   */
  typing: Typing | null;
  onEdit: (column: number) => void;
  onPress: (column: number, extend: boolean) => void;
  onOver: (column: number) => void;
  onWhole: () => void;
}

/** The input of the active cell. It keeps the typed text until editing ends. */
const Typed = ({
  begin,
  label,
  kind,
  onTyped,
  onLeave,
}: { begin: string; label: string; kind: GridColumn['kind'] } & Pick<
  Typing,
  'onTyped' | 'onLeave'
>) => {
  const [text, setText] = useState(begin);
  const [over, setOver] = useState(false);
  const end = (stroke: { key: string; shift: boolean } | null): void => {
    if (over) return;
    setOver(true);
    onTyped(text, stroke);
  };
  return (
    <input
      autoFocus
      className={styles['typing']}
      value={text}
      aria-label={label}
      inputMode={kind === 'text' ? 'text' : 'decimal'}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => end(null)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        const goes = event.key === 'Enter' || event.key === 'Tab';
        if (goes) end({ key: event.key, shift: event.shiftKey });
        else if (event.key === 'Escape') {
          setOver(true);
          onLeave();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
};

/** A row of the grid with the prices of one region. */
export const PriceRow = (props: Props) => {
  const { row, index, name, columns, marks, place, active, typing } = props;
  const { t } = useTexts();
  const format = useFormat();
  const uses = marks.uses === null ? '' : format.number(marks.uses.get(row.area) ?? 0);
  const left = place ? Math.min(place.column, place.toColumn) : -1;
  const right = place ? Math.max(place.column, place.toColumn) : -1;
  return (
    <tr data-closed={row.closed || undefined} data-city={isCity(row.area) || undefined}>
      <th scope="row" onClick={props.onWhole}>
        {name}
      </th>
      <td data-part="uses" aria-label={`${name} ${t('vouchers.uses')}: ${uses}`}>
        {uses}
      </td>
      {columns.map((column, at) => {
        const chosen = at >= left && at <= right;
        const found = marks.findings.get(`${index}-${at}`);
        const changed = marks.changed(row, at);
        const shows =
          row.closed && at > 0 ? (at === 1 ? t('vouchers.not_served') : '') : row.cells[at];
        const note = [found?.words, changed ? t('vouchers.changed_cell') : undefined]
          .filter(Boolean)
          .join(' · ');
        return (
          <td
            key={column.key}
            data-cell={`${index}-${at}`}
            tabIndex={active === at ? 0 : -1}
            aria-selected={chosen}
            aria-invalid={found?.severity === 'error' || undefined}
            aria-label={`${name} ${column.head}: ${shows || t('vouchers.empty_cell')}${note === '' ? '' : ` (${note})`}`}
            data-active={active === at || undefined}
            data-changed={changed || undefined}
            data-tone={found?.severity}
            data-kind={column.kind}
            data-part={column.part}
            data-bracket={column.bracket === null ? undefined : column.bracket % 2}
            title={note === '' ? undefined : note}
            onPointerDown={(event) => {
              if (typing !== null && active === at) return;
              if (event.button === 0) props.onPress(at, event.shiftKey);
            }}
            onPointerEnter={() => props.onOver(at)}
            onDoubleClick={() => props.onEdit(at)}
          >
            {active === at && typing !== null ? (
              <Typed
                begin={typing.text}
                label={`${name} ${column.head}`}
                kind={column.kind}
                onTyped={typing.onTyped}
                onLeave={typing.onLeave}
              />
            ) : (
              shows
            )}
          </td>
        );
      })}
    </tr>
  );
};
