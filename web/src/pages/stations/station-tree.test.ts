import { expect, it } from 'vitest';
import { parentIndex } from '#resource/table/tree.ts';
import { inOrder } from './station-tree.ts';

const row = (id: number, level: number) => ({ id, level }) as Parameters<typeof inOrder>[0][number];
const [top, other, child, sister, grandchild] = [
  row(1, 1),
  row(2, 1),
  row(3, 2),
  row(4, 2),
  row(5, 3),
];
const below = new Map([
  [1, [child, sister]],
  [3, [grandchild]],
]);
const ids = (open: number[]): number[] =>
  inOrder([top, other], new Set(open), below).map(({ id }) => id);

it('an open station in the tree shows the loaded stations below it, and a closed station shows none', () => {
  expect(ids([])).toEqual([1, 2]);
  expect(ids([1])).toEqual([1, 3, 4, 2]);
  expect(ids([1, 3, 2])).toEqual([1, 3, 5, 4, 2]);
  expect(ids([3])).toEqual([1, 2]);
});

it('the tree of stations finds the index of the parent station’s row; for a top-level station it is −1', () => {
  const rows = inOrder([top, other], new Set([1, 3]), below);
  const levelOf = ({ level }: { level: number }) => level;
  expect(rows.map((_, at) => parentIndex(rows, at, levelOf))).toEqual([-1, 0, 1, 0, -1]);
});
