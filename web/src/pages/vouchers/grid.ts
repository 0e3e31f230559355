import { parseDecimal } from '@waystation/contract/base/decimal.ts';
import { parseYuan, yuanText } from '@waystation/contract/money/money.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import { regions } from '@waystation/contract/parcels/regions.ts';
import { saysClosed } from '@waystation/contract/money/voucher-content.ts';
import { kgText, parseKg } from '@waystation/contract/base/weight.ts';

/**
 * A row of a price list in the editor, with the typed text of each cell. `grid-content.ts` converts
 * the texts to prices.
 */
export interface GridRow {
  /** The code of a province, or of a city whose prices differ from its province's. */
  area: string;
  /** The texts of the cells, in the order of `columnsOf`; '' for an empty cell. */
  cells: readonly string[];
  /** True if the region is not served. Its cells are kept, because it may be served again. */
  closed: boolean;
}
export interface Grid {
  rows: readonly GridRow[];
  brackets: number;
}

export type CellKind = 'text' | 'kg' | 'yuan';
export interface GridColumn {
  key: string;
  kind: CellKind;
  /**
   * The index of the weight bracket to which the column belongs. Null for the columns outside all
   * brackets: name, first weight, first price and minimum charge.
   */
  bracket: number | null;
  part: 'name' | 'max' | 'first' | 'up_to' | 'step' | 'price' | 'minimum';
}

/**
 * The columns are: name · first weight · its price · (up to · step · price) for each bracket ·
 * minimum charge.
 */
export const columnsOf = (brackets: number): GridColumn[] => [
  { key: 'name', kind: 'text', bracket: null, part: 'name' },
  { key: 'first.max_g', kind: 'kg', bracket: null, part: 'max' },
  { key: 'first.price', kind: 'yuan', bracket: null, part: 'first' },
  ...Array.from({ length: brackets }, (_, index): GridColumn[] => [
    { key: `brackets.${index}.up_to_g`, kind: 'kg', bracket: index, part: 'up_to' },
    { key: `brackets.${index}.step_g`, kind: 'kg', bracket: index, part: 'step' },
    { key: `brackets.${index}.price`, kind: 'yuan', bracket: index, part: 'price' },
  ]).flat(),
  { key: 'minimum', kind: 'yuan', bracket: null, part: 'minimum' },
];

const fixedBefore = 3;
export const widthOf = (brackets: number): number => fixedBefore + brackets * 3 + 1;
const emptyCells = (brackets: number): string[] =>
  Array.from({ length: widthOf(brackets) }, () => '');

const provincesInOrder: readonly string[] = regions.flatMap((region) => region.provinces);

/** Sorts the provinces by region, with each city after its province. */
const inOrder = (rows: readonly GridRow[]): GridRow[] =>
  rows.toSorted(
    (one, other) =>
      provincesInOrder.indexOf(provinceOf(one.area)) -
        provincesInOrder.indexOf(provinceOf(other.area)) || one.area.localeCompare(other.area),
  );

export const emptyGrid = (brackets = 1): Grid => ({
  rows: provincesInOrder.map((area) => ({ area, cells: emptyCells(brackets), closed: false })),
  brackets,
});

export const isCity = (area: string): boolean => area !== provinceOf(area);

/**
 * Returns the grid with this number of weight brackets. Added brackets are empty. The minimum
 * charge stays the last column.
 */
export const withBrackets = (grid: Grid, brackets: number): Grid => {
  if (brackets === grid.brackets) return grid;
  const unchanged = fixedBefore + Math.min(brackets, grid.brackets) * 3;
  const added = Array.from({ length: Math.max(0, brackets - grid.brackets) * 3 }, () => '');
  return {
    brackets,
    rows: grid.rows.map((row) => ({
      ...row,
      cells: [...row.cells.slice(0, unchanged), ...added, row.cells.at(-1)!],
    })),
  };
};

/**
 * The text as it is stored in a cell. A readable number is formatted. Any other text stays as
 * typed, so that the user can correct it.
 */
export const cleanCell = (kind: CellKind, text: string): string => {
  const plain = text.normalize('NFKC').trim();
  if (kind === 'text' || plain === '') return plain.slice(0, 40);
  const value =
    kind === 'kg' ? parseKg(plain) : parseYuan(plain.replace(/\/(?:kg|公斤|千克)$/i, ''));
  if (value === null) return plain.slice(0, 20);
  return kind === 'kg' ? kgText(value) : yuanText(value);
};

/**
 * The value of a cell in grams or fen. Null if the cell is empty; NaN if its text is not a valid
 * number.
 */
export const valueOf = (kind: CellKind, text: string): number | null => {
  if (text === '') return null;
  return (kind === 'kg' ? parseDecimal(text, 3) : parseDecimal(text, 2)) ?? Number.NaN;
};

export interface CellChange {
  row: number;
  column: number;
  text: string;
}

/**
 * Writes texts into cells. The words for "not served" in a price cell close the row, and a number
 * opens it. Cells outside the grid are ignored.
 */
export const setCells = (grid: Grid, changes: readonly CellChange[]): Grid => {
  const columns = columnsOf(grid.brackets);
  const rows = [...grid.rows];
  for (const { row, column, text } of changes) {
    const [before, shape] = [rows[row], columns[column]];
    if (!before || !shape) continue;
    if (shape.kind !== 'text' && saysClosed(text)) {
      rows[row] = { ...before, closed: true };
      continue;
    }
    const cleaned = cleanCell(shape.kind, text);
    const closed = before.closed && (shape.kind === 'text' || cleaned === '');
    if (before.cells[column] === cleaned && before.closed === closed) continue;
    rows[row] = { ...before, closed, cells: before.cells.with(column, cleaned) };
  }
  return rows.every((row, index) => row === grid.rows[index]) ? grid : { ...grid, rows };
};

/**
 * A rectangle of cells that includes its two corners. The first corner can be above or below the
 * second, and left or right of it.
 */
export interface Range {
  row: number;
  column: number;
  toRow: number;
  toColumn: number;
}

export const bounds = ({ row, column, toRow, toColumn }: Range) => ({
  top: Math.min(row, toRow),
  bottom: Math.max(row, toRow),
  left: Math.min(column, toColumn),
  right: Math.max(column, toColumn),
});

const cellsIn = (range: Range): { row: number; column: number }[] => {
  const { top, bottom, left, right } = bounds(range);
  const cells = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) cells.push({ row, column });
  return cells;
};

export const clearRange = (grid: Grid, range: Range): Grid =>
  setCells(
    grid,
    cellsIn(range).map((cell) => ({ ...cell, text: '' })),
  );

/**
 * Copies the first row of the range into the other rows of the range. If the range has only one
 * row, copies the row above the range into it. A row that is not served is copied as not served.
 */
export const fillDown = (grid: Grid, range: Range): Grid => {
  const { top, bottom, left, right } = bounds(range);
  const from = top === bottom ? top - 1 : top;
  const source = grid.rows[from];
  if (!source) return grid;
  const rows = grid.rows.map((row, index) => {
    if (index <= from || index > bottom) return row;
    if (source.closed) return { ...row, closed: true };
    return {
      ...row,
      closed: false,
      cells: row.cells.map((cell, column) =>
        column >= left && column <= right ? source.cells[column]! : cell,
      ),
    };
  });
  return { ...grid, rows };
};

/** Copies the prices of one row to all rows of its region, or to every empty row. */
export const applyRow = (grid: Grid, from: number, to: 'region' | 'empty'): Grid => {
  const source = grid.rows[from];
  if (!source) return grid;
  const region = regions.find((one) =>
    (one.provinces as readonly string[]).includes(provinceOf(source.area)),
  );
  const rows = grid.rows.map((row, index) => {
    const meant =
      to === 'region'
        ? !isCity(row.area) &&
          (region?.provinces as readonly string[] | undefined)?.includes(row.area)
        : !row.closed && !isCity(row.area) && row.cells.every((cell) => cell === '');
    return meant && index !== from ? { ...row, cells: source.cells, closed: source.closed } : row;
  });
  return { ...grid, rows };
};

/** Marks the rows of a range as not served, or as served again if all of them are not served. */
export const toggleClosed = (grid: Grid, range: Range): Grid => {
  const { top, bottom } = bounds(range);
  const within = grid.rows.slice(top, bottom + 1);
  const closed = !within.every((row) => row.closed);
  return {
    ...grid,
    rows: grid.rows.map((row, index) =>
      index >= top && index <= bottom ? { ...row, closed } : row,
    ),
  };
};

/** Adds a row for a city, with the prices of its province. */
export const addCity = (grid: Grid, area: string): Grid => {
  if (grid.rows.some((row) => row.area === area)) return grid;
  const province = grid.rows.find((row) => row.area === provinceOf(area));
  return {
    ...grid,
    rows: inOrder([
      ...grid.rows,
      {
        area,
        cells: province?.cells ?? emptyCells(grid.brackets),
        closed: province?.closed ?? false,
      },
    ]),
  };
};

export const removeRow = (grid: Grid, area: string): Grid => ({
  ...grid,
  rows: grid.rows.filter((row) => row.area !== area),
});

/** Removes the three columns of a weight bracket. */
export const removeBracket = (grid: Grid, bracket: number): Grid => {
  if (grid.brackets <= 1 && bracket === 0)
    return {
      ...grid,
      rows: grid.rows.map((row) => ({
        ...row,
        cells: row.cells.with(3, '').with(4, '').with(5, ''),
      })),
    };
  const at = fixedBefore + bracket * 3;
  return {
    brackets: grid.brackets - 1,
    rows: grid.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 3) })),
  };
};
