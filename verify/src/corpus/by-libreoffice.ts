import { flatSheets } from './flat-sheets.ts';
import type { FlatCell, FlatSheet } from './flat-sheets.ts';
import { parcels, plain, plainRows, row, titles, valuesOf } from './parcels.ts';
import type { Case, Maker } from './parcels.ts';
import { byLibreOffice, outputOf } from './programs.ts';

type Made = Case & { sheets: readonly FlatSheet[]; filter: string };

const rows = (lines: readonly (readonly FlatCell[])[]): FlatSheet['rows'] =>
  lines.map((cells) => ({ cells }));
const orders: FlatSheet = { name: '订单', rows: rows([titles, ...parcels]) };
const [first, second, third] = parcels as [readonly string[], readonly string[], readonly string[]];
const xlsx = 'xlsx:Calc MS Excel 2007 XML';
/**
 * Returns the options of LibreOffice's CSV export filter: separator, quotation mark, encoding and
 * first line.
 */
const csv = (separator: number, encoding: number): string =>
  `csv:Text - txt - csv (StarCalc):${separator},34,${encoding},1`;
const merged = 'receive_name: 内容取自上方的合并单元格，确认是否为单独一票';

const made: readonly Made[] = [
  {
    file: 'libreoffice-plain.xlsx',
    what: 'a sheet of three parcels',
    sheets: [orders],
    filter: xlsx,
    expected: plain(),
  },
  {
    file: 'libreoffice-several-sheets.xlsx',
    what: 'an empty sheet, a hidden one of choices, then the orders, then last month’s',
    sheets: [
      { name: '封面', rows: [] },
      { name: '选项', rows: rows([['文件'], ['食品']]), hidden: true },
      orders,
      { name: '上月', rows: rows([titles, first]) },
    ],
    filter: xlsx,
    expected: { ...plain(), sheet: '订单' },
  },
  {
    file: 'libreoffice-merged.xlsx',
    what: 'one recipient’s name merged over two rows',
    sheets: [
      {
        name: '订单',
        rows: rows([
          titles,
          [{ text: '张示例', rows: 2 }, ...first.slice(1)],
          [{ covered: true }, ...second.slice(1)],
          third,
        ]),
      },
    ],
    filter: xlsx,
    expected: {
      rows: [
        row(2, valuesOf(first)),
        row(3, valuesOf(second, { receive_name: '张示例' }), 'warning', [merged]),
        row(4, valuesOf(third)),
      ],
    },
  },
  {
    file: 'libreoffice-hidden-rows.xlsx',
    what: 'rows hidden by hand and by a filter',
    sheets: [
      {
        name: '订单',
        rows: [
          { cells: titles },
          { cells: first },
          { cells: second, hidden: 'by hand' },
          { cells: third, hidden: 'by a filter' },
        ],
      },
    ],
    filter: xlsx,
    expected: {
      rows: [
        row(2, valuesOf(first)),
        ...[second, third].map((cells, at) =>
          row(3 + at, valuesOf(cells), 'excluded', ['表格中隐藏的行，不下单；需要时请恢复此行']),
        ),
      ],
    },
  },
  {
    file: 'libreoffice-formulas.xlsx',
    what: 'addresses, weights and order numbers that are formulas',
    sheets: [
      {
        name: '订单',
        rows: rows([
          titles,
          ...parcels.map((cells, at) => [
            ...cells.slice(0, 5),
            { formula: `="${cells[5]!.replaceAll('"', '""')}"&""` },
            cells[6]!,
            { formula: `=${cells[7]!}*1` },
            { formula: `="A-00"&${at + 1}` },
          ]),
        ]),
      },
    ],
    filter: xlsx,
    expected: plain(),
  },
  {
    file: 'libreoffice-numbers-and-dates.xlsx',
    what: 'phones and weights as numbers, days as remarks',
    sheets: [
      {
        name: '订单',
        rows: rows([
          [...titles, '备注'],
          ...[first, second].map((cells) => [
            cells[0]!,
            Number(cells[1]),
            ...cells.slice(2, 7),
            Number(cells[7]),
            cells[8]!,
            { date: '2026-03-02' },
          ]),
        ]),
      },
    ],
    filter: xlsx,
    expected: { rows: plainRows(2, { remark: '2026-03-02' }).slice(0, 2) },
  },
  {
    file: 'libreoffice-title-rows.xlsx',
    what: 'a title, a note and an empty row above the titles',
    sheets: [
      {
        name: '订单',
        rows: rows([['六月发货清单'], ['制表：示例网点', '', '共 3 票'], [], titles, ...parcels]),
      },
    ],
    filter: xlsx,
    expected: plain(5),
  },
  {
    file: 'libreoffice-line-breaks.xlsx',
    what: 'line breaks and spaces within cells',
    sheets: [
      {
        name: '订单',
        rows: rows([
          titles,
          [' 张示例 ', '13800138001\n', ...first.slice(2, 5), '示例路\n1 号', ...first.slice(6)],
        ]),
      },
    ],
    filter: xlsx,
    expected: { rows: plainRows().slice(0, 1) },
  },
  {
    file: 'libreoffice-utf8.csv',
    what: 'commas, UTF-8 without a mark',
    sheets: [orders],
    filter: csv(44, 76),
    expected: plain(),
  },
  {
    file: 'libreoffice-utf16.csv',
    what: 'commas, UTF-16',
    sheets: [orders],
    filter: csv(44, 65_535),
    expected: plain(),
  },
  {
    file: 'libreoffice-gb18030-semicolons.csv',
    what: 'semicolons, GB18030',
    sheets: [orders],
    filter: csv(59, 85),
    expected: plain(),
  },
  {
    file: 'libreoffice-gbk-tabs.csv',
    what: 'tabs, GBK',
    sheets: [orders],
    filter: csv(9, 67),
    expected: plain(),
  },
  {
    file: 'libreoffice-excel97.xls',
    what: 'Excel 97',
    sheets: [orders],
    filter: 'xls:MS Excel 97',
    expected: { refused: 'file_old_xls' },
  },
  {
    file: 'libreoffice-excel97-renamed.xlsx',
    what: 'Excel 97 under the name of a newer one',
    sheets: [orders],
    filter: 'xls:MS Excel 97',
    expected: { refused: 'file_old_xls' },
  },
  {
    file: 'libreoffice-opendocument.ods',
    what: 'OpenDocument',
    sheets: [orders],
    filter: 'ods:calc8',
    expected: { refused: 'file_opendocument' },
  },
  {
    file: 'libreoffice-web-page.xls',
    what: 'a web page under the name of a workbook',
    sheets: [orders],
    filter: 'html:HTML (StarCalc)',
    expected: { refused: 'file_web_page' },
  },
  {
    file: 'libreoffice-spreadsheet-2003.xls',
    what: 'XML of Excel 2003',
    sheets: [orders],
    filter: 'xml:MS Excel 2003 XML',
    expected: { refused: 'file_xml' },
  },
];

export const libreOffice: Maker = {
  name: 'libreoffice',
  cases: made,
  program: async () => (await outputOf('soffice', ['--version'])).split(' ').slice(0, 2).join(' '),
  make: (file) => {
    const { sheets, filter } = made.find((one) => one.file === file)!;
    return byLibreOffice({ name: 'orders.fods', bytes: flatSheets(sheets) }, filter);
  },
};
