import { firstOf } from '@waystation/contract/base/present.ts';
import { cellText, rowOf } from './cell-text.ts';
import type { SheetRow } from './cell-text.ts';
import { withoutGuard } from './cells.ts';
import { textPieces } from './encoding.ts';
import { UnreadableFile, mostColumns } from './limits.ts';
import type { ReadLimits } from './limits.ts';

const separators = [',', ';', '\t', '|'] as const;

/** Matches a first line that tells spreadsheets the separator; they do not show it as a row. */
const separatorLine = /^\ufeff?sep=([,;|\t])(?:\r\n|\r|\n)/i;

/** The number of characters that are read to detect the separator. */
const headChars = 20_000;

/**
 * The separator that occurs equally often in each of the first lines, or else the separator that
 * occurs most often. Text in quotation marks does not count. The first rule is needed because an
 * address may contain more commas than its row has tabs.
 */
const separatorOf = (text: string): string => {
  const head = text.slice(0, headChars).replaceAll(/"(?:[^"]|"")*(?:"|$)/g, '');
  const count = (part: string, separator: string): number => part.split(separator).length - 1;
  const lines = head.split(/[\r\n]+/).filter((line) => line !== '');
  // The last line may be cut off at `headChars`, so it is not compared.
  if (text.length > headChars) lines.pop();
  const isEven = (separator: string): boolean => {
    const each = count(firstOf(lines), separator);
    return each > 0 && lines.every((line) => count(line, separator) === each);
  };
  const even = lines.length > 1 ? separators.filter(isEven) : [];
  const most = (among: readonly string[]): string =>
    among.reduce((best, one) => (count(head, one) > count(head, best) ? one : best));
  return most(even.length > 0 ? even : separators);
};

const lineFeed = 10;
const carriageReturn = 13;

/**
 * The part of the text around the current cell. Earlier text is dropped, and later text is decoded
 * when it is needed.
 */
class Window {
  text = '';
  at = 0;
  readonly #pieces: Iterator<string>;
  #isWhole = false;
  constructor(file: Buffer) {
    this.#pieces = textPieces(file);
  }
  /**
   * Reads one more piece of the file and removes the text before `at`; `at` becomes 0. Returns
   * false at the end of the file.
   */
  more(): boolean {
    if (this.#isWhole) return false;
    const { done, value } = this.#pieces.next();
    if (done) {
      this.#isWhole = true;
      return false;
    }
    this.text = this.text.slice(this.at) + value;
    this.at = 0;
    return true;
  }
  /** Reads until there are this many characters from `at` on, or the file ends. */
  ensure(characters: number): void {
    while (this.text.length - this.at < characters && this.more());
  }
  /**
   * The position, relative to `at`, of the first match at or after `from`. It is the end of the
   * file if there is no match. The search stops after `most` characters.
   */
  find(pattern: RegExp, from: number, most: number): number {
    for (let start = from; ;) {
      pattern.lastIndex = this.at + start;
      const found = pattern.exec(this.text);
      if (found) return found.index - this.at;
      start = this.text.length - this.at;
      // The search stops here: a text longer than `most` is refused as a cell, and each further
      // piece would copy it again.
      if (start - from > most || !this.more()) return start;
    }
  }
}

/**
 * Yields the rows of a CSV file. Quoted cells may contain separators, line ends and doubled
 * quotation marks. Lines are counted as a spreadsheet counts rows. Throws `UnreadableFile`.
 */
export function* separatedRows(
  file: Buffer,
  { cellChars, rowChars }: ReadLimits,
): Generator<SheetRow> {
  const window = new Window(file);
  /**
   * The number of characters that are kept ahead. A cell of one character above the limit fits,
   * even if each character is a doubled quotation mark.
   */
  const ahead = cellChars * 2 + 4;
  window.ensure(Math.max(ahead, headChars));
  const [declaration = '', declared] = separatorLine.exec(window.text) ?? [];
  window.at = declaration.length;
  const separator = declared ?? separatorOf(window.text);
  const plain = new RegExp(`[${separator}\\r\\n]`, 'g');
  let cells: string[] = [];
  let line = 0;
  /**
   * A quotation mark that is never closed is an ordinary character: otherwise the rows after it
   * would be read as part of the cell.
   */
  let isOpen = false;
  const take = (cell: string): void => {
    if (cells.length < mostColumns) cells.push(cellText(withoutGuard(cell), cellChars));
  };
  for (;;) {
    window.ensure(ahead);
    const { text, at } = window;
    if (at >= text.length) return;
    const code = text.charCodeAt(at);
    if (cells.length === 0 && (code === lineFeed || code === carriageReturn)) {
      line++;
      window.at += code === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
      continue;
    }
    if (text[at] === separator && at + 1 < text.length) {
      if (cells.length < mostColumns) cells.push('');
      window.at++;
      continue;
    }
    let cell = '';
    let length = 0;
    if (text[at] === '"' && !isOpen) {
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      // A doubled quotation mark counts as one character, so a quoted cell may take twice as many
      // characters in the file.
      if ((end < 0 ? text.length : end) - at > cellChars * 2 + 1)
        throw new UnreadableFile('file_cell', { limit: cellChars });
      if (end < 0) isOpen = true;
      else {
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        length = end + 1 - at;
      }
    }
    const next = window.find(plain, length, ahead);
    if (next - length > ahead) throw new UnreadableFile('file_cell', { limit: cellChars });
    const rest = window.text.slice(window.at + length, window.at + next);
    take(isOpen && rest === '""' ? '' : cell + rest);
    window.at += next;
    window.ensure(2);
    const ended = window.text[window.at];
    if (ended === separator) {
      window.at++;
      window.ensure(1);
      if (window.at < window.text.length) continue;
    } else window.at += ended === '\r' && window.text[window.at + 1] === '\n' ? 2 : 1;
    line++;
    const row = rowOf(cells, line, rowChars);
    if (row.length > 0) yield { cells: row, line, hidden: false };
    cells = [];
  }
}
