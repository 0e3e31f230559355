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
  { key: 'amount', title: 'Price', width: 100, sum: { of: ({ amount }) => amount, show: yuan, every: every.amount ?? null }, cell: () => null },
  {
    key: 'weight',
    title: 'Weight',
    width: 100,
    sum: { of: ({ weight }) => weight, show: kg, ...(every.weight !== undefined && { every: every.weight }) },
    cell: () => null,
  },
];
const rows: Parcel[] = [
  { amount: 1_800, weight: 4_300 },
  { amount: null, weight: 700 },
  { amount: -330, weight: 0 },
];
const texts = (...given: Parameters<typeof sumsOf<Parcel>>): string[] => sumsOf(...given).map(({ title, text }) => `${title} ${text}`);

describe('the sums of the chosen rows', () => {
  it('the sums are those of the columns that are added up, in their order, over the figures that are known', () => {
    expect(texts(columns({}), rows, false)).toEqual(['Price ¥14.70', 'Weight 5 kg']);
  });

  it('a column without a figure in any of the rows is left out', () => {
    expect(texts(columns({}), [rows[1]!], false)).toEqual(['Weight 0.7 kg']);
    expect(texts(columns({}), [], false)).toEqual([]);
  });

  it('the sums are the server’s where everything found is chosen, and nothing where it has not added up', () => {
    expect(texts(columns({ amount: 90_000, weight: 1_000 }), rows, true)).toEqual(['Price ¥900.00', 'Weight 1 kg']);
    expect(texts(columns({ amount: null }), rows, true)).toEqual([]);
  });
});
