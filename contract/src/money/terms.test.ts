import { describe, expect, test } from 'vitest';
import { defaultNortheast } from '#parcels/provinces.ts';
import { terms } from './terms.schema.ts';
import type { ChainLink, Terms } from './terms.schema.ts';

const rates = { discount: 8500, northeast_discount: null };

const link = (child_id: number, parent_id: number): ChainLink => ({
  child_id,
  parent_id,
  enable_profit: 1,
  percent_type: 1,
  profit: 500,
  fixed_profit: 0,
  child: rates,
  parent: rates,
});

const frozen = (changes: Partial<Terms> = {}): Terms => ({
  voucher: { id: 7, version: 3, name: '标准快递', discount: null, northeast_discount: 9500 },
  station: { id: 5, ...rates },
  northeast: [...defaultNortheast],
  tiers: [
    { money: 50_000, price: 100 },
    { money: 100_000, price: 200 },
  ],
  guarantee: 0,
  links: [link(5, 3), link(3, 1)],
  ...changes,
});

const refusals = (value: unknown): Record<string, string> => {
  const result = terms.safeParse(value);
  return Object.fromEntries(
    (result.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]),
  );
};

describe('the price terms stored with a parcel', () => {
  test('the price terms stored with a parcel are read back unchanged', () => {
    expect(terms.parse(JSON.parse(JSON.stringify(frozen())))).toEqual(frozen());
  });

  test('the price terms of a parcel are valid if they have no insurance tiers, no parent stations and no north-east provinces', () => {
    expect(refusals(frozen({ tiers: [], links: [], northeast: [] }))).toEqual({});
  });

  test('the price terms of a parcel are refused if the insurance tiers are not in ascending order', () => {
    const tiers = [1, 3, 3, 2, 4].map((money) => ({ money, price: 1 }));
    expect(refusals(frozen({ tiers }))).toEqual({
      'tiers.2.money': 'not_ascending',
      'tiers.3.money': 'not_ascending',
    });
  });

  test('the price terms of a parcel are refused if the links from station to parent have a gap', () => {
    expect(refusals(frozen({ links: [link(4, 3), link(2, 1)] }))).toEqual({
      'links.0.child_id': 'chain_broken',
      'links.1.child_id': 'chain_broken',
    });
  });

  test('the price terms of a parcel are refused if their links lead back to an earlier station', () => {
    expect(refusals(frozen({ links: [link(5, 3), link(3, 5)] }))).toEqual({
      'links.1.parent_id': 'chain_circular',
    });
    expect(refusals(frozen({ links: [link(5, 3), link(3, 1), link(1, 3)] }))).toEqual({
      'links.2.parent_id': 'chain_circular',
    });
    expect(refusals(frozen({ links: [link(5, 5)] }))).toEqual({
      'links.0.parent_id': 'chain_circular',
    });
  });

  test.each([
    [{ northeast: ['440300'] }, 'northeast.0', 'province_code'],
    [
      { station: { id: 5, discount: 10_001, northeast_discount: null } },
      'station.discount',
      'too_big',
    ],
    [{ voucher: { ...frozen().voucher, version: 0 } }, 'voucher.version', 'too_small'],
    [{ voucher: { ...frozen().voucher, name: '' } }, 'voucher.name', 'required'],
    [{ tiers: [{ money: 0, price: 0 }] }, 'tiers.0.money', 'too_small'],
    [{ guarantee: -1 }, 'guarantee', 'too_small'],
    [{ links: [{ ...link(5, 3), profit: 10_001 }] }, 'links.0.profit', 'too_big'],
    [{ links: [{ ...link(5, 3), fixed_profit: 0.5 }] }, 'links.0.fixed_profit', 'integer'],
    [
      { tiers: Array.from({ length: 1001 }, (_, index) => ({ money: index + 1, price: 0 })) },
      'tiers',
      'too_long',
    ],
    [
      { links: Array.from({ length: 101 }, (_, index) => link(index + 5, index + 6)) },
      'links',
      'too_long',
    ],
    [{ northeast: Array.from({ length: 35 }, () => '440000') }, 'northeast', 'too_long'],
  ])('the stored price terms of a parcel are refused with %j', (changes, path, message) => {
    expect(refusals(frozen(changes as Partial<Terms>))).toEqual({ [path]: message });
  });

  test.each([0, 4])(
    'the price terms of a parcel are refused if percent_type is %i',
    (percent_type) => {
      expect(
        Object.keys(
          refusals(frozen({ links: [{ ...link(5, 3), percent_type: percent_type as 1 }] })),
        ),
      ).toEqual(['links.0.percent_type']);
    },
  );
});
