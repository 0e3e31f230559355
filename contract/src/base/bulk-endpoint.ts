import type { bulkSchemas } from './bulk-endpoint.schema.ts';
import { endpoint } from './endpoint.ts';
import type { Role } from './roles.ts';

/** The maximum number of rows of one bulk action. */
export const bulkLimit = 10_000;

/**
 * One action on many rows of a list: on `ids`, or on every row that `filter` (the list's own
 * filters, without paging) matches now. `expected` is the number of rows that the caller saw; if it
 * differs, the call is refused with `selection_changed`. The action runs as a background job with
 * one result per row.
 */
/* @__NO_SIDE_EFFECTS__ */ export const bulk = <A extends string>(
  list: string,
  roles: readonly Role[],
  actions: readonly [A, ...A[]],
) =>
  endpoint<ReturnType<typeof bulkSchemas<A>>>({
    method: 'POST',
    path: `/api/arco/${list}/bulk`,
    roles,
    summary: `Many ${list} at once, in the background: ${actions.join(', ')}.`,
  });

/** The actions of every resource whose rows can be enabled and disabled. */
export const switches = ['enable', 'disable'] as const;
