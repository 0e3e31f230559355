import { describe, expect, it } from 'vitest';
import { kg, yuan } from '#ui/values/amounts.ts';
import type { Column } from './column.ts';
import { sumsOf } from './sums.ts';

interface Parcel {
  amount: number | null;
  weight: number;
}

const columns = (every: { amount?: number | null; weight?: number }): Column<Parcel>[] => [
  { key: 'number', title: 'Number', width: 100, cell: () => null },
  {
    key: 'amount',
    title: 'Price',
    width: 100,
    sum: { of: ({ amount }) => amount, show: yuan, every: every.amount ?? null },
    cell: () => null,
  },
  {
    key: 'weight',
    title: 'Weight',
    width: 100,
    sum: {
      of: ({ weight }) => weight,
      show: kg,
      ...(every.weight !== undefined && { every: every.weight }),
    },
    cell: () => null,
  },
];
const rows: Parcel[] = [
  { amount: 1_800, weight: 4_300 },
  { amount: null, weight: 700 },
  { amount: -330, weight: 0 },
];
const texts = (...given: Parameters<typeof sumsOf<Parcel>>): string[] =>
  sumsOf(...given).map(({ title, text }) => `${title} ${text}`);

describe('the sums of the chosen rows', () => {
  it('the sums over the selected rows are shown in the order of the columns, and unknown values are left out of a sum', () => {
    expect(texts(columns({}), rows, false)).toEqual(['Price ¥14.70', 'Weight 5 kg']);
  });

  it('a column has no sum if no selected row has a value in it', () => {
    expect(texts(columns({}), [rows[1]!], false)).toEqual(['Weight 0.7 kg']);
    expect(texts(columns({}), [], false)).toEqual([]);
  });

  it('a column has no sum if the value of a selected row was not read', () => {
    const unread = { weight: 100 } as Parcel;
    expect(texts(columns({}), [...rows, unread], false)).toEqual(['Weight 5.1 kg']);
  });

  it('the sums of all matching rows come from the server, and are not shown if the server has not calculated them', () => {
    expect(texts(columns({ amount: 90_000, weight: 1_000 }), rows, true)).toEqual([
      'Price ¥900.00',
      'Weight 1 kg',
    ]);
    expect(texts(columns({ amount: null }), rows, true)).toEqual([]);
  });
});
