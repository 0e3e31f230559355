import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, integer, text } from './fields.ts';
import type { Role } from './roles.ts';

/** Rows of one bulk action at most. */
export const bulkLimit = 10_000;

type Fields = Record<string, z.ZodMiniType>;

const filterOf = (filters: Fields) => {
  const { page: _, page_size: _size, cursor: _cursor, sort: _sort, ...own } = filters;
  return z.record(z.string(), z.unknown()).check(z.refine((given) => Object.keys(given).every((name) => name in own), { error: 'invalid' }));
};

/**
 * One action on many rows of a list: `ids`, or every row that `filter` (the list's own, without paging) matches now, of which the caller saw
 * `expected`; another number is answered with `selection_changed`. Runs as a background job with one result per row.
 */
export const bulk = <A extends string>(list: string, roles: readonly Role[], actions: readonly [A, ...A[]], filters: Fields) =>
  endpoint({
    method: 'POST',
    path: `/api/arco/${list}/bulk`,
    roles,
    summary: `Many ${list} at once, in the background: ${actions.join(', ')}.`,
    input: z.object({
      action: z.enum(actions, 'invalid'),
      ids: z.optional(z.array(id).check(z.minLength(1, 'required'), z.maxLength(bulkLimit, 'too_long'))),
      filter: z.optional(filterOf(filters)),
      expected: z.optional(integer(0, 1_000_000)),
      reason: z.optional(text(0, 30)),
    }),
    output: z.object({ job_id: z.int(), total: z.int() }),
  });

/** The switch of every resource that is enabled and disabled. */
export const switches = ['enable', 'disable'] as const;
