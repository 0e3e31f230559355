import { cellText, rowOf } from './cell-text.ts';
import type { SheetRow } from './cell-text.ts';
import { mostColumns } from './limits.ts';
import type { ReadLimits } from './limits.ts';

/** The byte order of UTF-16 without a mark, where every second of the first bytes is zero as in digits and separators; null: not UTF-16. */
const byteOrder = (file: Buffer): 'utf-16le' | 'utf-16be' | null => {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be';
  const head = file.subarray(0, 4_096);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++;
  const [even, odd] = zeros as [number, number];
  if (Math.max(even, odd) * 10 < head.length) return null;
  if (odd > even * 4) return 'utf-16le';
  return even > odd * 4 ? 'utf-16be' : null;
};

/** UTF-16 by its mark or its zeros, UTF-8 if it is valid, else GBK, which spreadsheets in China write. */
const decoded = (file: Buffer): string => {
  const order = byteOrder(file);
  if (order !== null) return new TextDecoder(order).decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('gb18030').decode(file);
  }
};

const separators = [',', ';', '\t'] as const;

/** The separator that occurs most often outside of quotation marks in the first lines. */
const separatorOf = (text: string): string => {
  const head = text.slice(0, 20_000).replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string): number => head.split(separator).length;
  return separators.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ',');
};

/** The rows of a CSV file: quoted cells may contain separators and line ends, a doubled quotation mark is one. A line is what a spreadsheet makes a row of. Throws `UnreadableFile`. */
export function* separatedRows(file: Buffer, { cellChars }: ReadLimits): Generator<SheetRow> {
  const text = decoded(file);
  const separator = separatorOf(text);
  const plain = new RegExp(`[${separator === '\t' ? '\\t' : separator}\\r\\n]`, 'g');
  let cells: string[] = [];
  let line = 0;
  let at = 0;
  const take = (cell: string): void => {
    if (cells.length < mostColumns) cells.push(cellText(cell, cellChars));
  };
  while (at < text.length) {
    let cell: string;
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end < 0) end = text.length;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else cell = '';
    plain.lastIndex = at;
    const next = plain.exec(text)?.index ?? text.length;
    take(cell + text.slice(at, next));
    if (text[next] === separator) {
      at = next + 1;
      if (at < text.length) continue;
    } else at = next + (text[next] === '\r' && text[next + 1] === '\n' ? 2 : 1);
    const row = rowOf(cells);
    line++;
    if (row.length > 0) yield { cells: row, line, hidden: false };
    cells = [];
  }
}
