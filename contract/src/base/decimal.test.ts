import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, parseDecimal, roundDecimal } from './decimal.ts';

describe('reading decimal numbers that people type', () => {
  test.each([
    ['0', 0],
    ['12', 1200],
    ['12.', 1200],
    ['.5', 50],
    ['12.3', 1230],
    ['012.30', 1230],
    ['12.3400', 1234],
    ['-12.34', -1234],
    ['+12.34', 1234],
    ['-0', 0],
    [' 12.34 ', 1234],
    ['1,234.5', 123450],
    ['1,234,567', 123456700],
    ['12,345.6', 1234560],
    ['123,456', 12345600],
    ['１，２３４．５０', 123450],
    ['12。34', 1234],
    ['1·5', 150],
    ['90071992547409.91', 9007199254740991],
    ['0000000000000000000000000000000000001.23', 123],
  ])('the text %j is read as %i hundredths', (text, units) => {
    expect(parseDecimal(text, 2)).toBe(units);
  });

  test.each([
    '',
    ' ',
    '.',
    '-',
    '-.',
    ',',
    'abc',
    '1.2.3',
    '1 2',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '--1',
    '1-',
    '1,23',
    '12,34',
    '1234,567',
    ',123',
    '1,2345',
    '1.234,5',
    '12.345',
    '12.001',
    '90071992547409.92',
    '00000000000000000000000000000000000001.23',
  ])('the text %j is not a number of whole hundredths', (text) => {
    expect(parseDecimal(text, 2)).toBeNull();
  });
});

describe('reading decimal numbers of another system', () => {
  test.each([
    ['12.344', 1234],
    ['12.345', 1235],
    ['12.3449999', 1234],
    [1.005, 101],
    [14.499999999999998, 1450],
    [19.9, 1990],
    [-1.005, -101],
    [-1.004, -100],
    [0.004, 0],
    [-0.004, 0],
    [0.005, 1],
    [1e-7, 0],
    [-1e-7, 0],
    [0.0000012, 0],
    [0, 0],
    ['90071992547409.909', 9007199254740991],
  ])('the figure %j is rounded half up to %i hundredths', (value, units) => {
    expect(roundDecimal(value, 2)).toBe(units);
  });

  test.each([
    '',
    'abc',
    '1e3',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
    90071992547409.92,
    '90071992547409.915',
  ])('the figure %j is refused', (value) => {
    expect(roundDecimal(value, 2)).toBeNull();
  });

  test('a number below one millionth is rounded to zero, and one millionth stays one millionth', () => {
    expect(roundDecimal(1e-6, 6)).toBe(1);
    expect(roundDecimal(9e-7, 6)).toBe(0);
  });

  test('a decimal text that needs no rounding gives the same number whether it is rounded or parsed', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 6 }), (units, places) => {
        const text = decimalText(units, places);
        expect(roundDecimal(text, places)).toBe(parseDecimal(text, places));
      }),
    );
  });
});

describe('writing a whole number of units as decimal text', () => {
  test.each([
    [0, 2, 2, '0.00'],
    [5, 2, 2, '0.05'],
    [-5, 2, 2, '-0.05'],
    [123450, 2, 2, '1234.50'],
    [123450, 2, 1, '1234.5'],
    [123400, 2, 0, '1234'],
    [4300, 3, 0, '4.3'],
    [4300, 3, 2, '4.30'],
    [1200, 0, 0, '1200'],
    [Number.MAX_SAFE_INTEGER, 2, 2, '90071992547409.91'],
  ])(
    'the number %i with %i places, at least %i shown, is written %s',
    (units, places, least, text) => {
      expect(decimalText(units, places, least)).toBe(text);
    },
  );

  test('a number is written with all its decimal places by default', () => {
    expect(decimalText(1200, 3)).toBe('1.200');
  });

  test.each([1.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])(
    'writing the number %d throws, because it is not a whole number',
    (units) => {
      expect(() => decimalText(units, 2)).toThrow(new RangeError(`not a whole number: ${units}`));
    },
  );

  test('the decimal text of a whole number is parsed back to the same number', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 6 }),
        (units, places, least) => {
          expect(parseDecimal(decimalText(units, places, Math.min(least, places)), places)).toBe(
            units,
          );
        },
      ),
    );
  });
});
