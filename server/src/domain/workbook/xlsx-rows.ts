import { firstOf } from '@waystation/contract/base/present.ts';
import { openArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { cellText, noSheets, rowOf } from './cell-text.ts';
import type { MergedCells, SheetEnd, SheetRow } from './cell-text.ts';
import { UnreadableFile, mostColumns } from './limits.ts';
import type { ReadLimits } from './limits.ts';
import { builtInStyle, numberStyle, shownNumber } from './number-formats.ts';
import type { NumberStyle } from './number-formats.ts';
import { createSharedStrings } from './shared-strings.ts';
import type { SharedStrings } from './shared-strings.ts';
import { attributesOf, createXmlScanner, decodeXml } from './xml-scanner.ts';
import type { XmlHandlers } from './xml-scanner.ts';

/** The limit of a tag's length; regular files stay below it. */
const longestTag = 65_536;
/** `&quot;` for each character. */
const rawFactor = 6;

const decoderFor = (first: Buffer): InstanceType<typeof TextDecoder> => {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le');
  return new TextDecoder(first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8');
};

/**
 * Scans an entry; yields after each piece, so that the consumer can process its result before
 * the next one.
 */
async function* scan(
  archive: Archive,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<number> {
  const scanner = createXmlScanner(handlers, longestTag);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const piece of archive.open(name)) {
    decoder ??= decoderFor(piece);
    scanner.write(decoder.decode(piece, { stream: true }));
    yield piece.length;
  }
}

/** The wanted tags of a small part with their attributes; always including the first tag. */
const tagsOf = async (
  archive: Archive,
  name: string,
  limit: number,
  wanted: readonly string[],
): Promise<{ name: string; attributes: Record<string, string>; closes: boolean }[]> => {
  const tags: { name: string; attributes: Record<string, string>; closes: boolean }[] = [];
  const handlers = {
    open: (tag: string, attributes: string) => {
      if (tags.length === 0 || wanted.includes(tag))
        tags.push({ name: tag, attributes: attributesOf(attributes), closes: false });
    },
    close: (tag: string) => {
      if (wanted.includes(tag)) tags.push({ name: tag, attributes: {}, closes: true });
    },
    text: () => {},
  };
  let read = 0;
  for await (const length of scan(archive, name, handlers))
    if ((read += length) > limit) throw new UnreadableFile();
  return tags;
};

interface Parts {
  sheets: { name: string; hidden: boolean; path: string | null }[];
  strings: string | null;
  styles: string | null;
  since1904: boolean;
}

const directory = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const resolved = (from: string, target: string): string =>
  new URL(target, `file:///${directory(from)}`).pathname.slice(1);
const relationsOf = (path: string): string =>
  `${directory(path)}_rels/${path.slice(directory(path).length)}.rels`;

/** The parts of a workbook that all of its sheets share, and the sheets in their order. */
const partsOf = async (
  archive: Archive,
  { partBytes: limit, sheets: mostSheets }: ReadLimits,
): Promise<Parts> => {
  const few = <T>(list: readonly T[]): readonly T[] => {
    if (list.length > mostSheets)
      throw new UnreadableFile('file_sheets', { count: list.length, limit: mostSheets });
    return list;
  };
  const relations = async (of: string) =>
    few(
      (archive.has(relationsOf(of))
        ? await tagsOf(archive, relationsOf(of), limit, ['Relationship'])
        : []
      ).filter(({ name, closes }) => name === 'Relationship' && !closes),
    ).map(({ attributes: { Id = '', Type = '', Target = '' } }) => ({
      id: Id,
      type: Type.slice(Type.lastIndexOf('/') + 1),
      path: resolved(of, Target),
    }));
  if (archive.has('mimetype') && archive.has('content.xml'))
    throw new UnreadableFile('file_opendocument');
  const workbook = (await relations('')).find(({ type }) => type === 'officeDocument')?.path;
  if (workbook === undefined)
    throw new UnreadableFile(
      archive.has('[Content_Types].xml') ? 'file_unreadable' : 'file_not_workbook',
    );
  if (workbook.endsWith('.bin')) throw new UnreadableFile('file_binary_workbook');
  const tags = await tagsOf(archive, workbook, limit, ['sheet', 'workbookPr']);
  if (tags.length > 0 && firstOf(tags).name !== 'workbook')
    throw new UnreadableFile('file_not_workbook');
  const sheets = few(
    tags.filter(({ name, attributes }) => name === 'sheet' && attributes['id'] !== undefined),
  ).map(({ attributes }) => attributes);
  const parts = await relations(workbook);
  const find = (type: string): string | null =>
    parts.find((part) => part.type === type && archive.has(part.path))?.path ?? null;
  const since = tags.find(
    ({ name, attributes }) => name === 'workbookPr' && attributes['date1904'] !== undefined,
  )?.attributes['date1904'];
  // Sheets that only a macro can show hold lists for cells of the others.
  const possible = sheets.filter(({ state }) => state !== 'veryHidden');
  const listed = (possible.length > 0 ? possible : sheets).map(
    ({ id, name = '', state = 'visible' }) => ({
      name: cellText(decodeXml(name), limit),
      hidden: state !== 'visible',
      path: parts.find((part) => part.id === id)?.path ?? null,
    }),
  );
  return {
    sheets: listed,
    strings: find('sharedStrings'),
    styles: find('styles'),
    since1904: since === '1' || since === 'true',
  };
};

const readStrings = async (
  archive: Archive,
  name: string,
  limits: ReadLimits,
): Promise<SharedStrings> => {
  const strings = createSharedStrings(limits.sharedStringBytes);
  const mostRaw = limits.cellChars * rawFactor;
  let text: string | null = null;
  let count = 0;
  let inText = false;
  let phonetic = false;
  const handlers: XmlHandlers = {
    open: (tag) => {
      if (tag === 'si') text = '';
      else if (tag === 'rPh') phonetic = true;
      else if (tag === 't') inText = !phonetic;
    },
    close: (tag) => {
      if (tag === 'rPh') phonetic = false;
      else if (tag === 't') inText = false;
      else if (tag === 'si' && text !== null) {
        if (++count > limits.sharedStrings)
          throw new UnreadableFile('file_string_count', { limit: limits.sharedStrings });
        strings.add(cellText(unescaped(decodeXml(text)), limits.cellChars));
        text = null;
      }
    },
    text: (raw) => {
      if (!inText || text === null) return;
      text += raw;
      if (text.length > mostRaw) throw new UnreadableFile('file_cell', { limit: limits.cellChars });
    },
  };
  for await (const _ of scan(archive, name, handlers));
  return strings;
};

/** `_x000D_` is the escape of a character that XML cannot contain. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;

/** Characters of a number format; Excel allows no more. */
const longestFormat = 255;

/** How each of a workbook's cell styles shows a number. */
const numberStyles = async (
  archive: Archive,
  name: string,
  limit: number,
): Promise<NumberStyle[]> => {
  const formats = new Map<number, NumberStyle>();
  const styles: NumberStyle[] = [];
  let inCells = false;
  for (const { name: tag, attributes, closes } of await tagsOf(archive, name, limit, [
    'cellXfs',
    'numFmt',
    'xf',
  ])) {
    if (tag === 'cellXfs') inCells = !closes;
    else if (closes) continue;
    else if (tag === 'numFmt')
      formats.set(
        Number(attributes['numFmtId']),
        numberStyle((attributes['formatCode'] ?? '').slice(0, longestFormat)),
      );
    else if (tag === 'xf' && inCells) {
      const id = Number(attributes['numFmtId'] ?? 0);
      styles.push(formats.get(id) ?? builtInStyle(id));
    }
  }
  return styles;
};

/** `BC12` → 54; -1: not a reference. */
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

/** The number of a row as it is written; null: not a number. */
const lineOf = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;

/** The first column of merged cells that are in several rows; null otherwise. */
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

/** Collects the rows of a sheet from its tags. */
const createRows = (
  strings: SharedStrings,
  styles: readonly NumberStyle[],
  since1904: boolean,
  limits: ReadLimits,
) => {
  const found: SheetRow[] = [];
  const merged: MergedCells[] = [];
  let cells: string[] | null = null;
  let line = 0;
  let hidden = false;
  let cell: Cell | null = null;
  let next = 0;
  let inText = false;
  const textOf = ({ type, style, raw }: Cell): string => {
    if (type === 's') return raw === '' ? '' : strings.at(Number(raw));
    const text = decodeXml(raw);
    if (type === 'b') return /^(?:1|true)$/i.test(text) ? 'true' : 'false';
    if (type === 'str' || type === 'inlineStr') return cellText(unescaped(text), limits.cellChars);
    const number = text.trim() === '' || type === 'e' || type === 'd' ? Number.NaN : Number(text);
    if (Number.isNaN(number)) return cellText(text, limits.cellChars);
    return shownNumber(number, styles[style] ?? null, since1904);
  };
  const openCell = (attributes: string): Cell => {
    const opened: Cell = { column: next, type: '', style: -1, raw: '' };
    for (const [, name, double, single] of attributes.matchAll(cellAttributes)) {
      const value = double ?? single ?? '';
      if (name === 'r') opened.column = Math.max(columnOf(value), 0);
      else if (name === 't') opened.type = value;
      else opened.style = Number(value);
    }
    next = opened.column + 1;
    return opened;
  };
  const handlers: XmlHandlers = {
    open: (tag, attributes) => {
      if (tag === 'c') {
        if (cells) cell = openCell(attributes);
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
        if (cell.column < mostColumns && cells) cells[cell.column] = textOf(cell);
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
  /** Merged cells within the sheet's rows. */
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

/** The limit of sheets that a user may choose from. */
const mostSheetsNamed = 200;

export interface SheetChoice {
  /**
   * Undefined: the first visible sheet with a row, since lists of choices are often in a hidden one
   * before it.
   */
  sheet?: number | undefined;
  /** Called between pieces of work. */
  rest?: (() => void) | undefined;
}

/** The sheets that are searched for the first one with a row. */
const sheetsToRead = ({ sheets }: Parts, sheet: number | undefined): number[] => {
  if (sheet !== undefined) return [sheet];
  const shown = sheets.flatMap(({ hidden }, at) => (hidden ? [] : [at]));
  return shown.length === 0 && sheets.length > 0 ? [0] : shown;
};

/**
 * Whether a readable sheet declares more lines than this before its rows, including empty lines of
 * any format.
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
 * The rows of a sheet while it is inflated, then its merged cells, which the file lists last, and
 * the list of sheets. Throws `UnreadableFile`.
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
    const rows = createRows(strings, styles, parts.since1904, limits);
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
