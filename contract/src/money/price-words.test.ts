import { expect, test } from 'vitest';
import { lineText, weightText } from './price-words.ts';
import type { PriceLine, WeightMessage } from './price.ts';

// These cases have no example in docs/pricing.md. The texts of the examples there are checked by
// the server's golden test.

const weights: [WeightMessage, string, string][] = [
  [
    { code: 're_weight', params: { actual_weight: 800, billed_weight: 1000, rounding: 'first' } },
    '网点复重 0.8 kg，首重内计 1 kg',
    'The station weighed 0.8 kg; within the first weight, billed as 1 kg',
  ],
  [
    {
      code: 'jd_volume',
      params: {
        actual_weight: 2500,
        billed_weight: 3000,
        rounding: 'first',
        scale_weight: 2200,
        volume: 20_000,
        divisor: 8000,
      },
    },
    '承运商量方 20000 cm³ ÷ 8000 = 2.5 kg，大于实重 2.2 kg，首重内计 3 kg',
    'The carrier measured 20000 cm³ ÷ 8000 = 2.5 kg, more than its 2.2 kg; within the first weight, billed as 3 kg',
  ],
];

test.each(weights)(
  'weight explanation %# is written in Chinese and in English',
  (message, zh, en) => {
    expect(weightText(message, 'zh')).toBe(zh);
    expect(weightText(message, 'en')).toBe(en);
  },
);

const freight = { rate: 9250, freight_amount: 123_456 };
const lines: [PriceLine, string, string][] = [
  [
    { rule: 'discount', version: 1, input: { source: 'voucher', ...freight }, result: -1 },
    '模板折扣 9.25 折（92.5%），运费 ¥1,234.56',
    'Template discount 92.5% of list, on freight of ¥1,234.56',
  ],
  [
    {
      rule: 'discount',
      version: 1,
      input: { source: 'voucher_northeast', ...freight },
      result: -1,
    },
    '模板东北折扣 9.25 折（92.5%），运费 ¥1,234.56',
    'Template north-east discount 92.5% of list, on freight of ¥1,234.56',
  ],
  [
    {
      rule: 'guarantee',
      version: 1,
      input: { source: 'merchant', value_amount: 30_000, tier_amount: 50_000 },
      result: 100,
    },
    '保价 ¥300.00（商家最低保价），¥500.00 档',
    'Insured for ¥300.00 (minimum of the carrier account), tier up to ¥500.00',
  ],
  [
    { rule: 'surcharge', version: 1, input: { code: 'QLHCF', name: '' }, result: 300 },
    '附加费：QLHCF',
    'Surcharge: QLHCF',
  ],
  [
    {
      rule: 'first',
      version: 1,
      input: {
        voucher_id: 1,
        voucher_version: 2,
        voucher_name: '特惠',
        zone_name: '',
        area: '440300',
        first_weight: 500,
        first_amount: 99,
      },
      result: 99,
    },
    '首重 0.5 kg，¥0.99（特惠 第 2 版，广东）',
    'First weight 0.5 kg at ¥0.99 (特惠, version 2, Guangdong)',
  ],
];

test.each(lines)(
  'line %# of a price breakdown is written in Chinese and in English',
  (line, zh, en) => {
    expect(lineText(line, 'zh')).toBe(zh);
    expect(lineText(line, 'en')).toBe(en);
  },
);
