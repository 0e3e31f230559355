import { useEffect } from 'react';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
import type { ListPlace } from './list-filters.ts';

/** A list as it is read: `input` holds its filters, order, page and size. */
interface ListRead {
  endpoint: Pick<Endpoint, 'path'>;
  input: object;
  place: Pick<ListPlace, 'page'>;
}

/** Places that are remembered; the one stored first is forgotten first. */
const remembered = 1_000;
const cursors = new Map<string, string>();

const keyOf = ({ endpoint, input }: ListRead, page: number): string => JSON.stringify([endpoint.path, { ...input, page }]);

/**
 * What a page is read with: behind the last row of the page before it, where that one was shown, so that rows which come and go meanwhile neither repeat nor hide
 * another, and no rows are read that come before it. By its number where it is opened first: by an address.
 */
export const cursorOfPage = (list: ListRead, page: number): object => {
  const input = { ...list.input, page };
  const cursor = page === 1 ? undefined : cursors.get(keyOf(list, page));
  return cursor === undefined ? input : { ...input, cursor };
};

/** Remembers where the page after a shown one begins; undefined while it is not read. */
export const rememberNext = (list: ListRead, next: string | null | undefined): void => {
  if (next === undefined || next === null) return;
  cursors.set(keyOf(list, list.place.page + 1), next);
  if (cursors.size > remembered) cursors.delete(cursors.keys().next().value!);
};

export const useNextCursor = (list: ListRead, next: string | null | undefined): void => {
  useEffect(() => rememberNext(list, next));
};
