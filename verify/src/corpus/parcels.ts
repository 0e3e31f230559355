import type { ImportField, ImportMark, ImportValues } from '@waystation/contract/imports/import.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';

/**
 * An expected row of an import: its line number in the sheet, its import mark, its texts, and its
 * problems in Chinese.
 */
export interface ExpectedRow {
  line: number;
  mark: ImportMark;
  values: ImportValues;
  says: readonly string[];
}

/**
 * The expected result for a file: it is refused or it is read. `asks` means that the product only
 * proposes the columns and the user must confirm them.
 */
export type Expected =
  | { refused: ErrorCode; params?: Record<string, number> }
  | { rows: readonly ExpectedRow[]; asks?: true; sheet?: string };

/**
 * A file of the corpus. `upload` is the file name for the upload; it is set only if the case
 * depends on that name.
 */
export interface Case {
  file: string;
  upload?: string;
  what: string;
  expected: Expected;
}

/** A program that makes corpus files: its name, its version and its files. */
export interface Maker {
  name: string;
  cases: readonly (Case & { by?: string })[];
  /** The program's name and version. */
  program: () => Promise<string> | string;
  make: (file: string) => Promise<Buffer> | Buffer;
}

export const titles = [
  '收件人',
  '手机',
  '省',
  '市',
  '区',
  '详细地址',
  '物品',
  '重量(kg)',
  '订单号',
] as const;
export const fields = [
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'goods',
  'weight',
  'thr_order_id',
] as const satisfies readonly ImportField[];

/**
 * The parcels that most corpus files contain. Their texts contain quotation marks, commas and
 * semicolons.
 */
export const parcels: readonly (readonly string[])[] = [
  ['张示例', '13800138001', '上海市', '上海市', '浦东新区', '示例路 1 号', '文件', '1.5', 'A-001'],
  [
    '欧阳示例',
    '13900139002',
    '广东省',
    '深圳市',
    '南山区',
    '示例园"北"楼, 2 单元; 3 层',
    '文件',
    '2.5',
    'A-002',
  ],
  [
    '李示例',
    '0755-26000003',
    '广东省',
    '广州市',
    '天河区',
    '示例大道 3 号',
    '文件',
    '0.8',
    'A-003',
  ],
];

/**
 * Returns the texts of a parcel by field. `changes` replaces some of them, and an empty text in it
 * removes a field.
 */
export const valuesOf = (cells: readonly string[], changes: ImportValues = {}): ImportValues =>
  Object.fromEntries(
    Object.entries({
      ...Object.fromEntries(fields.map((field, at) => [field, cells[at] ?? ''])),
      ...changes,
    }).filter(([, text]) => text !== ''),
  );

/**
 * An expected row. By default its only problem is that quotation marks in its address were
 * replaced.
 */
export const row = (
  line: number,
  values: ImportValues,
  mark: ImportMark = 'ok',
  says: readonly string[] = [],
): ExpectedRow => {
  const address = values.receive_address ?? '';
  if (!address.includes('"')) return { line, mark, values, says };
  return {
    line,
    mark: mark === 'ok' ? 'repaired' : mark,
    values: { ...values, receive_address: address.replaceAll('"', '”') },
    says: [...says, `receive_address: 已更正，原为“${address}”`],
  };
};

/**
 * Returns an expected row that also has the problem of an order number that equals the one on an
 * earlier line.
 */
export const withOrderOf = (line: number, expected: ExpectedRow): ExpectedRow => ({
  ...expected,
  mark: 'warning',
  says: [...expected.says, `thr_order_id: 订单号与第 ${line} 行相同，确认是否重复`],
});

/**
 * Returns the expected rows for all sample parcels. Their lines follow the line of column titles.
 * `changes` replaces some texts in each row.
 */
export const plainRows = (first = 2, changes: ImportValues = {}): ExpectedRow[] =>
  parcels.map((cells, at) => row(first + at, valuesOf(cells, changes)));
export const plain = (first = 2): Expected => ({ rows: plainRows(first) });
