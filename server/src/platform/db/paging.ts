import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { mostCounted } from '@waystation/contract/base/limits.ts';
import { present } from '@waystation/contract/base/present.ts';
import { fail } from '#platform/fail.ts';

/** Settings for counting the rows of a list. */
export interface Counting {
  /** 1 if all rows are counted. The contract describes it in `countsInput`. */
  exact?: 0 | 1 | undefined;
  /**
   * The limit of counted rows; 0 if nothing is counted, and by default `mostCounted`. Only the
   * server sets it (`walkPages`, `selectRows`), never a caller's input.
   */
  countUpTo?: number | undefined;
}

/** The input of every list (contract: `listInput`). */
export interface Paging extends Counting {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort?: string | undefined;
}

/** The number of rows of a list; if `total_is_capped` is 1, there are more rows than `total`. */
export interface Counted {
  total: number;
  total_is_capped: 0 | 1;
}

/** A page of a list; `total` is null if the rows of the list were not counted. */
export interface Listed<R> {
  items: R[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

/**
 * Returns the paging of a list that does not count its rows, because their number has no limit.
 * Only its counts endpoint counts them.
 */
export const uncounted = <P extends Paging>(paging: P): P => ({ ...paging, countUpTo: 0 });

/**
 * Returns the page size and the number of rows to skip before the page, which is 0 if the page
 * follows a cursor.
 */
export const pageWindow = ({
  page = 1,
  page_size = 20,
  cursor,
}: Paging): { size: number; offset: number } => ({
  size: page_size,
  offset: cursor ? 0 : (page - 1) * page_size,
});

/**
 * Returns `limit` and `offset` of a page. The query reads one row more than the page size, to find
 * out if there are more rows. The limit is written into the statement's text, so that the plan of a
 * prepared statement depends on it.
 */
export const limitOfPage = (paging: Paging): RawBuilder<unknown> => {
  const { size, offset } = pageWindow(paging);
  return offset === 0
    ? sql`limit ${sql.lit(size + 1)}`
    : sql`limit ${sql.lit(size + 1)} offset ${offset}`;
};

export interface Order {
  column: string;
  descending: boolean;
  direction: RawBuilder<unknown>;
}

/**
 * Returns the column and the direction to sort by. `sortable` lists the columns that a caller may
 * choose. The first is the default, descending if it begins with `-`. Throws `bad_request` for any
 * other column.
 */
export const orderOf = (
  sort: string | undefined,
  sortable: readonly [string, ...string[]],
): Order => {
  const text = sort ?? sortable[0];
  const column = text.replace(/^-/, '');
  if (!sortable.some((name) => name.replace(/^-/, '') === column)) fail('bad_request');
  const descending = text.startsWith('-');
  return { column, descending, direction: sql.raw(descending ? 'desc' : 'asc') };
};

/** Returns the largest number of rows that a count includes; null if it includes all. */
const countLimit = ({ exact, countUpTo = mostCounted }: Counting): number | null =>
  exact === 1 ? null : countUpTo;

/**
 * Returns the SQL `limit` of a count. It is one more than the rows to count, to find out if there
 * are more.
 */
export const limitOfCount = (counting: Counting): RawBuilder<unknown> => {
  const limit = countLimit(counting);
  return limit === null ? sql`` : sql`limit ${limit + 1}`;
};

/** Returns the total of a list from a count that was limited by `limitOfCount`. */
export const countedOf = (count: number, counting: Counting): Counted => {
  const limit = countLimit(counting);
  return limit !== null && count > limit
    ? { total: limit, total_is_capped: 1 }
    : { total: count, total_is_capped: 0 };
};

/**
 * Returns the rows of a page, and its last row if a next page exists. The caller must read one row
 * more than the page size.
 */
export const pageOfRows = <R>(
  rows: readonly R[],
  size: number,
): { items: R[]; last: R | null } => ({
  items: rows.slice(0, size),
  last: rows.length > size ? present(rows[size - 1]) : null,
});

/**
 * Returns a cursor with the last row's sort value and id. The next page begins directly after that
 * row, even if rows were added meanwhile.
 */
export const cursorOf = (value: unknown, id: number): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

/**
 * Returns the sort value and id in a cursor. Throws `bad_request` if the cursor is invalid or
 * `fits` returns false for the value.
 */
export const readCursor = (
  cursor: string,
  fits: (value: unknown) => boolean,
): { value: unknown; id: number } => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return fail('bad_request');
  }
  const [value, id] = Array.isArray(parts) ? (parts as unknown[]) : [];
  return Number.isSafeInteger(id) && fits(value)
    ? { value, id: id as number }
    : fail('bad_request');
};
