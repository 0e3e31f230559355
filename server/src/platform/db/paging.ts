import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { fail } from '#platform/fail.ts';

/** What every list takes (contract: `listInput`). */
export interface Paging {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort?: string | undefined;
}

/** A page of a list; with `total_is_capped` there are more than `total`. */
export interface Listed<R> {
  items: R[];
  total: number;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

/** How many rows a page has, and how many are skipped before it; none behind a cursor. */
export const pageWindow = ({ page = 1, page_size = 20, cursor }: Paging): { size: number; offset: number } => ({
  size: page_size,
  offset: cursor ? 0 : (page - 1) * page_size,
});

export interface Order {
  column: string;
  descending: boolean;
  direction: RawBuilder<unknown>;
}

/** The column to sort by. `sortable` names those a caller may choose, the first of them the default, with `-` descending. Throws `bad_request` for another. */
export const orderOf = (sort: string | undefined, sortable: readonly [string, ...string[]]): Order => {
  const text = sort ?? sortable[0];
  const column = text.replace(/^-/, '');
  if (!sortable.some((name) => name.replace(/^-/, '') === column)) fail('bad_request');
  const descending = text.startsWith('-');
  return { column, descending, direction: sql.raw(descending ? 'desc' : 'asc') };
};

/** Lists count no further by default: beyond, the list says "at least". */
export const countCap = 1_000_000;

/** What a list says of a count that stops at `cap` + 1. */
export const cappedTotal = (count: number, cap = countCap): Pick<Listed<never>, 'total' | 'total_is_capped'> => ({
  total: Math.min(count, cap),
  total_is_capped: count > cap ? 1 : 0,
});

/** A cursor that holds the last row's sort value and id, so that the next page begins right after it whatever was added meanwhile. */
export const cursorOf = (value: unknown, id: number): string => Buffer.from(JSON.stringify([value, id])).toString('base64url');

/** The value and id of a cursor. Throws `bad_request` where it is none, or `fits` refuses the value. */
export const readCursor = (cursor: string, fits: (value: unknown) => boolean): { value: unknown; id: number } => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return fail('bad_request');
  }
  const [value, id] = Array.isArray(parts) ? (parts as unknown[]) : [];
  return Number.isSafeInteger(id) && fits(value) ? { value, id: id as number } : fail('bad_request');
};
