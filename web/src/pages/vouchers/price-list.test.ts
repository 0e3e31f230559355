import { expect, it } from 'vitest';
import type { PriceList } from '@waystation/contract/money/price-list.ts';
import type { Origin, Zone } from '@waystation/contract/money/voucher-content.ts';
import { choicesOf, choicesText, isOpen, withList, withOrigin } from './price-list.ts';

const zone = (areas: string[], price: number, rest: object = {}): Zone => ({
  name: '一区',
  areas,
  not_served: 0,
  first: { max_g: 1_000, price },
  brackets: [],
  minimum: 500,
  ...rest,
});
const origin: Origin = {
  provinces: [],
  zones: [
    zone(['110000', '120000', '440300'], 800),
    { name: '', areas: ['540000'], not_served: 1 },
  ],
};

it('an uploaded price list replaces only the provinces in it, and keeps names, cities and minimum charges that it does not contain', () => {
  const taken = withList(origin, [
    { has_minimum: 0, zone: zone(['120000'], 900, { name: '', minimum: 0 }) },
    { has_minimum: 1, zone: zone(['540000', '440000'], 1_500, { name: '', minimum: 700 }) },
  ]);
  expect(taken.zones).toEqual([
    zone(['110000', '440300'], 800),
    zone(['120000'], 900),
    zone(['540000', '440000'], 1_500, { name: '', minimum: 700 }),
  ]);
});

it('if an uploaded price list is for senders without a price grid, it is added and the existing price grids are kept', () => {
  const state = {
    discount: null,
    northeast_discount: null,
    weight: { divisor: 8_000, origins: [origin] },
  };
  const other: Origin = { provinces: ['440000'], zones: origin.zones };
  expect(withOrigin(state, other).weight.origins).toEqual([origin, other]);
  expect(withOrigin(state, { ...origin, zones: [] }).weight.origins).toEqual([
    { provinces: [], zones: [] },
  ]);
});

it('a column of a price list whose meaning is unclear stays undecided until the user chooses a meaning, which is then sent', () => {
  const column = { title: '', samples: [], ranged: 0 as const };
  const list: PriceList = {
    sheets: [
      {
        index: 0,
        name: '',
        used: 0,
        rows: 1,
        header_at: 0,
        head: [],
        columns: [
          { ...column, role: 'province', asked: [] },
          { ...column, role: null, asked: ['first_weight', 'first_price'] },
          { ...column, role: null, asked: [] },
        ],
      },
    ],
    needs: ['column'],
    first_g: null,
    step_g: null,
    up_to_g: null,
    zones: null,
    rows: 0,
    problems: [],
    problems_total: 0,
  };
  const choices = choicesOf(list);
  expect(isOpen(choices)).toBe(true);
  expect(JSON.parse(choicesText(choices)).sheets[0]).toMatchObject({ used: 1, roles: [] });
  const chosen = {
    ...choices,
    sheets: [{ ...choices.sheets[0]!, roles: ['province', 'first_price', 'none'] as const }],
  };
  expect(isOpen(chosen)).toBe(false);
  expect(JSON.parse(choicesText(chosen)).sheets[0].roles).toEqual([
    'province',
    'first_price',
    null,
  ]);
});
