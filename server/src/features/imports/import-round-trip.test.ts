import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { narrow } from '@waystation/contract/shell/search.ts';
import { openImports, sheetTitles } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { cellTexts, storedRow, storedText } from '#testing/sheet-texts.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { bytesOfSheet } from '#testing/written-sheets.ts';
import { isNoValue } from '#domain/imports/row-texts.ts';
import { sql } from '#platform/db/db.ts';

/** WAYSTATION_FUZZ_RUNS=500 WAYSTATION_FUZZ_SEED=7 sets a longer run with another seed. */
const numRuns = Number(process.env['WAYSTATION_FUZZ_RUNS'] ?? 6);
const seed = Number(process.env['WAYSTATION_FUZZ_SEED'] ?? 1);

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  imports = await openImports(system);
});
afterAll(() => system.close());

const titles = [...sheetTitles, '备注', '说明'];
/**
 * The text that the import shows for a written text. It is unchanged, except that words for a
 * missing value become an empty cell.
 */
const meant = (text: string): string => (isNoValue(storedText(text)) ? '' : storedText(text));
const free = ['thr_order_id', 'remark', 'description'] as const;
const sheets = fc.array(fc.tuple(cellTexts, cellTexts, cellTexts), { minLength: 1, maxLength: 30 });

describe('an import of a sheet that the product wrote', () => {
  it.each(['xlsx', 'csv'] as const)(
    'an import of a sheet that the product wrote has the written rows, text for text: %s',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(sheets, async (texts) => {
          const rows = texts.map((own) => [...imports.line().slice(0, -1), ...own]);
          const bytes = await bytesOfSheet(format, titles, rows);
          const { id, version } = await imports.checked(
            new File([Uint8Array.from(bytes)], `表.${format}`),
          );
          const stored = await rowsOf(
            system,
            sql<{ cells: string[] }>`select cells
          from import_rows where import_id = ${id} order by no`,
          );
          expect(stored.map(({ cells }) => cells)).toEqual(rows.map(storedRow));
          const shown = await imports.rows(id);
          expect(shown.map(({ values }) => free.map((field) => values[field]))).toEqual(
            // Order numbers are shown with half-width characters, as in a search.
            texts.map(([number, ...notes]) => [narrow(meant(number)), ...notes.map(meant)]),
          );
          await imports.call('POST', `/${id}/cancel`, { version });
        }),
        { numRuns, seed },
      );
    },
  );
});
