import { expect, test } from 'vitest';
import { isNoValue } from './row-texts.ts';
import { gramsOf, sideOf, weightsIn, wholeOf } from './quantities.ts';

test.each([
  ['1。5', 1_500],
  ['0,5kg', 500],
  ['１．５', 1_500],
  ['1 500 g', 1_500],
  ['1,500g', 1_500],
  ['1 .5', 1_500],
  ['3斤', 1_500],
  ['1,500', null],
  ['1 5', null],
  ['1 50 g', null],
  ['约2kg', null],
])('the weight cell %s of an import is read as %s g', (text, grams) => {
  expect(gramsOf(text)).toBe(grams);
});

test.each([
  ['1,500', ['1.5', '1500']],
  ['1,500kg', ['1.5', '1500']],
  ['约2kg', ['2']],
  ['1-2公斤', ['1', '2']],
  ['1..5', []],
])('the weight cell %s of an import suggests %j kg', (text, weights) => {
  expect(weightsIn(text)).toEqual(weights);
});

test('an import cell with two numbers separated by a space is read neither as a length nor as a number of packages', () => {
  expect([sideOf('30 40'), sideOf('30.5'), sideOf('30 cm'), sideOf('1 200mm')]).toEqual([
    null,
    31,
    30,
    120,
  ]);
  expect([wholeOf('1 2'), wholeOf('2 件'), wholeOf('２')]).toEqual([null, 2, 2]);
});

test.each([
  'null',
  "'null",
  'NULL',
  'N/A',
  'n／a',
  'NA',
  'N.A.',
  '[null]',
  '"null"',
  'undefined',
  'NaN',
  'None',
  '(null)',
  '<null>',
  '--',
])('the text %s in an import is read as an empty cell', (word) =>
  expect(isNoValue(word)).toBe(true),
);

test.each(['Nancy', 'NA区', '无', '纳', 'Null岛', '0', 'nation'])(
  'the text %s in an import is read as a value, not as an empty cell',
  (word) => expect(isNoValue(word)).toBe(false),
);
