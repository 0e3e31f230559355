import { expect, test } from 'vitest';
import { inListOrder, nothingSelected, refreshed, toggled, withPage, withRange } from './selection.ts';
import type { Selected } from './selection.ts';

interface Row {
  id: number;
  created_at: string;
  cal_weight: number | null;
}
const row = (id: number, created_at = '2026-11-21T02:00:00Z', cal_weight: number | null = null): Row => ({ id, created_at, cal_weight });
const page = [row(5), row(4), row(3), row(2), row(1)];
const ids = (selected: Selected<Row>): number[] => [...selected.rows.keys()];

test('a row is chosen and let go by the same key', () => {
  const once = toggled<Row>(nothingSelected, page[1]!);
  expect(ids(once)).toEqual([4]);
  expect(ids(toggled(once, page[1]!))).toEqual([]);
});

test('a range runs from the last chosen row to this one, in either direction', () => {
  const from = toggled<Row>(nothingSelected, page[3]!);
  expect(ids(withRange(from, page, page[1]!)).toSorted()).toEqual([2, 3, 4]);
  expect(ids(withRange(withRange(from, page, page[1]!), page, page[4]!)).toSorted()).toEqual([1, 2, 3, 4]);
});

test('a range that begins on another page chooses the row alone', () => {
  const elsewhere = toggled<Row>(nothingSelected, row(99));
  expect(ids(withRange(elsewhere, page, page[0]!))).toEqual([99, 5]);
});

test('a page is chosen beside what other pages hold, and let go without them', () => {
  const elsewhere = toggled<Row>(nothingSelected, row(99));
  const all = withPage(elsewhere, page, true);
  expect(ids(all)).toEqual([99, 5, 4, 3, 2, 1]);
  expect(ids(withPage(all, page, false))).toEqual([99]);
});

test('what was chosen is shown as it now is', () => {
  const chosen = withPage<Row>(nothingSelected, [row(1, 'old'), row(99, 'old')], true);
  expect(refreshed(chosen, [row(1, 'new')]).map(({ created_at }) => created_at)).toEqual(['new', 'old']);
});

test('labels come in the order of the list, whatever order the rows were chosen in', () => {
  const chosen = [row(1, 'b'), row(2, 'c'), row(3, 'b'), row(4, 'a')];
  expect(inListOrder(chosen, '-created_at').map(({ id }) => id)).toEqual([2, 3, 1, 4]);
  expect(inListOrder(chosen, 'created_at').map(({ id }) => id)).toEqual([4, 1, 3, 2]);
});

test('rows whose value is not known stand where the database puts them', () => {
  const chosen = [row(1, 'a', 500), row(2, 'a', null), row(3, 'a', 100)];
  expect(inListOrder(chosen, '-cal_weight').map(({ id }) => id)).toEqual([2, 1, 3]);
  expect(inListOrder(chosen, 'cal_weight').map(({ id }) => id)).toEqual([3, 1, 2]);
});
