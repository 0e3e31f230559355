import { workbookOf, zipOf } from '@waystation/server/testing/workbooks.ts';
import { parcels, plain, plainRows, row, titles, valuesOf, withOrderOf } from './parcels.ts';
import { shapedZip } from './zips.ts';
import type { HandMade } from './workbook-xml.ts';
import { cell, number, line, texts, rowsXml, sheet, workbookXml, styles } from './workbook-xml.ts';
import {
  orders,
  first,
  second,
  third,
  withPhone,
  strict,
  sharedStrings,
} from './order-workbooks.ts';

const scientific = '手机号被表格改写为 1.38E+10，末几位已丢失，请填写完整号码';

export const handWorkbooks: readonly HandMade[] = [
  {
    file: 'hand-shared-phonetic.xlsx',
    what: 'shared strings with rich text and a phonetic run',
    make: () => zipOf(sharedStrings()),
    expected: plain(),
  },
  {
    file: 'hand-strict.xlsx',
    what: 'the namespaces of strict OOXML',
    make: () => zipOf(strict()),
    expected: plain(),
  },
  {
    file: 'hand-absolute-targets.xlsx',
    what: 'absolute paths in the relations, other names of the parts',
    make: () => {
      const { 'xl/worksheets/sheet1.xml': content, ...parts } = workbookOf(orders);
      const moved = Object.entries(parts).map(([name, bytes]) => [
        name,
        Buffer.from(
          bytes
            .toString()
            .replace('worksheets/sheet1.xml', '/data/orders.xml')
            .replace('"xl/workbook.xml"', '"/xl/workbook.xml"'),
        ),
      ]);
      return zipOf({ ...Object.fromEntries(moved), 'data/orders.xml': content! });
    },
    expected: plain(),
  },
  {
    file: 'hand-backslashes.xlsx',
    what: 'entry names with backslashes and capitals',
    make: () =>
      zipOf(
        Object.fromEntries(
          Object.entries(workbookOf(orders)).map(([name, bytes]) => [
            name.replaceAll('/', '\\').replace('xl', 'XL'),
            bytes,
          ]),
        ),
      ),
    expected: plain(),
  },
  {
    file: 'hand-zip64.xlsx',
    what: 'sizes in the records for large archives',
    make: () => shapedZip(workbookOf(orders), { large: true }),
    expected: plain(),
  },
  {
    file: 'hand-descriptors.xlsx',
    what: 'sizes after each entry, a comment at the end',
    make: () => shapedZip(workbookOf(orders), { descriptors: true, comment: 'PK made by hand' }),
    expected: plain(),
  },
  {
    file: 'hand-stored.xlsx',
    what: 'entries that are not compressed',
    make: () => shapedZip(workbookOf(orders), { stored: true }),
    expected: plain(),
  },
  {
    file: 'hand-prefixed.xlsx',
    what: 'elements with a namespace prefix, comments, CDATA',
    make: () =>
      zipOf(
        workbookOf(
          orders
            .replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')
            .replace('<x:sheetData>', '<!-- <x:row> --><x:sheetData>')
            .replace('张示例', '<![CDATA[张示例]]>'),
        ),
      ),
    expected: plain(),
  },
  {
    file: 'hand-utf16-parts.xlsx',
    what: 'a sheet in UTF-16',
    make: () =>
      zipOf(
        workbookOf(
          Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${orders}`, 'utf16le'),
        ),
      ),
    expected: plain(),
  },
  {
    file: 'hand-scientific-phones.xlsx',
    what: 'phones as 1.38001380010E+10, as 1.38E+10, as a formatted number, with a decimal point',
    make: () =>
      zipOf({
        ...workbookOf(
          sheet(
            texts(1, titles) +
              withPhone(cell('1.3800138001E+10', 2, 1), first, 2) +
              withPhone(cell('1.38E+10', 3, 1), second, 3) +
              withPhone(number('1.3900139002E+10', 4, 1, ' s="3"'), second, 4) +
              withPhone(cell('13900139003.0', 5, 1), second, 5),
          ),
        ),
        'xl/styles.xml': styles,
      }),
    expected: {
      rows: [
        row(2, valuesOf(first), 'repaired', ['receive_phone: 已更正，原为“1.3800138001E+10”']),
        row(3, valuesOf(second, { receive_phone: '1.38E+10' }), 'error', [
          `receive_phone: ${scientific}`,
        ]),
        row(4, valuesOf(second)),
        withOrderOf(
          4,
          row(5, valuesOf(second, { receive_phone: '13900139003' }), 'repaired', [
            'receive_phone: 已更正，原为“13900139003.0”',
          ]),
        ),
      ],
    },
  },
  {
    file: 'hand-1904.xlsx',
    what: 'days counted from 1904',
    make: () =>
      zipOf({
        ...workbookOf(
          sheet(
            texts(1, [...titles, '备注']) +
              withPhone(cell(first[1]!, 2, 1), first, 2, number('44620', 2, 9, ' s="1"')),
          ),
        ),
        'xl/workbook.xml': workbookXml(
          '<sheet name="a" sheetId="1" r:id="rId1"/>',
          '<workbookPr date1904="true"/>',
        ),
        'xl/styles.xml': styles,
      }),
    expected: { rows: plainRows(2, { remark: '2026-03-01' }).slice(0, 1) },
  },
  {
    file: 'hand-kinds-of-cells.xlsx',
    what: 'an error, a truth value, an ISO day, a shared string that is not there, a cell without a reference',
    make: () =>
      zipOf(
        workbookOf(
          sheet(
            texts(1, [...titles, '备注', '说明']) +
              withPhone(
                cell(first[1]!, 2, 1),
                first,
                2,
                '<c r="J2" t="e"><f>A1/0</f><v>#DIV/0!</v></c><c r="K2" t="b"><v>1</v></c>',
              ) +
              withPhone(
                cell(second[1]!, 3, 1),
                second,
                3,
                '<c r="J3" t="d"><v>2026-03-02</v></c><c t="inlineStr"><is><t>无引用</t></is></c>',
              ) +
              withPhone(cell(third[1]!, 4, 1), third, 4, '<c r="J4" t="s"><v>99</v></c>'),
          ),
        ),
      ),
    expected: {
      rows: [
        row(2, valuesOf(first, { description: 'true' }), 'repaired', [
          'remark: 已更正，原为“#DIV/0!”',
        ]),
        row(3, valuesOf(second, { remark: '2026-03-02', description: '无引用' })),
        row(4, valuesOf(third)),
      ],
    },
  },
  {
    file: 'hand-empty-rows.xlsx',
    what: 'empty rows between, rows of spaces, a sum below',
    make: () =>
      zipOf(
        workbookOf(
          sheet(
            texts(1, titles) +
              texts(4, first) +
              texts(5, ['  ', ' ']) +
              texts(9, second) +
              '<row r="10"/>' +
              texts(12, third),
          ),
        ),
      ),
    expected: {
      rows: [row(4, valuesOf(first)), row(9, valuesOf(second)), row(12, valuesOf(third))],
    },
  },
  {
    file: 'hand-far-rows.xlsx',
    what: 'a row number that no sheet has, cells beyond the last column that is read',
    make: () =>
      zipOf(
        workbookOf(
          sheet(
            texts(1, titles) +
              texts(2, first) +
              line(
                3,
                second.map((text, column) => cell(text, 3, column)).join('') +
                  '<c r="XFD3"><v>1</v></c>',
              ) +
              texts(9_999_999, third),
          ),
        ),
      ),
    expected: {
      rows: [row(2, valuesOf(first)), row(3, valuesOf(second)), row(9_999_999, valuesOf(third))],
    },
  },
  {
    file: 'hand-far-columns.xlsx',
    what: 'a cell in a column that no sheet has',
    make: () => zipOf(workbookOf(sheet('<row r="1"><c r="XFE1"><v>1</v></c></row>'))),
    expected: { refused: 'file_unreadable' },
  },
  {
    file: 'hand-two-title-rows.xlsx',
    what: 'titles in two rows, groups merged over columns and single titles over both rows',
    make: () =>
      zipOf(
        workbookOf(
          sheet(
            texts(1, ['收件人', '', '收货地区', '', '', '', ...titles.slice(6)]) +
              texts(2, ['姓名', '手机', '省', '市', '区', '详细地址', '', '', '']) +
              rowsXml(parcels, 3),
            '<mergeCells>' +
              ['A1:B1', 'C1:F1', 'G1:G2', 'H1:H2', 'I1:I2']
                .map((ref) => `<mergeCell ref="${ref}"/>`)
                .join('') +
              '</mergeCells>',
          ),
        ),
      ),
    expected: plain(3),
  },
  {
    file: 'hand-merged-column.xlsx',
    what: 'a region merged over all rows, the titles over two columns',
    make: () =>
      zipOf(
        workbookOf(
          sheet(
            texts(1, titles) +
              texts(2, first) +
              texts(3, [
                '王示例',
                '13900139004',
                '',
                ...first.slice(3, 5),
                '示例路 4 号',
                ...first.slice(6),
              ]),
            '<mergeCells count="2"><mergeCell ref="C2:C3"/><mergeCell ref="A1:A1"/></mergeCells>',
          ),
        ),
      ),
    expected: {
      rows: [
        row(2, valuesOf(first)),
        withOrderOf(
          2,
          row(
            3,
            valuesOf([
              '王示例',
              '13900139004',
              ...first.slice(2, 5),
              '示例路 4 号',
              ...first.slice(6),
            ]),
            'warning',
            ['receive_province: 内容取自上方的合并单元格，确认是否为单独一票'],
          ),
        ),
      ],
    },
  },
  {
    file: 'hand-all-hidden.xlsx',
    what: 'the one sheet is hidden',
    make: () =>
      zipOf({
        ...workbookOf(orders),
        'xl/workbook.xml': workbookXml(
          '<sheet name="订单" sheetId="1" state="hidden" r:id="rId1"/>',
        ),
      }),
    expected: { ...plain(), sheet: '订单' },
  },
  {
    file: 'hand-chart-sheet.xlsx',
    what: 'a chart before the orders',
    make: () => {
      const parts = workbookOf(orders);
      const relation =
        'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet';
      return zipOf({
        ...parts,
        'xl/workbook.xml': workbookXml(
          '<sheet name="图" sheetId="2" r:id="rId8"/><sheet name="订单" sheetId="1" r:id="rId1"/>',
        ),
        'xl/_rels/workbook.xml.rels': Buffer.from(
          parts['xl/_rels/workbook.xml.rels']!.toString().replace(
            '<Relationship ',
            `<Relationship Id="rId8" Type="${relation}" Target="chartsheets/sheet1.xml"/><Relationship `,
          ),
        ),
        'xl/chartsheets/sheet1.xml': Buffer.from('<chartsheet><drawing r:id="rId1"/></chartsheet>'),
      });
    },
    expected: { ...plain(), sheet: '订单' },
  },
  {
    file: 'hand-escapes.xlsx',
    what: 'escaped characters: _x000D_, &#10;, a null, a rare Chinese character',
    make: () =>
      zipOf(
        workbookOf(
          orders.replace('示例路 1 号', '示例路_x000D_&#10;1 号').replace('张示例', '&#x5f20;示例'),
        ),
      ),
    expected: plain(),
  },
  {
    file: 'hand-only-titles.xlsx',
    what: 'titles without a row',
    make: () => zipOf(workbookOf(sheet(texts(1, titles)))),
    expected: { refused: 'file_empty' },
  },
  {
    file: 'hand-empty.xlsx',
    what: 'a workbook without a cell',
    make: () => zipOf(workbookOf(sheet(''))),
    expected: { refused: 'file_empty' },
  },
  {
    file: 'hand-cut.xlsx',
    what: 'the first half of a workbook',
    make: () => {
      const all = zipOf(workbookOf(orders));
      return all.subarray(0, all.length / 2);
    },
    expected: { refused: 'file_unreadable' },
  },
  {
    file: 'hand-damaged.xlsx',
    what: 'a byte of the sheet’s compressed text changed',
    make: () => {
      const all = zipOf(workbookOf(orders));
      const at = all.indexOf('sheet1.xml') + 14;
      all.fill(0xff, at, at + 8);
      return all;
    },
    expected: { refused: 'file_unreadable' },
  },
  {
    file: 'hand-long-cell.xlsx',
    what: 'a cell of 32,768 characters',
    make: () => zipOf(workbookOf(sheet(texts(1, titles) + texts(2, ['x'.repeat(32_768)])))),
    expected: { refused: 'file_cell', params: { limit: 32_767 } },
  },
  {
    file: 'hand-word.docx',
    what: 'a text document',
    make: () =>
      zipOf({
        ...workbookOf(''),
        '_rels/.rels': Buffer.from(
          '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        ),
        'word/document.xml': Buffer.from('<document/>'),
      }),
    expected: { refused: 'file_not_workbook' },
  },
  {
    file: 'hand-archive.zip',
    what: 'an archive with a workbook in it',
    make: () => shapedZip({ '订单.xlsx': zipOf(workbookOf(orders)) }, {}),
    expected: { refused: 'file_not_workbook' },
  },
  {
    file: 'hand-numbers.xlsx',
    what: 'a workbook of Apple Numbers under another name',
    make: () =>
      zipOf({
        'Index/Document.iwa': Buffer.from([0, 1, 2]),
        'Metadata/Properties.plist': Buffer.from('bplist00'),
      }),
    expected: { refused: 'file_not_workbook' },
  },
  {
    file: 'hand-renamed-workbook.csv',
    what: 'a workbook under the name of a CSV file',
    make: () => zipOf(workbookOf(orders)),
    expected: plain(),
  },
];
