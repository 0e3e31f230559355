/**
 * A selection in the grid. `row` and `column` are the active cell; the other fields are the
 * opposite corner of the selected range.
 */
export interface Place {
  row: number;
  column: number;
  toRow: number;
  toColumn: number;
}

export const single = (row: number, column: number): Place => ({
  row,
  column,
  toRow: row,
  toColumn: column,
});

/** The next visible row in the given direction. If there is none, the same row is returned. */
const rowAfter = (shown: readonly number[], row: number, by: number): number => {
  const at = shown.indexOf(row);
  return shown[Math.max(0, Math.min(shown.length - 1, (at < 0 ? 0 : at) + by))] ?? row;
};

interface Stroke {
  key: string;
  shift: boolean;
  ctrl: boolean;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const far = 1_000;

/**
 * The selection after a key press; null if the key does not move the selection. Shift extends the
 * range. Tab and Enter move the selection by one cell.
 */
export const move = (
  place: Place,
  { key, shift, ctrl }: Stroke,
  shown: readonly number[],
  columns: number,
): Place | null => {
  const inside = (column: number): number => Math.max(0, Math.min(columns - 1, column));
  if (key === 'Tab') {
    const next = place.column + (shift ? -1 : 1);
    if (next >= 0 && next < columns) return single(place.row, next);
    const row = rowAfter(shown, place.row, shift ? -1 : 1);
    return row === place.row ? null : single(row, shift ? columns - 1 : 0);
  }
  if (key === 'Enter') return single(rowAfter(shown, place.row, shift ? -1 : 1), place.column);
  if (key === 'PageUp' || key === 'PageDown')
    return single(rowAfter(shown, place.row, key === 'PageUp' ? -10 : 10), place.column);
  if (key === 'Home' || key === 'End')
    return single(
      ctrl ? rowAfter(shown, place.row, key === 'Home' ? -far : far) : place.row,
      key === 'Home' ? 0 : columns - 1,
    );
  const arrow = arrows[key];
  if (!arrow) return null;
  const [down, right] = ctrl ? [arrow[0] * far, arrow[1] * far] : arrow;
  if (shift)
    return {
      ...place,
      toRow: rowAfter(shown, place.toRow, down),
      toColumn: inside(place.toColumn + right),
    };
  return single(rowAfter(shown, place.row, down), inside(place.column + right));
};
