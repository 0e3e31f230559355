import {
  inflatingWorkbook,
  repeatingWorkbook,
  tinyStringsWorkbook,
  workbookOf,
  zipOf,
} from '@waystation/server/testing/workbooks.ts';

/**
 * A small file that demands many resources. `ends` lists the error codes with which it may be
 * refused. If it contains 'read', the product may also read the rows.
 */
export interface Bomb {
  name: string;
  upload: string;
  make: () => Buffer;
  ends: readonly string[];
}

const sheetPart = 'xl/worksheets/sheet1.xml';
const sheet = (rows: string, after = ''): string =>
  `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`;
const open = '<worksheet><sheetData>';
const close = '</sheetData></worksheet>';
const titles =
  '<row r="1"><c t="inlineStr"><is><t>收件人</t></is></c><c t="inlineStr"><is><t>手机</t></is></c><c t="inlineStr"><is><t>地址</t></is></c></row>';
const small = workbookOf(sheet(titles));
const xlsx = (name: string, make: () => Buffer, ...ends: string[]): Bomb => ({
  name,
  upload: 'bomb.xlsx',
  make,
  ends,
});
const csv = (name: string, make: () => Buffer, ...ends: string[]): Bomb => ({
  name,
  upload: 'bomb.csv',
  make,
  ends,
});

/** Returns an archive whose directory lists the first file many times. */
const overlapping = (times: number): Buffer => {
  const file = zipOf(small);
  const directory = file.readUInt32LE(file.length - 6);
  const end = file.subarray(-22);
  const entries = file.subarray(directory, file.length - 22);
  const first = entries.subarray(0, 46 + entries.readUInt16LE(28));
  end.writeUInt16LE(5 + times, 8);
  end.writeUInt16LE(5 + times, 10);
  return Buffer.concat([
    file.subarray(0, directory),
    entries,
    ...Array.from({ length: times }, () => first),
    end,
  ]);
};

const cellOf = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const wide = (text: string, columns = 200): string => `<row>${cellOf(text).repeat(columns)}</row>`;
const address = '广东省深圳市南山区示例路 1 号 张示例 13800138001，'.repeat(60).slice(0, 1_990);
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const baits = 'a'.repeat(65_000);

export const bombs: readonly Bomb[] = [
  xlsx('300 MB of shared strings of one letter', tinyStringsWorkbook, 'file_string_count'),
  xlsx(
    'a shared string of 50 MB',
    () =>
      repeatingWorkbook(
        'xl/sharedStrings.xml',
        ['<sst><si><t>', 'a'.repeat(1_000_000), 50, '</t></si></sst>'],
        sheet(''),
      ),
    'file_cell',
  ),
  xlsx('500 MB of spaces', () => inflatingWorkbook('spaces', 500), 'file_inflates'),
  xlsx('a cell of 50 MB', () => inflatingWorkbook('cell', 50), 'file_cell'),
  xlsx('390 MB of rows', () => inflatingWorkbook('rows', 390), 'file_too_long'),
  xlsx(
    'ten million elements within each other',
    () => repeatingWorkbook(sheetPart, [open, '<a>'.repeat(10_000), 1_000, close]),
    'file_empty',
  ),
  xlsx(
    'a tag of 50 MB',
    () => repeatingWorkbook(sheetPart, [`${open}<row `, 'a="1" '.repeat(10_000), 800, '>']),
    'file_cell',
  ),
  xlsx(
    'tags that a search for attributes would read again and again',
    () => repeatingWorkbook(sheetPart, [open, `<row ${baits}></row>`, 1_000, close]),
    'file_empty',
  ),
  xlsx(
    'formats that a search for dates would read again and again',
    () =>
      zipOf({
        ...small,
        'xl/styles.xml': Buffer.from(
          `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(65_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(2_000)}</cellXfs></styleSheet>`,
        ),
      }),
    'file_empty',
  ),
  xlsx(
    'entities that make each other a thousandfold',
    () =>
      zipOf({
        ...small,
        [sheetPart]: Buffer.from(
          `<!DOCTYPE x [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${sheet(`${titles}<row>${cellOf('&b;'.repeat(1_000))}${cellOf('1')}${cellOf('2')}</row>`)}`,
        ),
      }),
    'read',
  ),
  xlsx(
    'a hundred thousand empty sheets',
    () =>
      zipOf({
        ...small,
        [sheetPart]: Buffer.from(sheet('')),
        'xl/workbook.xml': Buffer.from(
          `<workbook><sheets>${'<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(100_000)}</sheets></workbook>`,
        ),
      }),
    'file_empty',
    'file_sheets',
  ),
  xlsx(
    'a hundred thousand sheets and as many relations',
    () =>
      zipOf({
        ...small,
        'xl/workbook.xml': Buffer.from(
          `<workbook><sheets>${'<sheet name="a" sheetId="1" r:id="none"/>'.repeat(100_000)}</sheets></workbook>`,
        ),
        'xl/_rels/workbook.xml.rels': Buffer.from(
          `<Relationships>${`<Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/>`.repeat(100_000)}</Relationships>`,
        ),
      }),
    'file_unreadable',
    'file_sheets',
  ),
  xlsx(
    'an enormous dimension, and merged cells over all of it',
    () =>
      zipOf(
        workbookOf(
          `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${titles}<row r="1048576">${cellOf('a')}</row></sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(10_000)}</mergeCells></worksheet>`,
        ),
      ),
    'file_merged',
  ),
  xlsx(
    'as many merged cells as fit',
    () =>
      repeatingWorkbook(sheetPart, [
        `${open}${titles}</sheetData><mergeCells>`,
        '<mergeCell ref="A1:A9"/>'.repeat(1_000),
        10_000,
        '</mergeCells></worksheet>',
      ]),
    'file_merged',
  ),
  xlsx(
    '960 rows of 200 cells of 2,000 characters',
    () => repeatingWorkbook(sheetPart, [open + titles, wide('x'.repeat(1_990)), 960, close]),
    'file_row',
  ),
  xlsx(
    'addresses in each of 200 columns',
    () => repeatingWorkbook(sheetPart, [open, wide(address), 60, close]),
    'file_row',
  ),
  xlsx(
    'long texts to recognize in two thousand rows',
    () =>
      repeatingWorkbook(sheetPart, [
        `${open}<row>${cellOf('收件信息')}${cellOf('品名')}</row>`,
        wide(address, 2),
        2_000,
        close,
      ]),
    'read',
  ),
  xlsx(
    'sixty thousand entries',
    () =>
      zipOf({
        ...small,
        ...Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`${n}`, Buffer.alloc(0)])),
      }),
    'file_entries',
  ),
  xlsx('entries that overlap', () => overlapping(900), 'file_unreadable'),
  xlsx(
    'an archive in an archive in an archive',
    () =>
      Array.from({ length: 8 }).reduce<Buffer>((inner) => zipOf({ 'a.xlsx': inner }), zipOf(small)),
    'file_not_workbook',
  ),
  csv('20 MB of line ends', () => Buffer.alloc(20_000_000, '\n'), 'file_empty'),
  csv('20 MB of carriage returns', () => Buffer.alloc(20_000_000, '\r'), 'file_empty'),
  csv('20 MB of separators', () => Buffer.alloc(20_000_000, ','), 'file_empty'),
  csv('20 MB of quotation marks', () => Buffer.alloc(19_999_999, '"'), 'file_cell'),
  csv(
    '20 MB of quotation marks that open and close',
    () => Buffer.alloc(20_000_000, '"a"b'),
    'file_cell',
  ),
  csv(
    'a hundred thousand rows and one',
    () => Buffer.from(`收件人,手机,地址\n${'a,1,b\n'.repeat(100_001)}`),
    'file_too_long',
  ),
  csv(
    'apostrophes and equal signs',
    () =>
      Buffer.from(
        `收件人,手机,地址\n${`${"'".repeat(32_000)},="${' '.repeat(32_000)}x,1\n`.repeat(150)}`,
      ),
    'read',
  ),
];
