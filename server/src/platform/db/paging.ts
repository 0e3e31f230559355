import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { mostCounted } from '@waystation/contract/limits.ts';
import { fail } from '#platform/fail.ts';

/** How far the rows of a list are counted. */
export interface Counting {
  /** Contract: `countsInput`. */
  exact?: 0 | 1 | undefined;
  /** Rows to count at most, 0: none; `mostCounted` by default. The server alone sets it (`walkPages`, `selectRows`): no caller's input has it. */
  countUpTo?: number | undefined;
}

/** What every list takes (contract: `listInput`). */
export interface Paging extends Counting {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort?: string | undefined;
}

/** How many rows there are; with `total_is_capped` more than `total`. */
export interface Counted {
  total: number;
  total_is_capped: 0 | 1;
}

/** A page of a list; `total` is null where its rows were not counted. */
export interface Listed<R> {
  items: R[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

/** The paging of a list whose rows are counted by its counts call alone, because their number grows without bound. */
export const uncounted = <P extends Paging>(paging: P): P => ({ ...paging, countUpTo: 0 });

/** How many rows a page has, and how many are skipped before it; none behind a cursor. */
export const pageWindow = ({ page = 1, page_size = 20, cursor }: Paging): { size: number; offset: number } => ({
  size: page_size,
  offset: cursor ? 0 : (page - 1) * page_size,
});

/** `limit` and `offset` of the rows that a page reads: one more than its size, which shows that there are more. The limit is part of the text, so that a prepared statement's plan knows it. */
export const limitOfPage = (paging: Paging): RawBuilder<unknown> => {
  const { size, offset } = pageWindow(paging);
  return offset === 0 ? sql`limit ${sql.lit(size + 1)}` : sql`limit ${sql.lit(size + 1)} offset ${offset}`;
};

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

/** Rows that a count adds up at most; null: all. */
const countLimit = ({ exact, countUpTo = mostCounted }: Counting): number | null => (exact === 1 ? null : countUpTo);

/** The `limit` of the rows that a count reads: one more than it counts, which shows that there are more. */
export const limitOfCount = (counting: Counting): RawBuilder<unknown> => {
  const limit = countLimit(counting);
  return limit === null ? sql`` : sql`limit ${limit + 1}`;
};

/** What is answered of a count of rows within `limitOfCount`. */
export const countedOf = (count: number, counting: Counting): Counted => {
  const limit = countLimit(counting);
  return limit !== null && count > limit ? { total: limit, total_is_capped: 1 } : { total: count, total_is_capped: 0 };
};

/** The rows of a page, of which one more than its size was read, and whether there is a further one. */
export const pageOfRows = <R>(rows: readonly R[], size: number): { items: R[]; last: R | null } => ({
  items: rows.slice(0, size),
  last: rows.length > size ? rows[size - 1]! : null,
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
