import { createHash } from 'node:crypto';
import { billFields } from '@waystation/contract/reconciliation.ts';
import type { BillField } from '@waystation/contract/reconciliation.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';

export type Mapping = Partial<Record<BillField, number>>;
export type WeightUnit = 'kg' | 'g';

/** The columns of a file, as far as its titles and cells show them. */
export interface Layout {
  /** The row that has the titles. */
  header_at: number;
  columns: { index: number; title: string; samples: string[] }[];
  fingerprint: string;
  mapping: Mapping;
  weight_unit: WeightUnit;
}

/** Titles that carriers use, the most specific first. */
const synonyms: Record<BillField, readonly string[]> = {
  delivery_id: [
    '运单号',
    '运单编号',
    '运单号码',
    '京东运单号',
    '物流单号',
    '快递单号',
    '快递运单号',
    '面单号',
    '单号',
    'waybill',
    'waybillno',
    'waybillnumber',
    'trackingnumber',
    'trackingno',
    'deliveryid',
    'awb',
  ],
  fee: ['费用类型', '费用名称', '费用项目', '费用项', '费用科目', '收费项目', '费用种类', 'feetype', 'feename', 'chargetype'],
  customer_code: [
    '客户编码',
    '商家编码',
    '客户编号',
    '商家编号',
    '客户代码',
    '青龙业主号',
    '事业部编码',
    'customercode',
    'merchantcode',
    'customerno',
    'accountno',
  ],
  weight: ['计费重量', '结算重量', '计费重', '计重', '收费重量', '重量', 'chargeableweight', 'billedweight', 'billingweight', 'chargedweight', 'weight'],
  volume: ['计费体积', '体积', 'volume'],
  amount: [
    '应付金额',
    '应付费用',
    '结算金额',
    '应收金额',
    '应付',
    '总费用',
    '费用合计',
    '总金额',
    '合计金额',
    '金额',
    '费用',
    '运费',
    'amountpayable',
    'payable',
    'totalamount',
    'amount',
    'totalfee',
    'fee',
    'charge',
    'freight',
    'total',
  ],
  sent_on: [
    '寄件日期',
    '寄件时间',
    '揽收时间',
    '揽收日期',
    '发货时间',
    '发货日期',
    '业务时间',
    '业务日期',
    '收件日期',
    'pickupdate',
    'pickuptime',
    'shippedon',
    'senton',
    'shipdate',
    'date',
  ],
  remark: ['备注', '说明', 'remark', 'remarks', 'note', 'notes', 'comment'],
};
const needed = ['delivery_id', 'weight', 'amount'] as const;
/** Columns that are found by a part of a title if no title matches exactly, in this order. */
const order: readonly BillField[] = ['delivery_id', 'fee', 'customer_code', 'weight', 'volume', 'sent_on', 'remark', 'amount'];

/** A title without units in brackets, spaces and punctuation. */
const plain = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[([【].*?[)\]】]/g, '')
    .replaceAll(/[\s_\-./:：*#]+/g, '');

/** The columns, by their titles alone. */
export const mappingOf = (titles: readonly string[]): Mapping => {
  const names = titles.map(plain);
  const found: Mapping = {};
  const assigned = new Set<number>();
  const take = (field: BillField, index: number): void => {
    if (index < 0 || assigned.has(index)) return;
    found[field] = index;
    assigned.add(index);
  };
  for (const field of order)
    for (const word of synonyms[field])
      if (found[field] === undefined)
        take(
          field,
          names.findIndex((name, index) => name === word && !assigned.has(index)),
        );
  for (const field of order)
    for (const word of synonyms[field].filter((one) => one.length >= 2 && (one.length >= 5 || /\p{Script=Han}/u.test(one))))
      if (found[field] === undefined)
        take(
          field,
          names.findIndex((name, index) => name.includes(word) && !assigned.has(index)),
        );
  return found;
};

export const isWhole = (mapping: Mapping): boolean => needed.every((field) => mapping[field] !== undefined);

const waybill = /^(?=.*\d{6})[A-Z]{0,6}\d[A-Z\d-]{7,39}$/;
/** The column whose cells look like waybill numbers, each a different one. */
const byContent = (rows: readonly TextRow[], columns: number): number => {
  for (let index = 0; index < columns; index++) {
    // A cell without a digit, such as the word before the total, is no number of either kind.
    const cells = rows.map((row) => (row[index] ?? '').normalize('NFKC').toUpperCase()).filter((cell) => /\d/.test(cell));
    if (cells.length > 0 && cells.filter((cell) => waybill.test(cell)).length * 10 >= cells.length * 8 && new Set(cells).size * 2 > cells.length) return index;
  }
  return -1;
};

/** The unit of the weights: from the title, or grams for whole numbers too large for kilograms. */
const unitOf = (title: string, cells: readonly string[]): WeightUnit => {
  const words = title.normalize('NFKC').toLowerCase();
  if (/kg|公斤|千克/.test(words)) return 'kg';
  if (/克|[([ ]g\b|grams?\b/.test(words)) return 'g';
  const numbers = cells.map((cell) => cell.normalize('NFKC').replaceAll(',', '')).filter((cell) => /^\d/.test(cell));
  return numbers.length > 0 && numbers.every((cell) => /^\d+$/.test(cell) && Number(cell) >= 50) ? 'g' : 'kg';
};

const hash = (titles: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(titles.map(plain)))
    .digest('hex');

/** Number of rows searched for titles: lines such as the customer's name may precede them. */
export const lookAhead = 40;

const holdsWaybill = (row: TextRow): boolean => row.some((cell) => waybill.test(cell.normalize('NFKC').toUpperCase()));

/** The row of the titles: the one with the most known titles. If none has any, the row before the first waybill number; -1: the file begins with a waybill. */
const headerOf = (rows: readonly TextRow[]): number | null => {
  const known = (row: TextRow): number => (row.length < 2 ? 0 : Object.keys(mappingOf(row)).length);
  const score = (row: TextRow): number => (row.length < 2 ? -1 : known(row) + row.filter((cell) => cell !== '').length / 1_000);
  const candidates = rows.slice(0, 20).map((row, at) => ({ at, known: known(row), score: score(row) }));
  const best = candidates.reduce((one, other) => (other.score > one.score ? other : one), { at: -1, known: 0, score: 0 });
  if (best.known > 0) return best.at;
  const first = rows.findIndex(holdsWaybill);
  if (first >= 0) return first - 1;
  return best.at < 0 ? null : best.at;
};

/** The columns as the first rows of a file show them; null if nothing does. Columns without titles have no fingerprint, because two such files cannot be distinguished. */
export const layoutOf = (rows: readonly TextRow[]): Layout | null => {
  const header = headerOf(rows);
  if (header === null) return null;
  const samples = rows.slice(header + 1);
  // A single cell in a row is a heading of the file, no title of a column.
  const titles = rows[header] !== undefined && rows[header].length > 1 ? rows[header] : [];
  const width = Math.max(titles.length, ...samples.map((row) => row.length));
  const mapping = mappingOf(titles);
  if (mapping.delivery_id === undefined) {
    const index = byContent(samples, width);
    if (index >= 0 && !Object.values(mapping).includes(index)) mapping.delivery_id = index;
  }
  const columns = Array.from({ length: width }, (_, index) => ({
    index,
    title: titles[index] ?? '',
    samples: samples
      .map((row) => row[index] ?? '')
      .filter((cell) => cell !== '')
      .slice(0, 3),
  }));
  const weights = mapping.weight === undefined ? [] : samples.map((row) => row[mapping.weight!] ?? '');
  const fingerprint = titles.length > 0 ? hash(titles) : '';
  return { header_at: header, columns, fingerprint, mapping, weight_unit: unitOf(titles[mapping.weight ?? -1] ?? '', weights) };
};

/** Whether a mapping names existing columns, each once, and all required ones. */
export const mappingProblem = (mapping: Mapping, columns: number): BillField | null => {
  const missing = needed.find((field) => mapping[field] === undefined);
  if (missing !== undefined) return missing;
  const seen = new Set<number>();
  for (const field of billFields) {
    const index = mapping[field];
    if (index === undefined) continue;
    if (index >= columns || seen.has(index)) return field;
    seen.add(index);
  }
  return null;
};
