import { describe, expect, it } from 'vitest';
import { inPortions } from './portions.ts';
import type { Batch } from './portions.ts';
import { usual } from './workstation.ts';

const batchOf = (count: number): Batch => ({
  rows: Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    delivery_id: `W${at + 1}`,
    order_id: '',
    print_count: 0,
  })),
  workstation: usual,
  onProgress: () => {},
  signal: new AbortController().signal,
});
const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

describe('labels that are printed in portions', () => {
  it('labels that are printed in portions come out in the order of the rows', async () => {
    const seen: number[][] = [];
    const outcome = await inPortions(batchOf(5), 2, async (rows, done, left) => {
      seen.push(ids(rows));
      for (const { id } of rows) left.delete(id);
      done.printed += rows.length;
      return true;
    });
    expect([seen, outcome]).toEqual([
      [[1, 2], [3, 4], [5]],
      { printed: 5, unprinted: [], unsent: [] },
    ]);
  });

  it('if the first portion of labels fails, the whole print fails', async () => {
    await expect(
      inPortions(batchOf(3), 2, () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused');
  });

  it('if a portion of labels fails, the labels of earlier portions count as printed, and the labels of this portion as unprinted', async () => {
    const outcome = await inPortions(batchOf(5), 2, async (rows, done, left) => {
      if (rows[0]!.id === 3) throw new Error('network');
      for (const { id } of rows) left.delete(id);
      done.printed += rows.length;
      return true;
    });
    expect([outcome.printed, ids(outcome.unprinted), ids(outcome.unsent)]).toEqual([
      2,
      [3, 4],
      [5],
    ]);
    expect(outcome.unprinted.every(({ retry, words }) => retry && words !== '')).toBe(true);
  });

  it('if a portion of labels stops the print, the labels of the next portions are not sent', async () => {
    const outcome = await inPortions(batchOf(4), 2, async (rows, _, left) => {
      for (const { id } of rows) left.delete(id);
      return false;
    });
    expect(ids(outcome.unsent)).toEqual([3, 4]);
  });
});
