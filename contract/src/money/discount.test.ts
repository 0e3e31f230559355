import { expect, test } from 'vitest';
import { discountText, parseDiscount, typedDiscount } from './discount.ts';

test.for([
  [8_500, '8.5 折（85%）', '85% of list', '8.5', '85'],
  [9_250, '9.25 折（92.5%）', '92.5% of list', '9.25', '92.5'],
  [10_000, '不打折', 'None', '10', '100'],
  [1, '0.001 折（0.01%）', '0.01% of list', '0.001', '0.01'],
] as const)(
  'a discount of %i basis points is shown as %s, and as %s in English',
  ([rate, zh, en, typedZh, typedEn]) => {
    expect([
      discountText(rate, 'zh'),
      discountText(rate, 'en'),
      typedDiscount(rate, 'zh'),
      typedDiscount(rate, 'en'),
    ]).toEqual([zh, en, typedZh, typedEn]);
    expect([parseDiscount(typedZh, 'zh'), parseDiscount(typedEn, 'en')]).toEqual([rate, rate]);
  },
);

test.each([
  ['8.5', 8_500],
  ['8.5折', 8_500],
  ['８．５ 折', 8_500],
  ['85%', 8_500],
  ['0.85', 850],
  ['10', 10_000],
  ['10.001', null],
  ['85', null],
  ['8.5555', null],
  ['x', null],
])('a discount typed as %j in Chinese is %j basis points', (typed, rate) =>
  expect(parseDiscount(typed, 'zh')).toBe(rate),
);
