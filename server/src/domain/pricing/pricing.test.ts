import { errors, isErrorCode } from '@waystation/contract/base/errors.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import type { ServedZone, TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import { describe, expect, test } from 'vitest';
import { chainRate, chainTooGenerous, choosePromise, compileTemplate, priceOf } from './pricing.ts';
import type { PricedParcel } from './pricing.ts';

// This file tests cases that have no row in docs/pricing.md; its tables are checked in
// pricing.golden.test.ts.

const zone = (areas: string[], price: number): ServedZone => ({
  name: '',
  areas,
  not_served: 0,
  first: { max_g: 1000, price },
  brackets: [{ up_to_g: 5000, step_g: 1000, price: 100 }],
  minimum: 0,
});

const oneZone: TemplateContent = {
  divisor: null,
  origins: [{ provinces: [], zones: [zone(['510000'], 1200)] }],
};

const terms: Terms = {
  voucher: { id: 7, version: 3, name: '标准', discount: null, northeast_discount: null },
  station: { id: 1, discount: 10_000, northeast_discount: null },
  northeast: [],
  tiers: [],
  guarantee: 0,
  links: [],
};

const parcel: PricedParcel = {
  sender_code: '110000',
  receive_code: '510104',
  weight: 1500,
  re_weight: null,
  jd_weight: null,
  jd_volume: null,
  length: null,
  width: null,
  height: null,
  package_count: 1,
  guarantee_value_amount: 0,
  surcharges: [],
};

const quote = (changes: Partial<PricedParcel> = {}, content = oneZone, own: Partial<Terms> = {}) =>
  priceOf({ ...parcel, ...changes }, compileTemplate(content), { ...terms, ...own });

test('a price with a surcharge has exactly the expected amounts and lines', () => {
  expect(quote({ surcharges: [{ code: 'b', name: '包装', amount: 50 }] })).toEqual({
    price: {
      cal_weight: 2000,
      weight_message: {
        code: 'weight',
        params: {
          actual_weight: 1500,
          billed_weight: 2000,
          rounding: 'step',
          from_weight: 1000,
          step_weight: 1000,
        },
      },
      freight_amount: 1300,
      guarantee_amount: 0,
      surcharge_amount: 50,
      pre_amount: 1350,
      discount: 10_000,
      discount_amount: 0,
      post_amount: 1350,
      northeast: 0,
      lines: [
        {
          rule: 'first',
          version: 1,
          input: {
            voucher_id: 7,
            voucher_version: 3,
            voucher_name: '标准',
            zone_name: '',
            area: '510000',
            first_weight: 1000,
            first_amount: 1200,
          },
          result: 1200,
        },
        {
          rule: 'step',
          version: 1,
          input: { from_weight: 1000, step_weight: 1000, step_amount: 100, steps: 1 },
          result: 100,
        },
        { rule: 'surcharge', version: 1, input: { code: 'b', name: '包装' }, result: 50 },
      ],
    },
  });
});

test('a price states how the volume of the parcel led to the billed weight', () => {
  const { price } = quote({ jd_volume: 16_000, weight: 900 }, { ...oneZone, divisor: 8000 });
  expect(price?.weight_message).toEqual({
    code: 'jd_volume',
    params: {
      actual_weight: 2000,
      billed_weight: 2000,
      rounding: 'step',
      from_weight: 1000,
      step_weight: 1000,
      scale_weight: 900,
      volume: 16_000,
      divisor: 8000,
    },
  });
});

test('a weight below the first weight is billed as the first weight', () => {
  expect(quote({ weight: 1000 }).price?.weight_message.params).toEqual({
    actual_weight: 1000,
    billed_weight: 1000,
    rounding: 'first',
  });
});

test('a freight of zero remains zero with a discount', () => {
  const free: TemplateContent = {
    divisor: null,
    origins: [{ provinces: [], zones: [zone(['510000'], 0)] }],
  };
  const { price } = quote({ weight: 1 }, free, {
    station: { id: 1, discount: 8500, northeast_discount: null },
  });
  expect(price?.lines.at(-1)).toEqual({
    rule: 'discount',
    version: 1,
    input: { source: 'station', rate: 8500, freight_amount: 0 },
    result: 0,
  });
  expect(price?.post_amount).toBe(0);
});

test('a price has one line for each surcharge code, with the latest amount of that code, and no line if the latest amount is zero', () => {
  const surcharges = [
    { code: 'b', name: 'B', amount: 50 },
    { code: 'c', name: 'C', amount: 70 },
    { code: 'a', name: 'A', amount: 20 },
    { code: 'b', name: 'B2', amount: 30 },
    { code: 'c', name: 'C', amount: 0 },
  ];
  const { price } = quote({ surcharges });
  expect(price?.lines.slice(2).map(({ input, result }) => [input, result])).toEqual([
    [{ code: 'a', name: 'A' }, 20],
    [{ code: 'b', name: 'B2' }, 30],
  ]);
  expect(price?.surcharge_amount).toBe(50);
});

test('if a parcel cannot be priced, the error has every parameter that its text needs', () => {
  const elsewhere: TemplateContent = {
    divisor: null,
    origins: [{ ...oneZone.origins[0]!, provinces: ['440000'] }],
  };
  const tiers = [{ money: 500, price: 1 }];
  const refused = [
    quote({}, elsewhere),
    quote({ receive_code: '540102' }),
    quote({ weight: 5001 }),
    quote({ guarantee_value_amount: 501 }, oneZone, { tiers }),
    quote({ guarantee_value_amount: 1 }),
    quote({}, oneZone, { guarantee: 700, tiers }),
  ].map(({ error }) => error);
  expect(refused).toEqual([
    { code: 'no_origin', params: { province: '北京', sender_code: '110000' } },
    { code: 'not_served', params: { province: '西藏', receive_code: '540102' } },
    { code: 'over_weight', params: { actual_weight: 5001, limit_weight: 5000 } },
    { code: 'above_top_tier', params: { value_amount: 501, top_amount: 500 } },
    { code: 'no_tiers', params: { value_amount: 1 } },
    { code: 'above_top_tier', params: { value_amount: 700, top_amount: 500 } },
  ]);
  for (const error of refused) {
    expect(isErrorCode(error!.code)).toBe(true);
    for (const words of [errors[error!.code].zh, errors[error!.code].en]) {
      for (const [, name] of words.matchAll(/\{(\w+)\}/g))
        expect(error!.params).toHaveProperty(name!);
    }
  }
});

test.each([
  'weight',
  're_weight',
  'jd_weight',
  'jd_volume',
  'length',
  'width',
  'height',
  'package_count',
  'guarantee_value_amount',
])('calculating a price throws if %s is a fraction, negative or not a number', (name) => {
  for (const value of [0.5, -1, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
    expect(() => quote({ [name]: value })).toThrow(
      new RangeError(`${name} is not a whole number: ${value}`),
    );
  }
  expect(() => quote({ [name]: 0 })).not.toThrow();
});

test('calculating a price throws if a surcharge amount is not a whole number of fen', () => {
  expect(() => quote({ surcharges: [{ code: 'a', name: '', amount: 0.5 }] })).toThrow(
    new RangeError('surcharge is not a whole number: 0.5'),
  );
});

describe('pricing with an invalid draft template', () => {
  const freight = (content: TemplateContent, changes: Partial<PricedParcel> = {}) =>
    quote({ weight: 1, ...changes }, content).price?.freight_amount;
  test('a parcel is priced by the first zone of the template that lists its region, if two zones list that region', () => {
    expect(
      freight({
        divisor: null,
        origins: [{ provinces: [], zones: [zone(['510000', '510000'], 1), zone(['510000'], 2)] }],
      }),
    ).toBe(1);
  });

  test('a parcel is priced by the first grid of the template that lists the sender’s province, if two grids list that province', () => {
    const grid = (provinces: string[], price: number) => ({
      provinces,
      zones: [zone(['510000'], price)],
    });
    const origins = [grid(['440000'], 1), grid([], 2), grid(['440000', '450000'], 3), grid([], 4)];
    const from = (sender_code: string) => freight({ divisor: null, origins }, { sender_code });
    expect(['440305', '450000', '110000'].map(from)).toEqual([1, 3, 2]);
  });

  test('the freight of a template with negative bracket prices is never less than zero', () => {
    const falling = {
      ...zone(['510000'], 50),
      brackets: [{ up_to_g: 5000, step_g: 1000, price: -100 }],
    };
    const { price } = quote(
      { weight: 3000 },
      { divisor: null, origins: [{ provinces: [], zones: [falling] }] },
    );
    expect(price?.freight_amount).toBe(0);
    expect(price?.lines.reduce((sum, line) => sum + line.result, 0)).toBe(0);
  });
});

describe('the profit shares of a station chain', () => {
  const link = (profit: number | null, percent_type: 1 | 2 | 3 = 1, enable_profit: 0 | 1 = 1) => ({
    profit,
    percent_type,
    enable_profit,
  });
  test('the share rate of a station chain is the sum of its enabled percentages', () => {
    expect(
      chainRate([
        link(1000),
        link(null),
        link(2000, 2),
        link(4000, 3),
        link(8000, 1, 0),
        link(500),
      ]),
    ).toBe(1500);
    expect(chainRate([])).toBe(0);
  });

  test('the profit shares of a station chain may add up to 100 %, and more than 100 % is refused', () => {
    expect(chainTooGenerous([link(6000), link(4000)])).toBeNull();
    expect(chainTooGenerous([link(6000), link(4001)])).toEqual({
      code: 'share_rates_too_high',
      params: { percent: '100.01' },
    });
  });
});

describe('the choice of delivery times', () => {
  test('the choice of delivery times shows the cheapest option with its price, and the reason why each other option cannot be chosen', () => {
    const { price } = quote();
    const dear = { ...price!, post_amount: 1400 };
    const refused = quote({ weight: 9000 });
    const quotes = [
      { promise_id: 'fast', priced: { price: dear } },
      { promise_id: 'slow', priced: { price: price! } },
      { promise_id: 'heavy', priced: refused },
    ];
    const cheapest_only = {
      code: 'cheapest_only',
      params: { promise_id: 'slow', post_amount: 1300 },
    };
    expect(choosePromise(quotes, 0, 'fast')).toEqual({
      options: [
        { promise_id: 'fast', selectable: 0, reason: cheapest_only },
        { promise_id: 'slow', selectable: 1, reason: null },
        { promise_id: 'heavy', selectable: 0, reason: refused.error },
      ],
      cheapest: 'slow',
      chosen: 'slow',
      notice: cheapest_only,
    });
    expect(choosePromise(quotes, 1, 'fast')).toMatchObject({
      cheapest: 'slow',
      chosen: 'fast',
      notice: null,
    });
    expect(choosePromise(quotes, 1, 'other').notice).toEqual({
      code: 'promise_not_offered',
      params: { promise_id: 'other' },
    });
  });
});
