import { describe, expect, it } from 'vitest';
import { layoutOf } from './columns.ts';
import { fenOf, gramsOf, understand, waybillOf } from './figures.ts';

describe('an amount in a carrier bill', () => {
  it.each([
    ['12.5', 1_250],
    ['¥1,234.50', 123_450],
    ['１２．５元', 1_250],
    ['-3.2', -320],
    ['(12.00)', -1_200],
    ['-¥5', -500],
    // A spreadsheet may store the sum 17.05 as 17.049999999999997.
    ['17.049999999999997', 1_705],
    ['0.005', 1],
    ['many', null],
    ['10,5', null],
    ['', null],
  ])('the amount %s of a carrier bill is read as %s fen', (text, fen) =>
    expect(fenOf(text)).toBe(fen),
  );
});

describe('a weight in a carrier bill', () => {
  it.each([
    ['4.3', 1_000, 4_300],
    ['4.3kg', 1, 4_300],
    ['1,200', 1, 1_200],
    ['1200克', 1_000, 1_200],
    ['1.2345', 1_000, 1_235],
    ['0.5', 1, 1],
    ['3', 500, 1_500],
    ['3斤', 1_000, 1_500],
    ['0.0012', 1_000_000, 1_200],
    ['-1', 1_000, null],
    ['4.3.1', 1_000, null],
  ] as const)(
    'the weight %s of a carrier bill in units of %s g is read as %s g',
    (text, unit, grams) => expect(gramsOf(text, unit)).toBe(grams),
  );
});

describe('a waybill number in a carrier bill', () => {
  it('a carrier bill’s waybill number is read in capitals without quotes, but not if the spreadsheet stored it as a rounded number', () => {
    expect(["'jdve0001234567 ", 'ＪＤ12345678', '1.38E+10', '合计', 'JD'].map(waybillOf)).toEqual([
      'JDVE0001234567',
      'JD12345678',
      null,
      null,
      null,
    ]);
  });
});

describe('the columns of a carrier bill', () => {
  it('the columns of a carrier bill are found by the usual column titles, even below lines of other text', () => {
    const layout = layoutOf([
      ['京东快递对账单', '', '2026年3月'],
      [
        '序号',
        '京东运单号',
        '商家编码',
        '费用类型',
        '寄件日期',
        '计费重量（KG）',
        '体积(cm³)',
        '应付金额（元）',
        '备注',
      ],
      ['1', 'JDVE0000000001', '010K1', '运费', '2026-03-01', '4.3', '100', '12', ''],
    ]);
    expect(layout).toMatchObject({
      header_at: 1,
      weight_unit: 'kg',
      mapping: {
        delivery_id: 1,
        customer_code: 2,
        fee: 3,
        sent_on: 4,
        weight: 5,
        volume: 6,
        amount: 7,
        remark: 8,
      },
    });
  });

  it('the columns of a carrier bill are found if its column titles are English', () => {
    expect(
      layoutOf([
        ['Tracking No.', 'Billed weight (g)', 'Fee type', 'Total amount'],
        ['JD1', '4300', 'freight', '1'],
      ]),
    ).toMatchObject({
      weight_unit: 'g',
      mapping: { delivery_id: 0, weight: 1, fee: 2, amount: 3 },
    });
  });

  it('the waybill column of a carrier bill is found by its cell values if the column titles are unknown', () => {
    expect(
      layoutOf([
        ['A', 'B'],
        ['JDVE0000000001', '4'],
        ['JDVE0000000002', '4'],
      ])?.mapping,
    ).toEqual({ delivery_id: 0 });
  });

  it('two carrier bills have the same column fingerprint if their column titles differ only in spaces', () => {
    const print = (title: string) =>
      layoutOf([
        [title, '金额'],
        ['a', '1'],
      ])!.fingerprint;
    expect([print('运单号 ') === print('运单号'), print('运单号') === print('重量')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a line of a carrier bill', () => {
  const mapping = { delivery_id: 0, weight: 1, amount: 2, fee: 3 };
  it('a line of a carrier bill that cannot be read has a reason, and the total row at the end is not a line', () => {
    const read = (...cells: string[]) => {
      const { bucket, problem } = understand(cells, mapping, { grams: 1_000, places: 2 });
      return problem?.code ?? bucket;
    };
    expect([
      read('JD12345678', '1', '2'),
      read('JD12345678', '', '2', '包装费'),
      read('', '1', '2'),
      read('?', '1', '2'),
      read('JD12345678', 'heavy', '2'),
      read('JD12345678', '1', ''),
      read('合计', '', '99'),
      read('', '合计：', '99'),
      read('', '', '99', 'Grand total'),
    ]).toEqual([
      'only_theirs',
      'only_theirs',
      'bill_no_waybill',
      'bill_waybill_unreadable',
      'bill_weight_unreadable',
      'bill_amount_unreadable',
      null,
      null,
      null,
    ]);
  });
});
