import { expect, test } from 'vitest';
import { isNumber, mostNumbers, readSearch, readWords } from './numbers.ts';

test('numbers are told apart whatever stands between them', () => {
  expect(readWords('JDVE1,JDVE2;JDVE3|JDVE4\nJDVE5\tJDVE6、JDVE7，JDVE8；JDVE9  "JDVE10"')).toEqual([
    'JDVE1',
    'JDVE2',
    'JDVE3',
    'JDVE4',
    'JDVE5',
    'JDVE6',
    'JDVE7',
    'JDVE8',
    'JDVE9',
    'JDVE10',
  ]);
});

test('a column from a spreadsheet with full-width figures and repeats is read as it is meant', () => {
  expect(readSearch('ＪＤＶＥ０００１\r\nJDVE0002\r\n\r\nJDVE0001\r\n')).toEqual({ q: 'JDVE0001 JDVE0002', numbers: 2, tooMany: false });
});

test('one number, a phone tail or a name is an ordinary search', () => {
  for (const text of ['JDVE00000000017', '9000', '赵靐芳', '赵 丽华', '张三 9000']) expect(readSearch(text).numbers).toBe(0);
  expect(readSearch('  赵   丽华 ').q).toBe('赵 丽华');
  expect(readSearch('  ').q).toBe('');
});

test('a word counts as a number when it has a figure and nothing but letters, figures and dashes', () => {
  expect(['JDVE00000000017', 'WS20261121000001', '13900139000-1234', '9000'].map(isNumber)).toEqual([true, true, true, true]);
  expect(['JDVE', '赵1234', '12', 'a b', ''].map(isNumber)).toEqual([false, false, false, false, false]);
});

test('two thousand numbers are looked up at once, one more is said to be too many', () => {
  const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `JDVE${String(index).padStart(11, '0')}`).join('\n');
  expect(readSearch(numbers(mostNumbers))).toMatchObject({ numbers: mostNumbers, tooMany: false });
  expect(readSearch(numbers(mostNumbers + 1))).toMatchObject({ tooMany: true });
});
