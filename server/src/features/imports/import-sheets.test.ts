import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openImports, sheetTitles } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { workbookOf, zipOf } from '#testing/workbooks.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

interface Line {
  at: number;
  cells: readonly string[];
  hidden?: boolean;
}
const rowXml = ({ at, cells, hidden }: Line): string => {
  const texts = cells.map((text, column) => `<c r="${String.fromCharCode(65 + column)}${at}" t="inlineStr"><is><t>${text}</t></is></c>`);
  return `<row r="${at}"${hidden ? ' hidden="1"' : ''}>${texts.join('')}</row>`;
};
let files = 0;
const workbook = (lines: readonly Line[], merges: readonly string[] = []): File => {
  const merged = merges.length === 0 ? '' : `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  const bytes = zipOf(workbookOf(`<worksheet><sheetData>${lines.map(rowXml).join('')}</sheetData>${merged}</worksheet>`));
  return new File([Uint8Array.from(bytes)], `表 ${++files}.xlsx`);
};

describe('a row of an import', () => {
  it('has the line that a spreadsheet shows, below a heading and empty rows', async () => {
    const twin = imports.line();
    const { id } = await imports.checked(
      workbook([
        { at: 1, cells: ['六月订单'] },
        { at: 3, cells: sheetTitles },
        { at: 6, cells: twin },
        { at: 7, cells: [' '] },
        { at: 9, cells: twin },
      ]),
    );
    const rows = await imports.rows(id);
    expect(rows.map(({ no, line }) => [no, line])).toEqual([
      [1, 6],
      [2, 9],
    ]);
    expect(rows[1]!.problems).toMatchObject([{ reason: { code: 'import_repeats_row', params: { line: 6 } } }]);
  });

  it('that the sheet hides is left out and counted, until it is included', async () => {
    const found = await imports.checked(
      workbook([
        { at: 1, cells: sheetTitles },
        { at: 2, cells: imports.line() },
        { at: 3, cells: imports.line(), hidden: true },
        { at: 4, cells: imports.line({ 物品: '没有这种' }), hidden: true },
      ]),
    );
    expect(found).toMatchObject({ rows_total: 3, hidden_rows: 2, counts: { ok: 1, excluded: 2, error: 0 } });
    expect((await imports.rows(found.id))[1]).toMatchObject({ mark: 'excluded', reason: { code: 'import_hidden_row' } });
    expect((await imports.priced(found)).quote).toMatchObject({ rows: 1 });
    await imports.edit(found.id, { action: 'include', marks: ['excluded'] });
    expect((await imports.get(found.id)).counts).toMatchObject({ ok: 2, excluded: 0, error: 1 });
    expect((await imports.rows(found.id)).map(({ reason }) => reason)).toEqual([null, null, null]);
  });

  it('in merged cells has their text, and says so as long as it is not typed over', async () => {
    const [first, second, third] = [imports.line({ 收件人: '示例合并' }), imports.line({ 收件人: '', 手机: '' }), imports.line({ 收件人: '' })];
    const { id } = await imports.checked(
      workbook(
        [
          { at: 1, cells: sheetTitles },
          { at: 2, cells: first },
          { at: 4, cells: second },
          { at: 5, cells: third },
        ],
        ['A2:A4', 'B2:B4', 'A1:A1', 'I5:J5'],
      ),
    );
    const rows = await imports.rows(id);
    expect(rows.map(({ mark, values }) => [mark, values.receive_name, values.receive_phone])).toEqual([
      ['ok', '示例合并', first[1]],
      ['warning', '示例合并', first[1]],
      ['error', '', third[1]],
    ]);
    const said = (at: number) => rows[at]!.problems.filter(({ reason }) => reason.code === 'import_merged_cell').map(({ field }) => field);
    expect([said(0), said(1), said(2)]).toEqual([[], ['receive_name', 'receive_phone'], []]);
    const edit = await imports.call<{ row: { mark: string; problems: object[] } }>('PATCH', `/${id}/rows/2`, {
      version: rows[1]!.version,
      values: { receive_name: '示例另一人', receive_phone: '13900139009' },
    });
    expect(edit.data.row).toMatchObject({ mark: 'ok', problems: [] });
  });
});
