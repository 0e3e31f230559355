import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatYuan,
  halfUp,
  parsePercent,
  parseYuan,
  percentText,
  wholeRate,
  yuanText,
  yuanToFen,
  zheText,
} from './money.ts';

describe('rounding a share of an amount half up', () => {
  test.each([
    [0, 8500, 0],
    [2000, 8500, 1700],
    [1, 5000, 1],
    [1, 4999, 0],
    [3, 5000, 2],
    [10_001, 5000, 5001],
    [1234, 0, 0],
    [1234, 10_000, 1234],
    [1234, 20_000, 2468],
    [Number.MAX_SAFE_INTEGER, 10_000, Number.MAX_SAFE_INTEGER],
  ])('the share of %i fen at %i basis points is rounded to %i fen', (amount, rate, rounded) => {
    expect(halfUp(amount, rate)).toBe(rounded);
  });

  test('a share of an amount, rounded half up, equals the exact result for every amount, however large', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 10_000 }), (amount, rate) => {
        const exact = (BigInt(amount) * BigInt(rate) * 2n + 10_000n) / 20_000n;
        expect(halfUp(amount, rate)).toBe(Number(exact));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])(
    'calculating a share of the invalid amount of %d fen throws an error',
    (amount) => {
      expect(() => halfUp(amount, 1)).toThrow(new RangeError(`not an amount in fen: ${amount}`));
    },
  );

  test.each([-1, 0.85, Number.NaN])(
    'calculating a share at the invalid rate of %d throws an error',
    (rate) => {
      expect(() => halfUp(1, rate)).toThrow(new RangeError(`not a rate in basis points: ${rate}`));
    },
  );
});

describe('reading amounts that people type in yuan', () => {
  test.each([
    ['12', 1200],
    ['1,234.5', 123450],
    ['¥12.30', 1230],
    ['￥ 12.30', 1230],
    ['12.3元', 1230],
    [' ￥１２．５ 元 ', 1250],
    ['-3.20', -320],
  ])('the text %j is read as %i fen', (text, fen) => {
    expect(parseYuan(text)).toBe(fen);
  });

  test.each(['', '¥', '元', '12.345', '¥¥1', '1元2', '元1', '1¥'])(
    'the text %j is not an amount',
    (text) => {
      expect(parseYuan(text)).toBeNull();
    },
  );
});

test('a carrier’s amount in yuan is converted to fen, rounded half up', () => {
  expect(yuanToFen(14.5)).toBe(1450);
  expect(yuanToFen('14.505')).toBe(1451);
  expect(yuanToFen('free')).toBeNull();
});

test.each([
  [0, '0.00', '0.00'],
  [99_999, '999.99', '999.99'],
  [100_000, '1000.00', '1,000.00'],
  [-123_456_789, '-1234567.89', '-1,234,567.89'],
  [100_000_000_000, '1000000000.00', '1,000,000,000.00'],
  [Number.MAX_SAFE_INTEGER, '90071992547409.91', '90,071,992,547,409.91'],
])('an amount of %i fen is written %s and shown %s', (fen, written, shown) => {
  expect(yuanText(fen)).toBe(written);
  expect(formatYuan(fen)).toBe(shown);
  expect(parseYuan(shown)).toBe(fen);
});

test.each([
  [8500, '85', '8.5'],
  [9000, '90', '9'],
  [8525, '85.25', '8.525'],
  [10_000, '100', '10'],
  [333, '3.33', '0.333'],
  [0, '0', '0'],
])('a rate of %i basis points is %s %% or %s 折', (rate, percent, zhe) => {
  expect(percentText(rate)).toBe(percent);
  expect(zheText(rate)).toBe(zhe);
  expect(parsePercent(percent)).toBe(rate);
});

test.each([
  ['85%', 8500],
  [' ８５．５ ％ ', 8550],
  ['85', 8500],
  ['85.255', null],
  ['%', null],
  ['8%5', null],
])('the text %j per cent is read as %s basis points', (text, rate) => {
  expect(parsePercent(text)).toBe(rate);
});

test('a rate of 100 % is ten thousand basis points', () => {
  expect(wholeRate).toBe(10_000);
});
