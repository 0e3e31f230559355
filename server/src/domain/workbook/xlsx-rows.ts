import { openArchive } from './archive.ts';
import { cellText, noSheets, rowOf } from './cell-text.ts';
import type { MergedCells, SheetEnd, SheetRow } from './cell-text.ts';
import { UnreadableFile, mostColumns } from './limits.ts';
import type { ReadLimits } from './limits.ts';
import { shownNumber } from './number-formats.ts';
import type { NumberStyle } from './number-formats.ts';
import { createSharedStrings } from './shared-strings.ts';
import type { SharedStrings } from './shared-strings.ts';
import { attributesOf, decodeXml } from './xml-scanner.ts';
import type { XmlHandlers } from './xml-scanner.ts';
import { rawFactor, scan, partsOf, readStrings, unescaped, numberStyles } from './xlsx-archive.ts';
import type { Parts } from './xlsx-archive.ts';

/**
 * The column of a cell reference, counted from 0: 54 for `BC12`. It is -1 if the text is not a
 * reference.
 */
const columnOf = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~32;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
    if (column > 16_384) throw new UnreadableFile();
  }
  return column - 1;
};

/** A row number; null if the text is not a valid one. */
const lineOf = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;

/**
 * The column and lines of merged cells that cover several rows; null if the cells are within one
 * row.
 */
const mergedOf = (reference: string): MergedCells | null => {
  const [, start, from, to] =
    /^([A-Za-z]{1,3})(\d{1,7}):[A-Za-z]{1,3}(\d{1,7})$/.exec(reference) ?? [];
  const range = { column: columnOf(start ?? ''), from: Number(from), to: Number(to) };
  return range.column >= 0 && range.column < mostColumns && range.to > range.from ? range : null;
};

interface Cell {
  column: number;
  type: string;
  style: number;
  raw: string;
}

const cellAttributes = /(?:^|\s)([rts])\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Opens a cell with the attributes of its tag. A cell without a reference is in the column `next`.
 */
const openCell = (attributes: string, next: number): Cell => {
  const opened: Cell = { column: next, type: '', style: -1, raw: '' };
  for (const [, name, double, single] of attributes.matchAll(cellAttributes)) {
    const value = double ?? single ?? '';
    if (name === 'r') opened.column = Math.max(columnOf(value), 0);
    else if (name === 't') opened.type = value;
    else opened.style = Number(value);
  }
  return opened;
};

/** The parts of a workbook that are needed to turn the content of a cell into its text. */
interface CellSource {
  strings: SharedStrings;
  styles: readonly NumberStyle[];
  since1904: boolean;
}

const textOf = (
  { type, style, raw }: Cell,
  { strings, styles, since1904 }: CellSource,
  mostChars: number,
): string => {
  if (type === 's') return raw === '' ? '' : strings.at(Number(raw));
  const text = decodeXml(raw);
  if (type === 'b') return /^(?:1|true)$/i.test(text) ? 'true' : 'false';
  if (type === 'str' || type === 'inlineStr') return cellText(unescaped(text), mostChars);
  const number = text.trim() === '' || type === 'e' || type === 'd' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) return cellText(text, mostChars);
  return shownNumber(number, styles[style] ?? null, since1904);
};

/** Collects the rows of a sheet while its XML tags are read. */
const createRows = (source: CellSource, limits: ReadLimits) => {
  const found: SheetRow[] = [];
  const merged: MergedCells[] = [];
  let cells: string[] | null = null;
  let line = 0;
  let hidden = false;
  let cell: Cell | null = null;
  let next = 0;
  let inText = false;
  const handlers: XmlHandlers = {
    open: (tag, attributes) => {
      if (tag === 'c') {
        if (cells) {
          cell = openCell(attributes, next);
          next = cell.column + 1;
        }
      } else if (tag === 'row') {
        cells = [];
        next = 0;
        const { r, hidden: state } = attributesOf(attributes);
        line = lineOf(r) ?? line + 1;
        hidden = state === '1' || state === 'true';
      } else if (tag === 'mergeCell') {
        const range = mergedOf(attributesOf(attributes)['ref'] ?? '');
        if (range) merged.push(range);
        if (merged.length > limits.mergedCells)
          throw new UnreadableFile('file_merged', { limit: limits.mergedCells });
      } else if (tag === 'v') inText = cell !== null && cell.type !== 'inlineStr';
      else if (tag === 't') inText = cell?.type === 'inlineStr';
    },
    close: (tag) => {
      if (tag === 'v' || tag === 't') inText = false;
      else if (tag === 'c' && cell) {
        if (cell.column < mostColumns && cells)
          cells[cell.column] = textOf(cell, source, limits.cellChars);
        cell = null;
      } else if (tag === 'row' && cells) {
        const row = rowOf(cells, line, limits.rowChars);
        if (row.length > 0) found.push({ cells: row, line, hidden });
        cells = null;
      }
    },
    text: (raw) => {
      if (!inText || !cell) return;
      cell.raw += raw;
      if (cell.raw.length > limits.cellChars * rawFactor)
        throw new UnreadableFile('file_cell', { limit: limits.cellChars });
    },
  };
  /** Returns the merged cells within the rows that the sheet has. */
  const takeMerged = (): MergedCells[] => {
    const within = merged
      .map((range) => ({ ...range, to: Math.min(range.to, line) }))
      .filter(({ from, to }) => to > from);
    if (within.reduce((sum, { from, to }) => sum + to - from, 0) > limits.mergedCells)
      throw new UnreadableFile('file_merged', { limit: limits.mergedCells });
    return within;
  };
  return { handlers, take: () => found.splice(0), takeMerged };
};

/** The largest number of sheets from which a user may choose. */
const mostSheetsNamed = 200;

export interface SheetChoice {
  /**
   * The index of the sheet; undefined for the first visible sheet with a row. Hidden sheets are
   * skipped because they often contain only lists of choices.
   */
  sheet?: number | undefined;
  /** Called between two pieces of work, so that the caller can pause. */
  rest?: (() => void) | undefined;
}

/**
 * The indexes of the sheets that are tried in this order. The first of them that has a row is read.
 */
const sheetsToRead = ({ sheets }: Parts, sheet: number | undefined): number[] => {
  if (sheet !== undefined) return [sheet];
  const shown = sheets.flatMap(({ hidden }, at) => (hidden ? [] : [at]));
  return shown.length === 0 && sheets.length > 0 ? [0] : shown;
};

/**
 * True if a sheet that will be read declares a line number above `most` before its first row with a
 * value. Empty lines with only a format count too.
 */
export const claimsMoreLines = async (
  file: Buffer,
  limits: ReadLimits,
  sheet: number | undefined,
  most: number,
): Promise<boolean> => {
  const archive = openArchive(file, limits);
  const parts = await partsOf(archive, limits);
  for (const at of sheetsToRead(parts, sheet)) {
    const path = parts.sheets[at]?.path;
    if (path === null || path === undefined) continue;
    let last = 0;
    let isOver = false;
    const handlers: XmlHandlers = {
      open: (tag, attributes) => {
        if (tag === 'dimension')
          last = Number(/\d{1,7}$/.exec(attributesOf(attributes)['ref'] ?? '')?.[0] ?? 0);
        else if (tag === 'sheetData') isOver = true;
      },
      close: () => {},
      text: () => {},
    };
    for await (const _ of scan(archive, path, handlers)) if (isOver) break;
    if (last > most) return true;
  }
  return false;
};

/**
 * Yields the rows of a sheet while it is inflated. Returns the merged cells, which the file
 * contains after the rows, and the list of sheets. Throws `UnreadableFile`.
 */
export async function* xlsxRows(
  file: Buffer,
  limits: ReadLimits,
  { sheet, rest }: SheetChoice = {},
): AsyncGenerator<SheetRow, SheetEnd> {
  const archive = openArchive(file, limits, rest);
  const parts = await partsOf(archive, limits);
  const sheets = parts.sheets
    .slice(0, mostSheetsNamed)
    .map(({ name, hidden }) => ({ name, hidden }));
  const strings =
    parts.strings === null
      ? createSharedStrings(0)
      : await readStrings(archive, parts.strings, limits);
  const styles =
    parts.styles === null ? [] : await numberStyles(archive, parts.styles, limits.partBytes);
  for (const at of sheetsToRead(parts, sheet)) {
    const path = parts.sheets[at]?.path;
    if (path === null || path === undefined) throw new UnreadableFile();
    const rows = createRows({ strings, styles, since1904: parts.since1904 }, limits);
    let isEmpty = true;
    for await (const _ of scan(archive, path, rows.handlers))
      for (const row of rows.take()) {
        isEmpty = false;
        yield row;
      }
    if (!isEmpty) return { merged: rows.takeMerged(), sheets, sheet: at };
  }
  return { ...noSheets, sheets };
}
