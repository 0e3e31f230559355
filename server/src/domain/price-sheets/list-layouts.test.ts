import { describe, expect, it } from 'vitest';
import type { PriceList, PriceListChoices } from '@waystation/contract/money/price-list.ts';
import { readPriceList } from './price-sheets.ts';

const choices: PriceListChoices = { sheets: [], first_g: null, step_g: null, up_to_g: 50_000 };
const list = (rows: readonly (readonly string[])[]): Promise<PriceList> =>
  readPriceList(
    {
      name: '报价.csv',
      bytes: Buffer.from(rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n')),
    },
    choices,
    { language: 'zh', isBusy: () => false },
  );

/** Maps each area to its first weight, first price and brackets as short text. */
const pricesOf = ({ zones }: PriceList): Record<string, string> =>
  Object.fromEntries(
    (zones ?? []).flatMap(({ zone }) =>
      zone.areas.map((area) => [
        area,
        zone.not_served
          ? 'closed'
          : [
              `${zone.first.max_g}:${zone.first.price}`,
              ...zone.brackets.map((each) => `${each.up_to_g}/${each.step_g}:${each.price}`),
            ].join(' '),
      ]),
    ),
  );
const problemsOf = ({ problems }: PriceList) =>
  problems.map(({ line, column, reason }) => [line, column, reason.code]);
const rolesOf = ({ sheets }: PriceList) =>
  sheets[0]!.columns.map(({ role, asked }) => role ?? asked.join('?'));

describe('price list titles that contain a single weight', () => {
  it('each price in a price list applies up to the weight in its column title; above the last weight, the price per step applies', async () => {
    const found = await list([
      ['省份', '2kg', '1kg', '3公斤', '续重/kg'],
      ['四川', '10', '8', '13', '2'],
    ]);
    expect(found.needs).toEqual([]);
    expect(pricesOf(found)).toEqual({
      510000: '1000:800 2000/1000:200 3000/1000:300 50000/1000:200',
    });
  });

  it('if a column title of a price list contains a weight above the first weight, it is read as a range that begins at the first weight', async () => {
    const found = await list([
      ['省份', '首重1kg', '2kg价格', '5kg价格'],
      ['四川', '8', '10', '19'],
    ]);
    expect(found.needs).toEqual([]);
    expect(pricesOf(found)).toEqual({ 510000: '1000:800 2000/1000:200 5000/3000:900' });
  });
});

describe('weight ranges without a unit in a price list', () => {
  it('a weight range without a unit in a price list is in kilograms, and the user is asked if its price is per step', async () => {
    const found = await list([
      ['省份', '0-1', '1-3', '3以上'],
      ['四川', '8', '11', '2'],
    ]);
    expect(rolesOf(found)).toEqual(['province', 'range', 'range?range_step', 'range_step']);
  });

  it('a date, a plain number, and digits within words in a price list’s column titles are not read as a weight range', async () => {
    const found = await list([
      ['省份', '首重1kg', '续重1kg', '2027-01-05', '12', '1-3天', '0-500g'],
      ['四川', '8', '2', '', '', '', ''],
    ]);
    expect(rolesOf(found).slice(3)).toEqual(['', '', '', '']);
  });
});

describe('cities in a price list', () => {
  it('a city in a price list can be written after its province, in parentheses, alone, or in a separate column', async () => {
    const found = await list([
      ['省份', '城市', '首重1kg', '续重1kg'],
      ['广东', '', '8', '1'],
      ['广东', '深圳、珠海', '7', '1'],
      ['浙江杭州', '', '9', '2'],
      ['江苏（苏州市）', '', '9', '2'],
      ['成都', '', '11', '3'],
      ['吉林', '', '12', '3'],
      ['吉林市', '', '13', '3'],
    ]);
    expect(problemsOf(found)).toEqual([]);
    expect(pricesOf(found)).toEqual({
      440000: '1000:800 50000/1000:100',
      440300: '1000:700 50000/1000:100',
      440400: '1000:700 50000/1000:100',
      330100: '1000:900 50000/1000:200',
      320500: '1000:900 50000/1000:200',
      510100: '1000:1100 50000/1000:300',
      220000: '1000:1200 50000/1000:300',
      220200: '1000:1300 50000/1000:300',
    });
  });

  it('a city in a price list is reported with its row and column if the city is unknown or does not belong to the province of its row', async () => {
    const found = await list([
      ['省份', '城市', '首重1kg', '续重1kg'],
      ['广东', '成都', '8', '1'],
      ['广东、广西', '深圳', '8', '1'],
      ['广东亚特兰蒂斯', '', '8', '1'],
    ]);
    expect(problemsOf(found)).toEqual([
      [2, 'B', 'price_list_province'],
      [3, 'B', 'price_list_province'],
      [4, 'A', 'price_list_province'],
    ]);
  });
});

describe('ambiguous place names in a price list', () => {
  it('two names in a price list that could be two provinces, or a province and a city, are reported and not read', async () => {
    const found = await list([
      ['省份', '首重1kg', '续重1kg'],
      ['青海海南', '8', '1'],
      ['青海 海南', '8', '1'],
      ['吉林 吉林', '8', '1'],
      ['青海、海南', '8', '1'],
      ['吉林吉林市', '9', '1'],
    ]);
    expect(problemsOf(found)).toEqual([
      [2, 'A', 'price_list_province'],
      [3, 'A', 'price_list_province'],
      [4, 'A', 'price_list_province'],
    ]);
    expect(found.rows).toBe(2);
  });
});

describe('price list titles in two rows', () => {
  it('an upper title of a price list applies to all columns up to the next upper title', async () => {
    const found = await list([
      ['二〇二七年报价', '', '', '', ''],
      ['目的地', '首重', '', '续重', ''],
      ['', '重量(kg)', '价格', '重量(kg)', '价格'],
      ['四川', '1', '8', '0.5', '1'],
    ]);
    expect(rolesOf(found)).toEqual([
      'province',
      'first_weight',
      'first_price',
      'step_weight',
      'step_price',
    ]);
    expect(pricesOf(found)).toEqual({ 510000: '1000:800 50000/500:100' });
    expect(found.rows).toBe(1);
  });

  it('a price list may have the title of its province column in the lower title row, and weights in that row', async () => {
    const found = await list([
      ['', '首重', '续重'],
      ['省份', '1kg', '0.5kg'],
      ['四川', '8', '1'],
    ]);
    expect(found.needs).toEqual([]);
    expect(pricesOf(found)).toEqual({ 510000: '1000:800 50000/500:100' });
  });

  it('a caption above the column titles of a price list does not change how the titles are read', async () => {
    const found = await list([
      ['2027 年报价', '', ''],
      ['续重', '目的地', '首重'],
      ['2', '江浙沪', '8'],
    ]);
    expect(rolesOf(found)).toEqual([
      'step_weight?step_price',
      'province',
      'first_weight?first_price',
    ]);
  });

  it('a row of a price list that says “not delivered” in every price column is read as prices, not as titles', async () => {
    const found = await list([
      ['省份', '首重价1kg', '续重价1kg'],
      ['西藏', '不送达', '不送达'],
      ['四川', '8', '1'],
    ]);
    expect(pricesOf(found)).toEqual({ 540000: 'closed', 510000: '1000:800 50000/1000:100' });
  });
});
