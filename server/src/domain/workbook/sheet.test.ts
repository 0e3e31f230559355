import { describe, expect, it } from 'vitest';
import { workbookOf, zipOf } from '#testing/workbooks.ts';
import { UnreadableFile, readSheet } from './workbook.ts';
import type { ReadSettings, SheetEnd, SheetRow, WorkbookFormat } from './workbook.ts';

const sheetOf = async (
  format: WorkbookFormat,
  file: Buffer,
  settings: Partial<ReadSettings> = {},
): Promise<{ rows: SheetRow[] } & SheetEnd> => {
  const source = readSheet(format, file, settings);
  const rows = [];
  for (;;) {
    const { done, value } = await source.next();
    if (done) return { rows, ...value };
    rows.push(value);
  }
};
const text = (reference: string, value: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const sheet = (rows: string, after = ''): string =>
  `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`;
const linesOf = ({ rows }: { rows: SheetRow[] }): unknown[] =>
  rows.map(({ line, cells, hidden }) => [line, cells[0], ...(hidden ? ['hidden'] : [])]);

describe('the rows of a sheet', () => {
  it('the rows of a sheet get the row numbers that a spreadsheet shows, even after empty rows and rows without a number', async () => {
    const xml = `<row r="2">${text('A2', 'a')}</row><row r="3"/><row r="5">${text('A5', 'b')}</row><row><c t="inlineStr"><is><t>c</t></is></c></row><row r="x">${text('A7', 'd')}</row>`;
    expect(linesOf(await sheetOf('xlsx', zipOf(workbookOf(sheet(xml)))))).toEqual([
      [2, 'a'],
      [5, 'b'],
      [6, 'c'],
      [7, 'd'],
    ]);
    expect(linesOf(await sheetOf('csv', Buffer.from('a\n\n"b\nb"\n,,\nc')))).toEqual([
      [1, 'a'],
      [3, 'b b'],
      [5, 'c'],
    ]);
  });

  it('workbook rows that were hidden by a filter or by hand are marked as hidden', async () => {
    const xml = `<row r="1">${text('A1', 'a')}</row><row r="2" hidden="1">${text('A2', 'b')}</row><row r="3" hidden="0">${text('A3', 'c')}</row><row r="4" hidden='true'>${text('A4', 'd')}</row>`;
    expect(linesOf(await sheetOf('xlsx', zipOf(workbookOf(sheet(xml)))))).toEqual([
      [1, 'a'],
      [2, 'b', 'hidden'],
      [3, 'c'],
      [4, 'd', 'hidden'],
    ]);
  });

  it('the rows of a workbook come from its first visible sheet', async () => {
    const parts = workbookOf(sheet(`<row>${text('A1', 'lists')}</row>`));
    const relation =
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
    const file = zipOf({
      ...parts,
      'xl/workbook.xml': Buffer.from(
        '<workbook><sheets><sheet name="l" sheetId="1" state="hidden" r:id="rId1"/><sheet name="o" sheetId="2" r:id="rId9"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': Buffer.from(
        `<Relationships><Relationship Id="rId1" Type="${relation}" Target="worksheets/sheet1.xml"/><Relationship Id="rId9" Type="${relation}" Target="worksheets/sheet2.xml"/></Relationships>`,
      ),
      'xl/worksheets/sheet2.xml': Buffer.from(sheet(`<row>${text('A1', 'orders')}</row>`)),
    });
    expect(linesOf(await sheetOf('xlsx', file))).toEqual([[1, 'orders']]);
  });
});

describe('merged cells', () => {
  const rows = [1, 2, 3, 4]
    .map((line) => `<row r="${line}">${text(`A${line}`, String(line))}</row>`)
    .join('');

  it('merged ranges of a sheet over several rows are returned up to the last row with data; ranges within one row are not returned', async () => {
    const merges =
      '<mergeCells count="4"><mergeCell ref="B2:C3"/><mergeCell ref="A4:A1048576"/><mergeCell ref="D3:D900"/><mergeCell ref="A1:F1"/></mergeCells>';
    expect((await sheetOf('xlsx', zipOf(workbookOf(sheet(rows, merges))))).merged).toEqual([
      { column: 1, from: 2, to: 3 },
      { column: 3, from: 3, to: 4 },
    ]);
  });

  it('merged cells beyond the limit are refused, and the error contains the limit', async () => {
    const merges = (count: number): string =>
      Array.from({ length: count }, () => '<mergeCell ref="A1:A4"/>').join('');
    const read = (count: number) =>
      sheetOf('xlsx', zipOf(workbookOf(sheet(rows, merges(count)))), { mergedCells: 6 });
    expect((await read(2)).merged).toHaveLength(2);
    for (const count of [3, 7]) {
      const error: unknown = await read(count).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnreadableFile);
      expect(error).toMatchObject({ code: 'file_merged', params: { limit: 6 } });
    }
  });
});

describe('the dates of a workbook', () => {
  const dated = (attributes: string): Buffer => {
    const cells = ['1', '59', '60', '61', '45292', '0.5']
      .map((value) => `<c s="1"><v>${value}</v></c>`)
      .join('');
    return zipOf({
      ...workbookOf(sheet(`<row r="1">${cells}</row>`)),
      'xl/workbook.xml': Buffer.from(
        `<workbook><workbookPr ${attributes}/><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/styles.xml': Buffer.from(
        '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      ),
    });
  };

  it('dates of a workbook are counted from 1900, including the non-existent 29 February 1900, or from 1904 if the workbook says so', async () => {
    expect((await sheetOf('xlsx', dated(''))).rows[0]!.cells.slice(0, 5)).toEqual([
      '1900-01-01',
      '1900-02-28',
      '1900-02-28',
      '1900-03-01',
      '2024-01-01',
    ]);
    expect((await sheetOf('xlsx', dated('date1904="1"'))).rows[0]!.cells.slice(0, 5)).toEqual([
      '1904-01-02',
      '1904-02-29',
      '1904-03-01',
      '1904-03-02',
      '2028-01-02',
    ]);
  });
});
