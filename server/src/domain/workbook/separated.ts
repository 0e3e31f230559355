import { cellText, rowOf } from './cell-text.ts';
import type { SheetRow } from './cell-text.ts';
import { withoutGuard } from './cells.ts';
import { textOf } from './encoding.ts';
import { UnreadableFile, mostColumns } from './limits.ts';
import type { ReadLimits } from './limits.ts';

const separators = [',', ';', '\t', '|'] as const;

/** A first line that tells spreadsheets the separator; they show it as no row. */
const separatorLine = /^\ufeff?sep=([,;|\t])(?:\r\n|\r|\n)/i;

/** The separator that occurs most often outside of quotation marks in the first lines. */
const separatorOf = (text: string): string => {
  const head = text.slice(0, 20_000).replaceAll(/"(?:[^"]|"")*(?:"|$)/g, '');
  const count = (separator: string): number => head.split(separator).length;
  return separators.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ',');
};

const lineFeed = 10;

/** The rows of a CSV file: quoted cells may contain separators and line ends, a doubled quotation mark is one. A line is what a spreadsheet makes a row of. Throws `UnreadableFile`. */
export function* separatedRows(file: Buffer, { cellChars, rowChars }: ReadLimits): Generator<SheetRow> {
  const whole = textOf(file);
  const [declaration = '', declared] = separatorLine.exec(whole) ?? [];
  const text = whole.slice(declaration.length);
  const separator = declared ?? separatorOf(text);
  const plain = new RegExp(`[${separator}\\r\\n]`, 'g');
  let cells: string[] = [];
  let line = 0;
  let at = 0;
  const take = (cell: string): void => {
    if (cells.length < mostColumns) cells.push(cellText(withoutGuard(cell), cellChars));
  };
  while (at < text.length) {
    if (cells.length === 0 && text.charCodeAt(at) === lineFeed) {
      line++;
      at++;
      continue;
    }
    if (text[at] === separator && at + 1 < text.length) {
      if (cells.length < mostColumns) cells.push('');
      at++;
      continue;
    }
    let cell: string;
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end < 0) end = text.length;
      // Each doubled quotation mark is one.
      if (end - at > cellChars * 2 + 1) throw new UnreadableFile('file_cell', { limit: cellChars });
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
    line++;
    const row = rowOf(cells, line, rowChars);
    if (row.length > 0) yield { cells: row, line, hidden: false };
    cells = [];
  }
}
