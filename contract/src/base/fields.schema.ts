import * as z from 'zod/mini';
import {
  cursorLength,
  mostAmount,
  mostInteger,
  mostPage,
  mostPageSize,
  searchTextLength,
} from './limits.ts';
import { wholeRate } from '#money/money.ts';
import { oneLine } from './visible-text.ts';

/** Digits as text or a number: path and query values arrive as text. */
const digits = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,16}$/, 'integer'))]),
  z.transform((value: number | string): number => Number(value)),
);

/** A whole number from `min` to `max`; other numbers get the error `too_small` or `too_big`. */
export const integer = (min: number, max: number) =>
  z.pipe(digits, z.int('integer').check(z.gte(min, 'too_small'), z.lte(max, 'too_big')));

/** The id of a row. */
export const id = integer(1, Number.MAX_SAFE_INTEGER);
/** Whole fen, never negative, at most ¥100,000,000. */
export const fen = integer(0, mostAmount);
/** Whole fen, which may be negative, in responses. */
export const signedFen = z.int();
/** Basis points, 10000 = 100 %. */
export const rate = integer(0, wholeRate);
/**
 * A flag, 1 or 0. `true` and `false` are refused, so that SQL, JSON and Excel all use the same
 * values.
 */
export const flag = z.pipe(digits, z.union([z.literal(0), z.literal(1)]));

/**
 * Text of `min`–`max` characters (code points), trimmed, without control characters, unpaired
 * surrogates and invisible characters.
 */
export const text = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.maxLength(max * 4, 'too_long')),
    z.pipe(
      z.transform(oneLine),
      z.string().check(
        z.refine((value) => [...value].length >= min, {
          error: min === 1 ? 'required' : 'too_short',
        }),
        z.refine((value) => [...value].length <= max, { error: 'too_long' }),
      ),
    ),
  );

/**
 * The search text of a list, as the client sends it; 2,000 numbers are about forty kilobytes.
 * `searchProblem` in search.ts checks the length.
 */
export const searchText = text(0, searchTextLength);

/** ISO 8601 with offset, as all times are sent (docs/glossary.md). */
export const time = z.string();
/** A business day, `YYYY-MM-DD`, Asia/Shanghai. */
export const day = z.string().check(
  z.regex(/^[1-9]\d{3}-\d{2}-\d{2}$/, 'invalid'),
  z.refine(
    (text) =>
      !Number.isNaN(Date.parse(text)) &&
      new Date(text).toISOString().slice(0, text.length) === text,
    { error: 'invalid' },
  ),
);

export const version = integer(1, mostInteger);
/** In responses, every row that people can change has these fields at its end. */
export const stored = { version: z.int(), created_at: time, updated_at: time };

/** The input that every list accepts in addition to its own filters. */
export const listInput = {
  page: z.optional(integer(1, mostPage)),
  page_size: z.optional(integer(1, mostPageSize)),
  cursor: z.optional(z.string().check(z.maxLength(cursorLength))),
  sort: z.optional(z.string().check(z.regex(/^-?[a-z][a-z\d_]{0,39}$/, 'sort'))),
};

/**
 * The output of every list. `total` is null for a list whose number of rows grows without limit;
 * such rows are counted only by the list's counts call (`countsOf`). `total_is_capped` 1: the list
 * has at least `total` rows. `next_cursor` is null if there is no further row.
 */
export const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.nullable(z.int()),
    total_is_capped: flag,
    next_cursor: z.nullable(z.string()),
  });

/**
 * The input of a list's counts call: the filters of the list. `exact` 1: all rows are counted and
 * added up, within a longer time limit.
 */
export const countsInput = <F extends Record<keyof typeof listInput, z.ZodMiniType>>({
  page: _page,
  page_size: _size,
  cursor: _cursor,
  sort: _sort,
  ...filters
}: F) => z.object({ ...filters, exact: z.optional(flag) });

/**
 * The output of a list's counts call; some lists add sums. `total` is the number of rows that match
 * the filters, counted up to `mostCounted` (limits.ts), or completely with `exact`.
 */
export const countsOf = z.object({ total: z.int(), total_is_capped: flag });

/** A code with its parameters; see envelope.ts. */
export const reason = z.object({
  code: z.string(),
  params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
});
