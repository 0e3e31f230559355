import { billFields } from '@waystation/contract/money/reconciliation.ts';
import type { BillField } from '@waystation/contract/money/reconciliation.ts';
import { titlesHash } from '#domain/workbook/workbook.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { amountRank, isPartOfPrice, waybillRank, weightRank } from './bill-titles.ts';
import { namedWeight } from './bill-units.ts';

export type Mapping = Partial<Record<BillField, number>>;
export type WeightUnit = 'kg' | 'g';

/** The columns of a file, found by their titles and cells. */
export interface Layout {
  /** The index of the row of titles. */
  header_at: number;
  columns: { index: number; title: string; samples: string[] }[];
  fingerprint: string;
  mapping: Mapping;
  weight_unit: WeightUnit;
  /** True if the title of the weight column contains a unit. */
  names_unit: boolean;
  /** The indexes of columns with the same rank, among which the user has to choose. */
  doubtful: number[];
}

/** The fields for which a bill has at most one column. This column is found only by its title. */
type PlainField = Exclude<BillField, 'delivery_id' | 'weight' | 'amount'>;

/**
 * The number of first rows that are inspected together to find the columns. Lines such as the
 * customer's name may be above the titles.
 */
export const lookAhead = 40;
/** The number of first rows in which the row of titles is searched. */
const headAhead = 20;

/** Titles that carriers use, the most specific first. */
const synonyms: Record<PlainField, readonly string[]> = {
  fee: [
    '费用类型',
    '费用名称',
    '费用项目',
    '费用项',
    '费用科目',
    '收费项目',
    '费用种类',
    'feetype',
    'feename',
    'chargetype',
  ],
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
  volume: ['计费体积', '体积', 'volume'],
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
const plainFields = Object.keys(synonyms) as PlainField[];

/**
 * Returns a title in lower case. Removes the words in parentheses, the spaces and the punctuation.
 */
const plain = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[([【].*?[)\]】]/g, '')
    .replaceAll(/[\s_\-./:：*#]+/g, '');

const bracketed = (title: string): string =>
  (
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[([【].*?[)\]】]/g) ?? []
  )
    .join('')
    .replaceAll(/\s+/g, '');

const ranks = { delivery_id: waybillRank, weight: weightRank, amount: amountRank } as const;

interface Mapped {
  mapping: Mapping;
  doubtful: number[];
}

/**
 * Maps columns to fields by their titles. `rows` are all rows below the titles, if there are only a
 * few. Two possible columns with equal cells then count as the same column.
 */
export const mappingOf = (titles: readonly string[], rows: readonly TextRow[] = []): Mapped => {
  const names = titles.map(plain);
  const mapping: Mapping = {};
  const assigned = new Set<number>();
  const doubtful: number[] = [];
  const take = (field: BillField, index: number): void => {
    if (index < 0 || mapping[field] !== undefined) return;
    mapping[field] = index;
    assigned.add(index);
  };
  const takePlain = (
    words: (field: PlainField) => readonly string[],
    is: (name: string, word: string) => boolean,
  ): void => {
    for (const field of plainFields)
      for (const word of words(field))
        take(
          field,
          names.findIndex((name, index) => is(name, word) && !assigned.has(index)),
        );
  };
  const isSame = (one: number, other: number): boolean =>
    rows.length < headAhead && rows.every((row) => (row[one] ?? '') === (row[other] ?? ''));
  takePlain((field) => synonyms[field], Object.is);
  for (const field of ['delivery_id', 'weight', 'amount'] as const) {
    const ranked = names.flatMap((name, index) => {
      const rank =
        name === '' || assigned.has(index) ? null : ranks[field](name, bracketed(titles[index]!));
      return rank === null ? [] : [{ index, rank }];
    });
    const best = Math.min(...ranked.map(({ rank }) => rank));
    const [first, ...others] = ranked.filter(({ rank }) => rank === best).map(({ index }) => index);
    if (first === undefined) continue;
    const rivals = others.filter((index) => !isSame(first, index));
    // The only amount is the freight, but columns for other parts of the price have numbers too, so
    // the user has to choose.
    if (field === 'amount' && best >= 4)
      rivals.push(
        ...names.flatMap((name, index) =>
          isPartOfPrice(name) && !isEmpty(rows, index) ? [index] : [],
        ),
      );
    if (rivals.length === 0) take(field, first);
    else doubtful.push(first, ...rivals);
  }
  for (const index of doubtful) assigned.add(index);
  takePlain(
    (field) =>
      synonyms[field].filter(
        (one) => one.length >= 2 && (one.length >= 5 || /\p{Script=Han}/u.test(one)),
      ),
    (name, word) => name.includes(word),
  );
  return { mapping, doubtful };
};

/** True if all cells of a column are empty or zero. */
const isEmpty = (rows: readonly TextRow[], index: number): boolean =>
  rows.every((row) => /^[0.\s¥￥-]*$/.test(row[index] ?? ''));

export const isWhole = (mapping: Mapping): boolean =>
  needed.every((field) => mapping[field] !== undefined);

const waybill = /^(?=.*\d{6})[A-Z]{0,6}\d[A-Z\d-]{7,39}$/;
/**
 * The first column of waybill numbers; -1 if there is none. At least 80 % of its cells with a digit
 * look like waybill numbers, and more than half of these cells are different.
 */
const byContent = (rows: readonly TextRow[], columns: number): number => {
  for (let index = 0; index < columns; index++) {
    // A cell without a digit is ignored: it is not a waybill number, but for example a word before
    // the total.
    const cells = rows
      .map((row) => (row[index] ?? '').normalize('NFKC').toUpperCase())
      .filter((cell) => /\d/.test(cell));
    if (
      cells.length > 0 &&
      cells.filter((cell) => waybill.test(cell)).length * 10 >= cells.length * 8 &&
      new Set(cells).size * 2 > cells.length
    )
      return index;
  }
  return -1;
};

/**
 * The unit of the weights if their title has no unit: grams if all are whole numbers of at least
 * 50, otherwise kilograms.
 */
const unitOf = (cells: readonly string[]): WeightUnit => {
  const numbers = cells
    .map((cell) => cell.normalize('NFKC').replaceAll(',', ''))
    .filter((cell) => /^\d/.test(cell));
  return numbers.length > 0 && numbers.every((cell) => /^\d+$/.test(cell) && Number(cell) >= 50)
    ? 'g'
    : 'kg';
};

const holdsWaybill = (row: TextRow): boolean =>
  row.some((cell) => waybill.test(cell.normalize('NFKC').toUpperCase()));

const figure = /^[¥￥]?-?\d[\d.,]*$/;

/**
 * The index of the row of titles: the row with the most known titles. If no row has a known title,
 * it is the row before the first waybill number, or -1 if the file begins with a waybill number.
 */
const headerOf = (rows: readonly TextRow[]): number | null => {
  const known = (row: TextRow): number => {
    const { mapping, doubtful } = mappingOf(row);
    const titles = Object.keys(mapping).length + doubtful.length;
    // A row with only the title 合计 and with numbers is a total row, not a row of titles.
    return row.length < 2 || (titles === 1 && row.some((cell) => figure.test(cell))) ? 0 : titles;
  };
  const score = (row: TextRow): number =>
    row.length < 2 ? -1 : known(row) + row.filter((cell) => cell !== '').length / 1_000;
  const candidates = rows
    .slice(0, headAhead)
    .map((row, at) => ({ at, known: known(row), score: score(row) }));
  const best = candidates.reduce((one, other) => (other.score > one.score ? other : one), {
    at: -1,
    known: 0,
    score: 0,
  });
  if (best.known > 0) return best.at;
  const first = rows.findIndex(holdsWaybill);
  if (first >= 0) return first - 1;
  return best.at < 0 ? null : best.at;
};

/**
 * The columns that the first rows of a file show; null if these rows show no columns. The
 * fingerprint is empty if the file has no titles, because two files without titles cannot be
 * distinguished.
 */
export const layoutOf = (rows: readonly TextRow[]): Layout | null => {
  const header = headerOf(rows);
  if (header === null) return null;
  const samples = rows.slice(header + 1);
  // A row with a single cell is a heading of the file, not a row of column titles.
  const titles = rows[header] !== undefined && rows[header].length > 1 ? rows[header] : [];
  const width = Math.max(titles.length, ...samples.map((row) => row.length));
  const { mapping, doubtful } = mappingOf(titles, samples);
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
  const weights =
    mapping.weight === undefined ? [] : samples.map((row) => row[mapping.weight!] ?? '');
  const fingerprint = titles.length > 0 ? titlesHash(titles) : '';
  const named = namedWeight(titles[mapping.weight ?? -1] ?? '');
  const weight_unit = named === null ? unitOf(weights) : named === 1 ? 'g' : 'kg';
  return {
    header_at: header,
    columns,
    fingerprint,
    mapping,
    weight_unit,
    names_unit: named !== null,
    doubtful,
  };
};

/**
 * The first field with a problem; null if there is none. A required field may have no column, or a
 * column may be missing in the file or be used twice.
 */
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
