import type { ImportField, ImportProblem, ImportValues } from '@waystation/contract/import.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { errorText } from '@waystation/contract/errors.ts';
import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { columnsOfFile, reasonTitle } from './reason-column.ts';
import type { StoredImport } from './store.ts';

type Language = 'zh' | 'en';

type FailedRow = RowOf<'import_rows', 'cells' | 'edits' | 'mark'> & { problems: ImportProblem[]; reason: Reason | null };

const reasonsOf = ({ problems, reason }: FailedRow, language: Language): string =>
  [...(reason ? [reason] : []), ...problems.filter(({ level }) => level === 'error').map((problem) => problem.reason)]
    .map(({ code, params }) => errorText(code, params, language))
    .join('；');

/** The row as it was in the file, with what was typed instead. */
const cellsOf = ({ cells, edits }: FailedRow, width: number, mapping: StoredImport['mapping']): string[] => {
  const row = Array.from({ length: width }, (_, index) => cells[index] ?? '');
  for (const [field, text] of Object.entries(edits as ImportValues) as [ImportField, string][]) {
    const index = mapping[field];
    if (index !== undefined && index < width) row[index] = text;
  }
  return row;
};

const whole = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces));

/** Rows that are left: those that were refused or have an error, and of a cancelled import those that were not ordered yet. */
const leftMarks = ({ status }: StoredImport): string[] => ['refused', 'error', ...(status === 'cancelled' ? ['ok', 'repaired', 'warning'] : [])];

/** Rows that were not ordered, in the layout of the file, and a last column that says why: it can be uploaded again as it is. */
export const failedFile = async (tx: Tx, found: StoredImport, language: Language): Promise<Buffer> => {
  const { rows } =
    await sql<FailedRow>`select cells, edits, mark, problems, reason from import_rows where import_id = ${found.id} and mark = any(${leftMarks(found)}::text[])
    order by no`.execute(tx);
  const titles = columnsOfFile(found.columns.map(({ title }) => title));
  const columns: SheetColumn[] = [...titles, reasonTitle[language]].map((title) => ({ title, kind: 'text' }));
  async function* lines(): AsyncGenerator<CellValue[]> {
    for (const row of rows) yield [...cellsOf(row, titles.length, found.mapping), reasonsOf(row, language)];
  }
  return whole(writeWorkbook('xlsx', { name: reasonTitle[language], columns, rows: lines() }));
};

const columns: readonly { title: Record<Language, string>; examples: readonly [string, string] }[] = [
  { title: { zh: '收件人姓名', en: 'Recipient' }, examples: ['示例收件人甲', '示例收件人乙'] },
  { title: { zh: '收件人电话', en: 'Recipient phone' }, examples: ['13800000000', '0755-26000000'] },
  { title: { zh: '省份', en: 'Province' }, examples: ['广东省', '上海市'] },
  { title: { zh: '城市', en: 'City' }, examples: ['深圳市', '上海市'] },
  { title: { zh: '区县', en: 'District' }, examples: ['南山区', '浦东新区'] },
  { title: { zh: '详细地址', en: 'Address' }, examples: ['示例路 1 号', '示例路 2 号'] },
  { title: { zh: '物品名称', en: 'Goods' }, examples: ['文件', '文件'] },
  { title: { zh: '重量（kg）', en: 'Weight (kg)' }, examples: ['1', '2.5'] },
  { title: { zh: '件数', en: 'Pieces' }, examples: ['1', '1'] },
  { title: { zh: '时效', en: 'Promise' }, examples: ['', ''] },
  { title: { zh: '声明价值（元）', en: 'Declared value (¥)' }, examples: ['', '500'] },
  { title: { zh: '商家订单号', en: 'Order number' }, examples: ['示例 1', '示例 2'] },
  { title: { zh: '备注', en: 'Remark' }, examples: ['', ''] },
  { title: { zh: '说明', en: 'Description' }, examples: ['', ''] },
];

/** An empty sheet with its titles and two examples, which are plainly examples. */
export const templateFile = (language: Language): Promise<Buffer> => {
  async function* examples(): AsyncGenerator<CellValue[]> {
    for (const at of [0, 1] as const) yield columns.map((column) => column.examples[at]);
  }
  return whole(
    writeWorkbook('xlsx', {
      name: { zh: '导入运单', en: 'Import parcels' }[language],
      columns: columns.map(({ title }) => ({ title: title[language], kind: 'text' })),
      rows: examples(),
    }),
  );
};
