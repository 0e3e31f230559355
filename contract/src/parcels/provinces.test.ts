import { expect, test } from 'vitest';
import {
  defaultNortheast,
  provinceCodes,
  provinceName,
  provinceOf,
  provinces,
} from './provinces.ts';

test('the 34 province-level divisions have unique codes and names', () => {
  for (const values of [
    provinceCodes,
    provinces.map(({ zh }) => zh),
    provinces.map(({ en }) => en),
  ])
    expect(new Set(values).size).toBe(34);
  for (const code of provinceCodes) expect(code).toMatch(/^[1-8]\d0000$/);
});

test('the default north-east region consists of six provinces', () => {
  expect(defaultNortheast.map((code) => provinceName(code, 'zh'))).toEqual([
    '辽宁',
    '吉林',
    '黑龙江',
    '内蒙古',
    '河北',
    '天津',
  ]);
});

test('the code of the province is found from the division code of a province, city or county', () => {
  expect(['440000', '440300', '440305'].map(provinceOf)).toEqual(['440000', '440000', '440000']);
  expect(provinceName('440305', 'en')).toBe('Guangdong');
});

test('a code that belongs to no province is shown unchanged', () => {
  expect(provinceName('990100', 'zh')).toBe('990100');
});
