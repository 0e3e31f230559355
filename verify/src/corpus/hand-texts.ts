import type { ImportValues } from '@waystation/contract/imports/import.ts';
import type { HandMade } from './workbook-xml.ts';
import { parcels, plain, plainRows, row, titles, valuesOf, withOrderOf } from './parcels.ts';

const [first, second] = parcels as [readonly string[], readonly string[], readonly string[]];
const last = ['王示例', '13800138009', ...first.slice(2)];
const quoted = (text: string): string =>
  /[",;\t\n|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const lines = (rows: readonly (readonly string[])[], separator = ',', end = '\n'): string =>
  rows.map((cells) => cells.map(quoted).join(separator) + end).join('');
const orders = lines([titles, ...parcels]);
const utf16 = (text: string, big = false): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const text = (
  file: string,
  what: string,
  content: string | Buffer,
  { expected = plain(), upload }: { expected?: HandMade['expected']; upload?: string } = {},
): HandMade => ({
  file,
  what,
  expected,
  ...(upload !== undefined && { upload }),
  make: () => Buffer.from(content),
});

/**
 * Returns a file in GB18030 with characters of two bytes and of four bytes: 示例,𠮷 and a Chinese
 * name.
 */
const gb18030 = (): Buffer => {
  const head = [
    0xca, 0xd5, 0xbc, 0xfe, 0xc8, 0xcb, 0x2c, 0xca, 0xd6, 0xbb, 0xfa, 0x2c, 0xb5, 0xd8, 0xd6, 0xb7,
    0x0a,
  ];
  const name = [0xca, 0xbe, 0xc0, 0xfd, 0x95, 0x34, 0xb2, 0x35, 0x2c];
  const address = [
    0xc9, 0xcf, 0xba, 0xa3, 0xca, 0xd0, 0xc6, 0xd6, 0xb6, 0xab, 0xd0, 0xc2, 0xc7, 0xf8, 0xca, 0xbe,
    0xc0, 0xfd, 0xc2, 0xb7, 0x31, 0xba, 0xc5, 0x0a,
  ];
  return Buffer.from([...head, ...name, ...Buffer.from('13800138001,'), ...address]);
};
const region: ImportValues = {
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
};

export const handTexts: readonly HandMade[] = [
  text(
    'hand-utf8-mark.csv',
    'UTF-8 with a mark, line ends of Windows',
    `\ufeff${lines([titles, ...parcels], ',', '\r\n')}`,
  ),
  text('hand-utf16-big.csv', 'UTF-16, big end first', utf16(orders, true)),
  text(
    'hand-utf16-tabs.txt',
    'Unicode text of Excel: UTF-16, tabs',
    utf16(lines([titles, ...parcels], '\t', '\r\n')),
  ),
  text('hand-gb18030-rare.csv', 'a character of four bytes in GB18030', gb18030(), {
    expected: {
      rows: [
        row(
          2,
          {
            receive_name: '示例𠮷',
            receive_phone: '13800138001',
            ...region,
            receive_address: '示例路1号',
          },
          'error',
          [
            'receive_name: 承运商不接受姓名中的生僻字、表情或特殊符号：𠮷，请用同音字或文字代替',
            'goods: 必填',
            'weight: 必填',
          ],
        ),
      ],
    },
  }),
  text(
    'hand-sep.csv',
    'the line by which Excel is told the separator',
    `sep=;\r\n${lines([titles, ...parcels], ';', '\r\n')}`,
  ),
  text(
    'hand-quoted-breaks.csv',
    'quotation marks and line breaks in cells',
    lines([titles, first.with(5, '示例路\n"一" 号\r\n楼'), second]),
    {
      expected: {
        rows: [row(2, valuesOf(first.with(5, '示例路 "一" 号 楼'))), row(3, valuesOf(second))],
      },
    },
  ),
  text(
    'hand-formula-texts.csv',
    'long numbers as ="…", as shops export them',
    lines([
      titles,
      ...parcels.map((cells) => cells.with(1, `="${cells[1]!}"`).with(8, `="${cells[8]!}"`)),
    ]),
  ),
  text(
    'hand-bare-formula-texts.csv',
    'the same without the quotation marks of CSV',
    [titles, ...parcels.slice(0, 1).map((cells) => cells.with(1, `="${cells[1]!}"`))]
      .map((cells) => cells.join(','))
      .join('\n'),
    {
      expected: {
        rows: plainRows().slice(0, 1),
      },
    },
  ),
  text(
    'hand-apostrophes.csv',
    'an apostrophe or a tab before long numbers',
    lines([
      titles,
      ...parcels.map((cells, at) => cells.with(1, `${at === 0 ? '\t' : "'"}${cells[1]!}`)),
    ]),
  ),
  text('hand-bars.csv', 'vertical bars between the cells', lines([titles, ...parcels], '|')),
  text(
    'hand-tabs-commas.txt',
    'tabs between the cells, and more commas in an address',
    [titles, first.with(5, '示例路,1 号,2 楼,3 室,4 座,5 门,6 栋,7 层,8 区,9 园')]
      .map((cells) => cells.join('\t'))
      .join('\n'),
    {
      expected: {
        rows: [
          row(2, valuesOf(first.with(5, '示例路,1 号,2 楼,3 室,4 座,5 门,6 栋,7 层,8 区,9 园'))),
        ],
      },
    },
  ),
  text('hand-old-mac.csv', 'line ends of old Macs', lines([titles, ...parcels], ',', '\r')),
  text(
    'hand-uneven.csv',
    'rows of different lengths, separators at the end of each',
    lines([[...titles, '', '', ''], [...first, '', ''], second, [...parcels[2]!, '', '', '', '']]),
  ),
  text(
    'hand-open-quote.csv',
    'a quotation mark that nothing closes',
    `${lines([titles, first])}"${lines([parcels[2]!, last])}`,
    {
      expected: {
        rows: [
          row(2, valuesOf(first)),
          row(3, valuesOf(parcels[2]!, { receive_name: '”李示例' }), 'repaired', [
            'receive_name: 已更正，原为“"李示例”',
          ]),
          withOrderOf(2, row(4, valuesOf(last))),
        ],
      },
    },
  ),
  text(
    'hand-inner-quotes.csv',
    'quotation marks within cells that are not quoted',
    [titles, first.with(5, '示例路"一"号'), second.map((cell) => cell.replaceAll(/[",;]/g, ''))]
      .map((cells) => cells.join(','))
      .join('\n'),
    {
      expected: {
        rows: [
          row(2, valuesOf(first.with(5, '示例路"一"号'))),
          row(3, valuesOf(second.map((cell) => cell.replaceAll(/[",;]/g, '')))),
        ],
      },
    },
  ),
  text(
    'hand-full-width.csv',
    'full-width digits, letters and spaces',
    lines([
      titles,
      ['张示例', '１３８００１３８００１', ...first.slice(2, 7), '１．５', 'Ａ－００１'],
    ]),
    {
      expected: {
        rows: [
          row(
            2,
            {
              receive_name: '张示例',
              receive_phone: '13800138001',
              receive_province: '上海市',
              receive_city: '上海市',
              receive_county: '浦东新区',
              receive_address: '示例路 1 号',
              goods: '文件',
              weight: '1.5',
              thr_order_id: 'Ａ－００１',
            },
            'repaired',
            ['receive_phone: 已更正，原为“１３８００１３８００１”', 'weight: 已更正，原为“１．５”'],
          ),
        ],
      },
    },
  ),
  text(
    'hand-no-titles.csv',
    'no titles, and regions that no content names',
    lines([first, second, parcels[2]!]),
    { expected: { asks: true, rows: [] } },
  ),
  text(
    'hand-no-titles-whole-addresses.csv',
    'no titles; name, phone, address and weight by their content',
    lines([
      ['张示例', '13800138001', '上海市浦东新区示例路 1 号', '1.5'],
      ['李示例', '13900139002', '广东省深圳市南山区示例路 2 号', '2'],
    ]),
    {
      expected: {
        asks: true,
        rows: [
          row(
            1,
            {
              receive_name: '张示例',
              receive_phone: '13800138001',
              ...region,
              receive_address: '示例路 1 号',
              weight: '1.5',
            },
            'error',
            ['goods: 必填'],
          ),
          row(
            2,
            {
              receive_name: '李示例',
              receive_phone: '13900139002',
              receive_province: '广东省',
              receive_city: '深圳市',
              receive_county: '南山区',
              receive_address: '示例路 2 号',
              weight: '2',
            },
            'error',
            ['goods: 必填'],
          ),
        ],
      },
    },
  ),
  text('hand-text-with-zeros.csv', 'zero bytes at the end', `${orders}\u0000\u0000\u0000\u0000`),
  text(
    'hand-tabs-named-xls.xls',
    'text with tabs under the name of a workbook, as many shops export it',
    lines([titles, ...parcels], '\t', '\r\n'),
  ),
  text('hand-commas-named-xlsx.xlsx', 'CSV under the name of a workbook', orders),
  text(
    'hand-web-page-named-csv.csv',
    'a web page under the name of a CSV file',
    `<html><table><tr><td>${titles.join('</td><td>')}</td></tr></table></html>`,
    {
      expected: {
        refused: 'file_web_page',
      },
    },
  ),
  text(
    'hand-web-page-mark.xls',
    'a web page of a back office, with a mark and a comment before it',
    `\ufeff<!-- made by a shop -->\n<table><tr><td>收件人</td></tr></table>`,
    { expected: { refused: 'file_web_page' } },
  ),
  text(
    'hand-signed-in-page.xlsx',
    'the login page that a browser stored instead of the file',
    '<!DOCTYPE html>\n<html><head><title>登录</title></head><body></body></html>',
    { expected: { refused: 'file_web_page' } },
  ),
  text(
    'hand-spreadsheet-2003.xml',
    'XML of Excel 2003',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    { expected: { refused: 'file_xml' } },
  ),
  text('hand-document.pdf', 'a PDF', Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n', 'latin1'), {
    expected: {
      refused: 'file_type_unknown',
    },
  }),
  text(
    'hand-pdf-named-csv.csv',
    'a PDF under the name of a CSV file',
    Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n', 'latin1'),
    {
      expected: {
        refused: 'file_type_unknown',
      },
    },
  ),
  text(
    'hand-picture.jpg',
    'a photograph',
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]),
    { expected: { refused: 'file_type_unknown' } },
  ),
  text(
    'hand-picture-named-xlsx.xlsx',
    'a photograph under the name of a workbook',
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]),
    { expected: { refused: 'file_type_unknown' } },
  ),
  text('hand-empty.csv', 'no byte', '', { expected: { refused: 'file_empty' } }),
  text('hand-only-lines.csv', 'lines without a cell', '\n\n,,,\r\n ,\n', {
    expected: { refused: 'file_empty' },
  }),
  text(
    'hand-long-cell.csv',
    'a cell of 32,768 characters',
    `收件人,手机\n${'x'.repeat(32_768)},1`,
    { expected: { refused: 'file_cell', params: { limit: 32_767 } } },
  ),
];
