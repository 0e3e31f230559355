import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { separatedRows } from '#domain/workbook/separated.ts';
import { readLimits } from '#domain/workbook/workbook.ts';
import type { BillField } from '@waystation/contract/money/reconciliation.ts';
import { billUnits } from './bill-units.ts';
import { layoutOf } from './columns.ts';
import { understand } from './figures.ts';

const folder = new URL('../../testing/public-reports/', import.meta.url);
interface Case {
  kind: string;
  head: string[];
  row: string[];
  want: Partial<Record<BillField, string>>;
}
const cases = readFileSync(new URL('cases.jsonl', folder), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
  .filter(({ kind }) => kind === 'bill');

const needed = ['delivery_id', 'weight', 'amount'] as const;
/** The titles of the columns from which the fields are read, and the titles of columns in doubt. */
const titlesOf = (head: readonly string[], ...rows: (readonly string[])[]) => {
  const { mapping, doubtful } = layoutOf([head, ...rows])!;
  const found = Object.fromEntries(
    needed.flatMap((field) =>
      mapping[field] === undefined ? [] : [[field, head[mapping[field]]!]],
    ),
  );
  return { found, doubtful: doubtful.map((index) => head[index]) };
};

describe('the columns of a carrier bill from public reports', () => {
  it.each(cases.map(({ head, row, want }) => [head.join(','), head, row, want] as const))(
    'the columns of a carrier bill from public reports are recognized: %s',
    (_title, head, row, want) => {
      expect(titlesOf(head, row)).toMatchObject({ found: want, doubtful: [] });
    },
  );

  it.each([
    ['运单号,计费重量,运费,保价费,小计', 'JDVA00000000001,1.5,12,1,13', '小计', '计费重量'],
    ['运单号,计费重量,运费,小计,合计', 'JDVA00000000001,1.5,12,12,13', '合计', '计费重量'],
    [
      '运单号,结算重量,实际重量,标准运费,折后运费,保价费,总计',
      'JDVA00000000001,2,1.5,20,10,1,11',
      '总计',
      '结算重量',
    ],
    ['运单号,重量,标准运费,折后运费', 'JDVA00000000001,2,20,10', '折后运费', '重量'],
    ['运单号,重量,金额(含税),金额(不含税)', 'JDVA00000000001,2,12,11.3', '金额(含税)', '重量'],
    [
      '运单号,重量,合计（不含税）,税额,价税合计',
      'JDVA00000000001,2,11.3,0.7,12',
      '价税合计',
      '重量',
    ],
    ['运单号,重量,运费', 'JDVA00000000001,2,12', '运费', '重量'],
    ['运单号,重量,运费,保价费', 'JDVA00000000001,2,12,0', '运费', '重量'],
    ['运单号,实际重量,费用', 'JDVA00000000001,2,12', '费用', '实际重量'],
    ['运单号,总重量,总费用', 'JDVA00000000001,2,12', '总费用', '总重量'],
    [
      'Waybill No.,Actual Weight,Chargeable Weight,Freight,Fuel,Subtotal,VAT,Grand Total',
      'JDVA00000000001,1,2,10,2,12,1,13',
      'Grand Total',
      'Chargeable Weight',
    ],
    [
      'Tracking ID,Weight,Discount,Net Amount,Gross Charge',
      'JDVA00000000001,1,2,10,12',
      'Net Amount',
      'Weight',
    ],
    ['运单号,重量,合计,应付金额', 'JDVA00000000001,2,12,12', '合计', '重量'],
  ])(
    'the amount and weight columns of a carrier bill from public reports are found without asking the user: %s',
    (head, row, amount, weight) => {
      expect(titlesOf(head.split(','), row.split(','))).toMatchObject({
        found: { amount, weight },
        doubtful: [],
      });
    },
  );

  it.each([
    ['运单号,重量,应付金额,实付金额', 'JDVA00000000001,2,12,10', ['应付金额', '实付金额']],
    ['运单号,重量,合计,折后金额', 'JDVA00000000001,2,12,10', ['合计', '折后金额']],
    ['运单号,重量,运费,保价费,包装费', 'JDVA00000000001,2,12,1,2', ['运费', '保价费', '包装费']],
    ['运单号,实际重量,体积重量,应付', 'JDVA00000000001,1,2,12', ['实际重量', '体积重量']],
    ['运单号,计费重量,结算重量,应付', 'JDVA00000000001,1,2,12', ['计费重量', '结算重量']],
    ['运单号,母单号,重量,应付', 'JDVA00000000001,JDVA00000000002,2,12', ['运单号', '母单号']],
    ['运单号,重量,应付,应付', 'JDVA00000000001,2,12,13', ['应付', '应付']],
  ])('the user is asked about the carrier bill’s columns %s', (head, row, doubtful) => {
    expect(titlesOf(head.split(','), row.split(','))).toMatchObject({ doubtful });
  });

  it('if two amount columns of a carrier bill have equal values in the compared rows but the bill has more rows, the user chooses the column', () => {
    const row = ['JDVA00000000001', '2', '12', '12'];
    const head = ['运单号', '重量', '合计', '应付'];
    expect(titlesOf(head, ...Array.from({ length: 19 }, () => row)).doubtful).toEqual([]);
    expect(titlesOf(head, ...Array.from({ length: 39 }, () => row)).doubtful).toEqual([
      '合计',
      '应付',
    ]);
  });

  it.each(['订单号,重量,应付', '退回运单号,重量,应付', '商家单号,重量,应付'])(
    'a carrier bill with the titles %s has no waybill column',
    (head) => {
      expect(titlesOf(head.split(','), ['X1', '2', '12']).found).not.toHaveProperty('delivery_id');
    },
  );
});

describe('the units of a carrier bill', () => {
  const read = (weight: string, amount: string, cells: readonly [string, string]) => {
    const { columns, mapping, weight_unit } = layoutOf([
      ['运单号', weight, amount],
      ['JDVA00000000001', ...cells],
    ])!;
    const { their_weight, their_amount } = understand(
      ['JDVA00000000001', ...cells],
      mapping,
      billUnits(columns, mapping, weight_unit),
    );
    return [their_weight, their_amount];
  };
  it.for([
    ['计费重量(kg)', '应付(元)', ['1.5', '12'], 1_500, 1_200],
    ['计费重量(g)', '应付(分)', ['940', '1200'], 940, 1_200],
    ['计费重量（斤）', '应付', ['3', '12'], 1_500, 1_200],
    ['计费重量(吨)', '应付(万元)', ['0.0015', '0.0012'], 1_500, 1_200],
    ['计费重量(公斤)', '应付金额（角）', ['2', '120'], 2_000, 1_200],
    ['计费重量(g)', '应付(分)', ['0.94kg', '¥12'], 940, 1_200],
  ] as const)(
    'the units of a carrier bill are read from its titles %s and %s',
    ([weight, amount, cells, grams, fen]) =>
      expect(read(weight, amount, cells)).toEqual([grams, fen]),
  );

  it('two carrier bills have different column fingerprints if the words in parentheses in their column titles differ', () => {
    const print = (...titles: string[]) =>
      layoutOf([titles, ['JDVA00000000001', '1', '2']])!.fingerprint;
    expect(print('运单号', '重量(kg)', '应付')).not.toBe(print('运单号', '重量(g)', '应付'));
    expect(print('运单号', '重量', '金额(含税)')).not.toBe(print('运单号', '重量', '金额(不含税)'));
    expect(print('运单号', '重量(kg)', '应付')).toBe(print(' 运单号', '重量（KG）', '应付'));
  });
});

describe('the amounts of a carrier bill from public reports', () => {
  const lines = (file: string) => {
    const rows = [
      ...separatedRows(readFileSync(new URL(`sheets/${file}`, folder)), readLimits),
    ].map(({ cells }) => cells);
    const { columns, mapping, weight_unit, header_at, doubtful } = layoutOf(rows)!;
    expect(doubtful).toEqual([]);
    return rows
      .slice(header_at + 1)
      .map((cells) => understand(cells, mapping, billUnits(columns, mapping, weight_unit)));
  };
  it.each([
    'bill-currency.csv',
    'bill-discounted.csv',
    'bill-freight-and-total.csv',
    'bill-invisible.csv',
    'bill-package-numbers.csv',
    'bill-total-only.csv',
  ])('a bill of public reports, %s, has the amounts that are owed', (file) => {
    const found = lines(file);
    expect(found[0]).toMatchObject({
      delivery_id: 'JDVE00000005852',
      their_weight: 940,
      their_amount: 710,
      problem: null,
    });
    expect(found.slice(0, 11).map(({ their_amount }) => their_amount)).toEqual([
      710, 1_150, 1_526, 1_992, 710, 710, 820, 2_580, 820, 930, 820,
    ]);
    for (const { problem } of found) expect(problem).toBeNull();
    if (file === 'bill-freight-and-total.csv')
      expect(found.at(-1)).toMatchObject({ bucket: null, stated_amount: 14_908 });
  });
});
