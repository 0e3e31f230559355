import { visibleText } from '@waystation/contract/base/visible-text.ts';
import fc from 'fast-check';

/**
 * Returns a text in its stored form, on one line. Invisible characters, and characters that no cell
 * can contain, are removed.
 */
export const storedText = (text: string): string =>
  visibleText(text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
/** Returns a row as it is stored: without empty cells at its end. */
export const storedRow = (cells: readonly string[]): string[] => {
  const row = cells.map(storedText);
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
};

/** Texts that people, shops or attackers may write into cells. */
const piece = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  "'",
  '"',
  '="',
  ',',
  ';',
  '|',
  '\t',
  '\n',
  '\r\n',
  ' ',
  '＝',
  '0',
  '138',
  '_x0041_',
  '_x000D_',
  '&amp;',
  '<',
  ']]>',
  '𠮷',
  '示例',
  '\ufeff',
  'sep=;',
  '1.38E+10',
);
export const cellTexts = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
