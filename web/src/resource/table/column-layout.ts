import { formatYuan } from '@waystation/contract/money/money.ts';
import type { Column } from './column.ts';
import { cellWidth } from './fitted-width.ts';

/** The fields that are needed to arrange a list's columns or the Workplace's cards. */
type Arrangeable = Pick<Column<never>, 'key' | 'fixed' | 'aside'>;

export type Pin = 'start' | 'end' | 'none';

/** A user's changes to the columns of a list. All other columns stay as the page defines them. */
export interface ColumnLayout {
  order: readonly string[];
  hidden: readonly string[];
  /** The columns that the user has made visible although they are hidden by default. */
  shown: readonly string[];
  widths: Readonly<Record<string, number>>;
  pins: Readonly<Record<string, Pin>>;
}

export const noLayout: ColumnLayout = { order: [], hidden: [], shown: [], widths: {}, pins: {} };
export const columnWidths = { min: 40, max: 800 } as const;

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string').slice(0, 100)
    : [];
const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value).slice(0, 100) : [];
const isPin = (value: unknown): value is Pin =>
  value === 'start' || value === 'end' || value === 'none';

/** Reads a stored layout of any version. Unknown parts are ignored. */
export const readLayout = (stored: unknown): ColumnLayout => {
  if (typeof stored !== 'object' || stored === null) return noLayout;
  const record = stored as Record<string, unknown>;
  return {
    order: texts(record['order']),
    hidden: texts(record['hidden']),
    shown: texts(record['shown']),
    widths: Object.fromEntries(
      entries(record['widths']).flatMap(([key, width]) =>
        typeof width === 'number' && Number.isFinite(width) ? [[key, boundedWidth(width)]] : [],
      ),
    ),
    pins: Object.fromEntries(
      entries(record['pins']).flatMap(([key, pin]) => (isPin(pin) ? [[key, pin]] : [])),
    ),
  };
};

export const boundedWidth = (width: number): number =>
  Math.round(Math.max(columnWidths.min, Math.min(columnWidths.max, width)));

/**
 * All columns in the user's order. If the stored order lacks a column, this column follows the
 * column that is before it on the page.
 */
export const orderedColumns = <C extends Arrangeable>(
  columns: readonly C[],
  { order }: ColumnLayout,
): C[] => {
  const known = columns
    .filter(({ key }) => order.includes(key))
    .toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  columns.forEach((column, at) => {
    if (order.includes(column.key)) return;
    const before = columns[at - 1];
    known.splice(before ? known.indexOf(before) + 1 : 0, 0, column);
  });
  return known;
};

export const isShown = (
  { key, fixed, aside }: Arrangeable,
  { hidden, shown }: ColumnLayout,
): boolean => fixed === true || (aside ? shown.includes(key) : !hidden.includes(key));

export const pinOf = <R>(column: Column<R>, { pins }: ColumnLayout): Pin =>
  pins[column.key] ?? column.pin ?? 'none';

/**
 * The columns to draw, with the user's widths. Hidden columns are left out, and pinned columns come
 * first or last. One column always takes the remaining width.
 */
export const arrangedColumns = <R>(
  columns: readonly Column<R>[],
  layout: ColumnLayout,
): Column<R>[] => {
  const shown = orderedColumns(columns, layout)
    .filter((column) => isShown(column, layout))
    .map((column): Column<R> => {
      const { pin: _pin, grow, text, aside: _aside, ...rest } = column;
      const width = layout.widths[column.key];
      const pin = pinOf(column, layout);
      return {
        ...rest,
        ...(width === undefined ? { ...(grow && { grow }), ...(text && { text }) } : { width }),
        ...(pin !== 'none' && { pin }),
      };
    });
  const start = shown.filter(({ pin }) => pin === 'start');
  const middle = shown.filter(({ pin }) => pin === undefined);
  const end = shown.filter(({ pin }) => pin === 'end');
  // A pinned column with another pinned column beside it keeps its width, because the sticky
  // position of the other column depends on this width.
  const still = ({ text: _text, ...column }: Column<R>): Column<R> => ({ ...column, grow: false });
  const all = [
    ...start.map((column, at) => (at < start.length - 1 ? still(column) : column)),
    ...middle,
    ...end.map((column, at) => (at > 0 ? still(column) : column)),
  ];
  const last = middle.at(-1) ?? start.at(-1);
  return all.some(({ grow }) => grow) || !last
    ? all
    : all.map((column) => (column.key === last.key ? { ...column, grow: true } : column));
};

/**
 * The width in pixels of an amount in the table's font of 13 px: its digits, separators and sign,
 * and the edges of the cell.
 */
const sumWidth = (fen: number): number => {
  const text = formatYuan(Math.abs(fen));
  const separators = text.length - text.replaceAll(/[,.]/g, '').length;
  return Math.ceil((text.length - separators) * 7.9 + separators * 4.2 + 20) + 12;
};

/**
 * The width in pixels of the longest text in a column. Each different text is measured only once.
 */
const longestText = <R>(text: (row: R) => string, rows: readonly R[]): number =>
  Math.max(0, ...[...new Set(rows.map(text))].map(cellWidth));

/**
 * Fits columns to the rows. A column of amounts is as wide as its widest amount, and a column of
 * texts gets the width of its longest text. At least one column gets the remaining width.
 */
export const fittedColumns = <R>(
  columns: readonly Column<R>[],
  rows: readonly R[],
): Column<R>[] => {
  const rest =
    columns.findLast(({ grow, text }) => grow && !text) ?? columns.findLast(({ grow }) => grow);
  return columns.map((column) => {
    const { fen, besideFen = 0, text, besideText = 0, width } = column;
    if (text && column !== rest)
      return { ...column, wants: Math.max(width, longestText(text, rows) + besideText) };
    if (!fen) return column;
    const widest = rows.reduce((most, row) => Math.max(most, Math.abs(fen(row) ?? 0)), 0);
    const least = sumWidth(widest) + besideFen;
    return least > column.width ? { ...column, width: least } : column;
  });
};

export const movedColumn = (
  columns: readonly Arrangeable[],
  layout: ColumnLayout,
  from: number,
  to: number,
): ColumnLayout => {
  const order = orderedColumns(columns, layout).map(({ key }) => key);
  const [key] = order.splice(from, 1);
  if (key === undefined) return layout;
  order.splice(Math.max(0, Math.min(to, order.length)), 0, key);
  return { ...layout, order };
};

export const shownColumn = (
  columns: readonly Arrangeable[],
  layout: ColumnLayout,
  key: string,
  shown: boolean,
): ColumnLayout => {
  const list = columns.find((column) => column.key === key)?.aside ? 'shown' : 'hidden';
  const others = layout[list].filter((each) => each !== key);
  return { ...layout, [list]: (list === 'shown') === shown ? [...others, key] : others };
};

/**
 * A layout that shows these columns in this order, and hides every other column that can be hidden.
 */
export const presetLayout = (
  columns: readonly Arrangeable[],
  keys: readonly string[],
): ColumnLayout => {
  const wanted = new Set(keys);
  const known = keys.filter((key) => columns.some((column) => column.key === key));
  return {
    ...noLayout,
    order: [...known, ...columns.map(({ key }) => key).filter((key) => !wanted.has(key))],
    hidden: columns
      .filter(({ key, aside, fixed }) => !aside && !fixed && !wanted.has(key))
      .map(({ key }) => key),
    shown: columns.filter(({ key, aside }) => aside && wanted.has(key)).map(({ key }) => key),
  };
};

export const resizedColumn = (layout: ColumnLayout, key: string, width: number): ColumnLayout => ({
  ...layout,
  widths: { ...layout.widths, [key]: boundedWidth(width) },
});

export const pinnedColumn = (layout: ColumnLayout, key: string, pin: Pin): ColumnLayout => ({
  ...layout,
  pins: { ...layout.pins, [key]: pin },
});
