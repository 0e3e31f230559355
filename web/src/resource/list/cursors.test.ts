import { expect, it } from 'vitest';
import { cursorOfPage, rememberNext } from './cursors.ts';

const listAt = (page: number, filters: object = {}) => ({
  endpoint: { path: '/api/arco/statements' },
  input: { ...filters, page, page_size: 20 },
  place: { page },
});

it('if a page of a list was shown, the next page with the same filters is read with a cursor', () => {
  expect(cursorOfPage(listAt(60), 61)).toEqual({ page: 61, page_size: 20 });
  rememberNext(listAt(60), 'behind-60');
  expect(cursorOfPage(listAt(60), 61)).toEqual({ page: 61, page_size: 20, cursor: 'behind-60' });
  // The user goes back to page 61 from page 62.
  expect(cursorOfPage(listAt(62), 61)).toEqual({ page: 61, page_size: 20, cursor: 'behind-60' });
  expect(cursorOfPage(listAt(60, { type: 'charge' }), 61)).toEqual({
    type: 'charge',
    page: 61,
    page_size: 20,
  });
});

it('if rows are added to or removed from a list before the next page is read, no other row is repeated or skipped', () => {
  let rows = Array.from({ length: 50 }, (_, at) => 50 - at);
  const read = (page: number): number[] => {
    const { cursor } = cursorOfPage(listAt(page), page) as { cursor?: string };
    const behind =
      cursor === undefined
        ? rows.slice((page - 1) * 20)
        : rows.filter((row) => row < Number(cursor));
    const shown = behind.slice(0, 20);
    rememberNext(listAt(page), behind.length > 20 ? String(shown.at(-1)) : null);
    return shown;
  };
  const first = read(1);
  rows = [53, 52, 51, ...rows];
  const second = read(2);
  rows = rows.filter((row) => row !== 50 && row !== 25);
  expect([...first, ...second, ...read(3)]).toEqual(Array.from({ length: 50 }, (_, at) => 50 - at));
  // Going back to page 2 shows the same rows as before.
  expect(read(2)).toEqual(second.filter((row) => row !== 25).concat(10));
  expect(read(3)[0]).toBe(9);
});

it('the first page of a list is read without a cursor, and the last page stores no cursor', () => {
  expect(cursorOfPage(listAt(2, { type: 'top_up' }), 1)).toEqual({
    type: 'top_up',
    page: 1,
    page_size: 20,
  });
  rememberNext(listAt(80), null);
  expect(cursorOfPage(listAt(80), 81)).toEqual({ page: 81, page_size: 20 });
});
