import { expect, test } from 'vitest';
import type { PriceLine } from '@waystation/contract/money/price.ts';
import { comparePrices, priceAsText } from './price-text.ts';

// The example of docs/pricing.md: ¥12 for the first kg, ¥2 for each further kg, a discount of 8.5
// 折, insurance for ¥1; declared 4.3 kg, later weighed 5.2 kg.
const lines: PriceLine[] = [
  {
    rule: 'first',
    version: 1,
    input: {
      voucher_id: 1,
      voucher_version: 3,
      voucher_name: '标准',
      zone_name: '',
      area: '310000',
      first_weight: 1000,
      first_amount: 1200,
    },
    result: 1200,
  },
  {
    rule: 'step',
    version: 1,
    input: { from_weight: 1000, step_weight: 1000, step_amount: 200, steps: 4 },
    result: 800,
  },
  {
    rule: 'discount',
    version: 1,
    input: { source: 'station', rate: 8500, freight_amount: 2000 },
    result: -300,
  },
  {
    rule: 'guarantee',
    version: 1,
    input: { source: 'declared', value_amount: 50_000, tier_amount: 50_000 },
    result: 100,
  },
];

test('a price copied as text has one line per part and ends with the sum', () => {
  const text = priceAsText(
    { lines, post_amount: 1800, weight_message: null },
    { heading: 'JDVE00000000017', weight: '计费重量', total: '应付' },
    'zh',
  );
  expect(text.split('\n')).toEqual([
    'JDVE00000000017',
    '首重 1 kg，¥12.00（标准 第 3 版，上海）: +¥12.00',
    '1 kg 以上每 1 kg ¥2.00 × 4: +¥8.00',
    '网点折扣 8.5 折（85%），运费 ¥20.00: −¥3.00',
    '保价 ¥500.00（声明价值），¥500.00 档: +¥1.00',
    '应付: ¥18.00',
  ]);
});

test('the prices before and after a re-weigh are compared line by line, and the lines of each price add up to that price', () => {
  const before = {
    freight_amount: 2000,
    discount_amount: 300,
    guarantee_amount: 100,
    surcharge_amount: 0,
    post_amount: 1800,
  };
  const after = {
    freight_amount: 2200,
    discount_amount: 330,
    guarantee_amount: 100,
    surcharge_amount: 0,
    post_amount: 1970,
  };
  const compared = comparePrices(before, after);
  expect(compared).toEqual([
    { key: 'freight_amount', before: 2000, after: 2200, difference: 200 },
    { key: 'discount_amount', before: -300, after: -330, difference: -30 },
    { key: 'guarantee_amount', before: 100, after: 100, difference: 0 },
    { key: 'post_amount', before: 1800, after: 1970, difference: 170 },
  ]);
  for (const side of ['before', 'after', 'difference'] as const) {
    const parts = compared.slice(0, -1).reduce((sum, part) => sum + part[side], 0);
    expect(parts).toBe(compared.at(-1)![side]);
  }
});
