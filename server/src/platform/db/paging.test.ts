import { describe, expect, it } from 'vitest';
import { countedOf, cursorOf, orderOf, pageOfRows, pageWindow, readCursor } from './paging.ts';

describe('a page of a list', () => {
  it('a list without a page number and page size returns the first twenty rows', () => {
    expect(pageWindow({})).toEqual({ size: 20, offset: 0 });
  });

  it('a page after a cursor has the offset 0, whatever its page number', () => {
    expect(pageWindow({ page: 3, page_size: 50 })).toEqual({ size: 50, offset: 100 });
    expect(pageWindow({ page: 3, page_size: 50, cursor: '7' })).toEqual({ size: 50, offset: 0 });
  });

  it('a list is sorted by its first sortable column by default, and an unknown sort column is refused', () => {
    expect(orderOf(undefined, ['-created_at', 'name'])).toMatchObject({
      column: 'created_at',
      descending: true,
    });
    expect(orderOf('created_at', ['-created_at', 'name'])).toMatchObject({
      column: 'created_at',
      descending: false,
    });
    expect(() => orderOf('id', ['-created_at', 'name'])).toThrowError(
      expect.objectContaining({ code: 'bad_request' }),
    );
  });

  it('a page of a list has a next page only if the query returned one more row than the page size', () => {
    expect(pageOfRows([1, 2, 3], 2)).toEqual({ items: [1, 2], last: 2 });
    expect(pageOfRows([1, 2], 2)).toEqual({ items: [1, 2], last: null });
  });
});

describe('the count of a list', () => {
  it('the total of a list is counted up to a limit, by default 10,000; the total has no limit if the caller asks for an exact count', () => {
    expect(countedOf(10, { countUpTo: 10 })).toEqual({ total: 10, total_is_capped: 0 });
    expect(countedOf(11, { countUpTo: 10 })).toEqual({ total: 10, total_is_capped: 1 });
    expect(countedOf(10_001, {})).toEqual({ total: 10_000, total_is_capped: 1 });
    expect(countedOf(10_001, { exact: 1 })).toEqual({ total: 10_001, total_is_capped: 0 });
  });
});

describe('the cursor of a list', () => {
  it('a list cursor is read with the same value and id with which it was written', () => {
    expect(readCursor(cursorOf(1_200, 7), Number.isSafeInteger)).toEqual({ value: 1_200, id: 7 });
  });

  it.each([
    '',
    'x',
    Buffer.from('5').toString('base64url'),
    Buffer.from('[1,"7"]').toString('base64url'),
    cursorOf('text', 7),
  ])('a list’s cursor that the server did not write (%j) is refused', (cursor) => {
    expect(() => readCursor(cursor, Number.isSafeInteger)).toThrowError(
      expect.objectContaining({ code: 'bad_request' }),
    );
  });
});
