import { firstOf } from '@waystation/contract/base/present.ts';
import type { Archive } from './archive.ts';
import { cellText } from './cell-text.ts';
import { UnreadableFile } from './limits.ts';
import type { ReadLimits } from './limits.ts';
import { builtInStyle, numberStyle } from './number-formats.ts';
import type { NumberStyle } from './number-formats.ts';
import { createSharedStrings } from './shared-strings.ts';
import type { SharedStrings } from './shared-strings.ts';
import { attributesOf, createXmlScanner, decodeXml } from './xml-scanner.ts';
import type { XmlHandlers } from './xml-scanner.ts';

/** The largest number of characters of an XML tag; the tags of regular files are shorter. */
const longestTag = 65_536;
/** The largest number of characters that XML needs for one character: `&quot;` has six. */
export const rawFactor = 6;

const decoderFor = (first: Buffer): InstanceType<typeof TextDecoder> => {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le');
  return new TextDecoder(first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8');
};

/**
 * Scans an entry. It yields after each piece, so that the caller can process the result before the
 * next piece.
 */
export async function* scan(
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

/**
 * The tags with the `wanted` names in a small part, with their attributes. The first tag is always
 * included.
 */
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

export interface Parts {
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

/** Reads the parts of a workbook that all its sheets share, and the list of its sheets in order. */
export const partsOf = async (
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
  // Sheets with the state `veryHidden` can only be shown by a macro, and contain lists for cells of
  // other sheets.
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

export const readStrings = async (
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

/** Replaces escapes such as `_x000D_`, which stand for characters that XML cannot contain. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;

/** The largest number of characters of a number format. Excel has the same limit. */
const longestFormat = 255;

/** Reads how each cell style of a workbook displays a number. */
export const numberStyles = async (
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
