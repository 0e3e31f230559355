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
  const texts = cells.map(
    (text, column) =>
      `<c r="${String.fromCharCode(65 + column)}${at}" t="inlineStr"><is><t>${text}</t></is></c>`,
  );
  return `<row r="${at}"${hidden ? ' hidden="1"' : ''}>${texts.join('')}</row>`;
};
let files = 0;
const workbook = (lines: readonly Line[], merges: readonly string[] = []): File => {
  const merged =
    merges.length === 0
      ? ''
      : `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  const bytes = zipOf(
    workbookOf(
      `<worksheet><sheetData>${lines.map(rowXml).join('')}</sheetData>${merged}</worksheet>`,
    ),
  );
  return new File([Uint8Array.from(bytes)], `表 ${++files}.xlsx`);
};

describe('a row of an import', () => {
  it('an import row has the line number that a spreadsheet shows, even below a heading and empty rows', async () => {
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
    expect(rows[1]!.problems).toMatchObject([
      { reason: { code: 'import_repeats_row', params: { line: 6 } } },
    ]);
  });

  it('an import row that the sheet hides is excluded and counted, until the user includes it', async () => {
    const found = await imports.checked(
      workbook([
        { at: 1, cells: sheetTitles },
        { at: 2, cells: imports.line() },
        { at: 3, cells: imports.line(), hidden: true },
        { at: 4, cells: imports.line({ 物品: '没有这种' }), hidden: true },
      ]),
    );
    expect(found).toMatchObject({
      rows_total: 3,
      hidden_rows: 2,
      counts: { ok: 1, excluded: 2, error: 0 },
    });
    expect((await imports.rows(found.id))[1]).toMatchObject({
      mark: 'excluded',
      reason: { code: 'import_hidden_row' },
    });
    expect((await imports.priced(found)).quote).toMatchObject({ rows: 1 });
    await imports.edit(found.id, { action: 'include', marks: ['excluded'] });
    expect((await imports.get(found.id)).counts).toMatchObject({ ok: 2, excluded: 0, error: 1 });
    expect((await imports.rows(found.id)).map(({ reason }) => reason)).toEqual([null, null, null]);
  });

  it('an import row with totals or repeated titles is excluded with a notice, but a totals row with a phone is imported as a parcel', async () => {
    const found = await imports.checked(
      workbook([
        { at: 1, cells: sheetTitles },
        { at: 2, cells: imports.line() },
        { at: 3, cells: imports.line({ 收件人: '总计' }) },
        { at: 4, cells: ['', '合计：2 单', '', '', '', '', '', '3'] },
        { at: 5, cells: sheetTitles },
      ]),
    );
    expect(found).toMatchObject({
      rows_total: 4,
      hidden_rows: 0,
      counts: { ok: 2, excluded: 2, error: 0 },
    });
    expect((await imports.rows(found.id)).slice(2)).toMatchObject([
      { mark: 'excluded', reason: { code: 'import_totals_row' } },
      { mark: 'excluded', reason: { code: 'import_titles_row' } },
    ]);
    await imports.edit(found.id, { action: 'include', marks: ['excluded'] });
    expect((await imports.get(found.id)).counts).toMatchObject({ excluded: 0, error: 2 });
  });

  it('import rows in merged cells get the text of the merged cell, with a notice until the text is edited', async () => {
    const [first, second, third] = [
      imports.line({ 收件人: '示例合并' }),
      imports.line({ 收件人: '', 手机: '' }),
      imports.line({ 收件人: '' }),
    ];
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
    expect(
      rows.map(({ mark, values }) => [mark, values.receive_name, values.receive_phone]),
    ).toEqual([
      ['ok', '示例合并', first[1]],
      ['warning', '示例合并', first[1]],
      ['error', '', third[1]],
    ]);
    const said = (at: number) =>
      rows[at]!.problems.filter(({ reason }) => reason.code === 'import_merged_cell').map(
        ({ field }) => field,
      );
    expect([said(0), said(1), said(2)]).toEqual([[], ['receive_name', 'receive_phone'], []]);
    const edit = await imports.call<{ row: { mark: string; problems: object[] } }>(
      'PATCH',
      `/${id}/rows/2`,
      {
        version: rows[1]!.version,
        values: { receive_name: '示例另一人', receive_phone: '13900139009' },
      },
    );
    expect(edit.data.row).toMatchObject({ mark: 'ok', problems: [] });
  });
});

describe('an import of a workbook with several sheets', () => {
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
  const severalSheets = (
    ...sheets: { name: string; lines: readonly Line[]; hidden?: boolean }[]
  ): File => {
    const parts = sheets.map(({ lines }, at) => [
      `xl/worksheets/sheet${at + 1}.xml`,
      Buffer.from(`<worksheet><sheetData>${lines.map(rowXml).join('')}</sheetData></worksheet>`),
    ]);
    const tags = sheets.map(
      ({ name, hidden }, at) =>
        `<sheet name="${name}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
    );
    const relations = sheets.map(
      (_, at) =>
        `<Relationship Id="rId${at + 1}" Type="${relation}" Target="worksheets/sheet${at + 1}.xml"/>`,
    );
    const bytes = zipOf({
      ...workbookOf('<worksheet/>'),
      'xl/workbook.xml': Buffer.from(`<workbook><sheets>${tags.join('')}</sheets></workbook>`),
      'xl/_rels/workbook.xml.rels': Buffer.from(
        `<Relationships>${relations.join('')}</Relationships>`,
      ),
      ...Object.fromEntries(parts),
    });
    return new File([Uint8Array.from(bytes)], `表 ${++files}.xlsx`);
  };
  const orders = (...lines: string[][]): Line[] =>
    [sheetTitles, ...lines].map((cells, at) => ({ at: at + 1, cells }));
  const choose = ({ id, version }: { id: number; version: number }, sheet: number) =>
    imports.call('POST', `/${id}/mapping`, { version, sheet, mapping: {} });

  it('an import reads the first visible sheet with rows, and another one when the user chooses it', async () => {
    const found = await imports.checked(
      severalSheets(
        { name: '选项', lines: [{ at: 1, cells: ['文件'] }], hidden: true },
        { name: '封面', lines: [] },
        { name: '六月', lines: orders(imports.line(), imports.line()) },
        { name: '七月', lines: orders(imports.line({ 物品: '' })) },
      ),
    );
    expect(found).toMatchObject({ status: 'ready', sheet: 2, rows_total: 2 });
    expect(found.sheets).toEqual([
      { name: '选项', hidden: 1 },
      { name: '封面', hidden: 0 },
      { name: '六月', hidden: 0 },
      { name: '七月', hidden: 0 },
    ]);
    expect((await choose(found, 3)).status).toBe(200);
    const other = await imports.settled(found.id);
    expect(other).toMatchObject({
      status: 'ready',
      sheet: 3,
      rows_total: 1,
      counts: { error: 1, ok: 0 },
    });
    expect(await imports.rows(found.id)).toHaveLength(1);
    expect((await choose(other, 4)).status).toBe(422);
    expect((await choose(found, 2)).status).toBe(409);
  });

  it('the sheet of an import cannot be changed after an import row became an order', async () => {
    const found = await imports.checked(
      severalSheets(
        { name: '六月', lines: orders(imports.line()) },
        { name: '七月', lines: orders(imports.line()) },
      ),
    );
    const done = await imports.ordered(found);
    expect((await choose(done, 1)).status).toBe(409);
  });

  it('an import fails as empty if the chosen sheet has no rows, and the file can be uploaded again', async () => {
    const file = severalSheets(
      { name: '六月', lines: orders(imports.line()) },
      { name: '空', lines: [] },
    );
    const found = await imports.checked(file);
    await choose(found, 1);
    expect(await imports.settled(found.id)).toMatchObject({
      status: 'failed',
      reason: { code: 'file_empty' },
    });
    expect(await imports.checked(file)).toMatchObject({ status: 'ready', sheet: 0 });
  });
});
