import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfSheet } from '#testing/written-sheets.ts';
import { plainText } from './cells.ts';
import { readLimits } from './limits.ts';
import { separatedRows } from './separated.ts';
import { xlsxRows } from './xlsx-rows.ts';

/** A text as it is stored: on one line, without what no cell can contain. */
const stored = (text: string): string =>
  plainText(text)
    .replaceAll(/[\u0000-\u001f\u007f\ufeff]+/g, ' ')
    .trim();
const rowOf = (cells: readonly string[]): string[] => {
  const row = cells.map(stored);
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
};

/** What people, shops and attackers write into cells. */
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
const text = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
const sheet = fc.integer({ min: 1, max: 6 }).chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));

describe('a sheet that the product wrote', () => {
  it.each(['xlsx', 'csv'] as const)('a sheet is read as the texts that were written: %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(sheet, async (rows) => {
        const [titles = [], ...others] = rows;
        const file = await bytesOfSheet(format, titles, others);
        const read = await Array.fromAsync(format === 'csv' ? separatedRows(file, readLimits) : xlsxRows(file, readLimits));
        expect(read.map(({ cells }) => cells)).toEqual(rows.map(rowOf).filter((row) => row.length > 0));
      }),
      { numRuns: 300 },
    );
  });

  it('a CSV file is read by its own separator, however long a cell of others is', () => {
    const file = Buffer.from(`a,b\n1,"${';'.repeat(30_000)}"\n`);
    expect([...separatedRows(file, readLimits)][0]!.cells).toEqual(['a', 'b']);
  });
});
