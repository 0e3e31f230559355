import { useEffect } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import type { ListPlace } from './list-filters.ts';

/** The endpoint and the input of a call that reads one page of a list. */
interface ListRead {
  endpoint: Pick<Endpoint, 'path'>;
  input: object;
  place: Pick<ListPlace, 'page'>;
}

/** The maximum number of remembered cursors. The oldest cursor is forgotten first. */
const remembered = 1_000;
const cursors = new Map<string, string>();

const keyOf = ({ endpoint, input }: ListRead, page: number): string =>
  JSON.stringify([endpoint.path, { ...input, page }]);

/**
 * The input to read a page. If the previous page was shown, it contains a cursor after the last row
 * of that page. Rows that are inserted or deleted meanwhile then cause no row to be repeated or
 * skipped. Otherwise the page is read by its number.
 */
export const cursorOfPage = (list: ListRead, page: number): object => {
  const input = { ...list.input, page };
  const cursor = page === 1 ? undefined : cursors.get(keyOf(list, page));
  return cursor === undefined ? input : { ...input, cursor };
};

/**
 * Stores the cursor with which the next page is read. `next` is undefined until the shown page is
 * read.
 */
export const rememberNext = (list: ListRead, next: string | null | undefined): void => {
  if (next === undefined || next === null) return;
  cursors.set(keyOf(list, list.place.page + 1), next);
  if (cursors.size > remembered) cursors.delete(cursors.keys().next().value!);
};

export const useNextCursor = (list: ListRead, next: string | null | undefined): void => {
  useEffect(() => rememberNext(list, next));
};
