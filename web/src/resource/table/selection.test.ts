import { expect, test } from 'vitest';
import {
  inListOrder,
  nothingSelected,
  refreshed,
  toggled,
  withPage,
  withRange,
} from './selection.ts';
import type { Selected } from './selection.ts';

interface Row {
  id: number;
  created_at: string;
  cal_weight: number | null;
}
const row = (
  id: number,
  created_at = '2026-11-21T02:00:00Z',
  cal_weight: number | null = null,
): Row => ({ id, created_at, cal_weight });
const rows = [row(5), row(4), row(3), row(2), row(1)] as const;
const page: readonly Row[] = rows;
const ids = (selected: Selected<Row>): number[] => [...selected.rows.keys()];

test('selecting a table row a second time deselects it', () => {
  const once = toggled<Row>(nothingSelected, rows[1]);
  expect(ids(once)).toEqual([4]);
  expect(ids(toggled(once, rows[1]))).toEqual([]);
});

test('a range selection of table rows reaches from the last selected row to the clicked row, in either direction', () => {
  const from = toggled<Row>(nothingSelected, rows[3]);
  expect(ids(withRange(from, page, rows[1])).toSorted()).toEqual([2, 3, 4]);
  expect(ids(withRange(withRange(from, page, rows[1]), page, rows[4])).toSorted()).toEqual([
    1, 2, 3, 4,
  ]);
});

test('if the last selected row is on another page, a range selection adds only the clicked row', () => {
  const elsewhere = toggled<Row>(nothingSelected, row(99));
  expect(ids(withRange(elsewhere, page, rows[0]))).toEqual([99, 5]);
});

test('selecting or clearing all rows of a page keeps the selected rows of other pages', () => {
  const elsewhere = toggled<Row>(nothingSelected, row(99));
  const all = withPage(elsewhere, page, true);
  expect(ids(all)).toEqual([99, 5, 4, 3, 2, 1]);
  expect(ids(withPage(all, page, false))).toEqual([99]);
});

test('a selected table row is shown with the values of its latest read', () => {
  const chosen = withPage<Row>(nothingSelected, [row(1, 'old'), row(99, 'old')], true);
  expect(refreshed(chosen, [row(1, 'new')]).map(({ created_at }) => created_at)).toEqual([
    'new',
    'old',
  ]);
});

test('selected rows are sorted in the order of the list, and not in the order in which the user selected them', () => {
  const chosen = [row(1, 'b'), row(2, 'c'), row(3, 'b'), row(4, 'a')];
  expect(inListOrder(chosen, '-created_at').map(({ id }) => id)).toEqual([2, 3, 1, 4]);
  expect(inListOrder(chosen, 'created_at').map(({ id }) => id)).toEqual([4, 1, 3, 2]);
});

test('selected rows without a value in the sorted column come first in descending order and last in ascending order, as in the database', () => {
  const chosen = [row(1, 'a', 500), row(2, 'a', null), row(3, 'a', 100)];
  expect(inListOrder(chosen, '-cal_weight').map(({ id }) => id)).toEqual([2, 1, 3]);
  expect(inListOrder(chosen, 'cal_weight').map(({ id }) => id)).toEqual([3, 1, 2]);
});
