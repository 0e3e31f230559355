import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellTexts as text, storedRow as rowOf } from '#testing/sheet-texts.ts';
import { bytesOfSheet } from '#testing/written-sheets.ts';
import { readLimits } from './limits.ts';
import { separatedRows } from './separated.ts';
import { xlsxRows } from './xlsx-rows.ts';

const sheet = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.array(fc.array(text, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 8,
  }),
);

describe('reading a sheet that the product wrote', () => {
  it.each(['xlsx', 'csv'] as const)(
    'a sheet that the product wrote is read as the texts that were written: %s',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(sheet, async (rows) => {
          const [titles = [], ...others] = rows;
          const file = await bytesOfSheet(format, titles, others);
          const read = await Array.fromAsync(
            format === 'csv' ? separatedRows(file, readLimits) : xlsxRows(file, readLimits),
          );
          expect(read.map(({ cells }) => cells)).toEqual(
            rows.map(rowOf).filter((row) => row.length > 0),
          );
        }),
        { numRuns: 300 },
      );
    },
  );

  it('the separator of a CSV file is found even if a long quoted cell contains many other separators', () => {
    const file = Buffer.from(`a,b\n1,"${';'.repeat(30_000)}"\n`);
    expect([...separatedRows(file, readLimits)][0]!.cells).toEqual(['a', 'b']);
  });
});
