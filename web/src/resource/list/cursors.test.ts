import { expect, it } from 'vitest';
import { cursorOfPage, rememberNext } from './cursors.ts';

const listAt = (page: number, filters: object = {}) => ({
  endpoint: { path: '/api/arco/statements' },
  input: { ...filters, page, page_size: 20 },
  place: { page, size: 20 },
});

it('a page far down is read behind the page before it once that one was shown', () => {
  expect(cursorOfPage(listAt(60), 61)).toEqual({ page: 61, page_size: 20 });
  rememberNext(listAt(60), 'behind-60');
  expect(cursorOfPage(listAt(60), 61)).toEqual({ page: 61, page_size: 20, cursor: 'behind-60' });
  // From the page after it back to it.
  expect(cursorOfPage(listAt(62), 61)).toEqual({ page: 61, page_size: 20, cursor: 'behind-60' });
  expect(cursorOfPage(listAt(60, { type: 'charge' }), 61)).toEqual({ type: 'charge', page: 61, page_size: 20 });
});

it('a near page keeps its number, and the last page leaves no place behind it', () => {
  rememberNext(listAt(1), 'behind-1');
  expect(cursorOfPage(listAt(1), 2)).toEqual({ page: 2, page_size: 20 });
  rememberNext(listAt(80), null);
  expect(cursorOfPage(listAt(80), 81)).toEqual({ page: 81, page_size: 20 });
});
