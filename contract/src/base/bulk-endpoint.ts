import type { bulkSchemas } from './bulk-endpoint.schema.ts';
import { endpoint } from './endpoint.ts';
import type { Role } from './roles.ts';

/** The limit of rows of one bulk action. */
export const bulkLimit = 10_000;

/**
 * One action on many rows of a list: `ids`, or every row that `filter` (the list's own, without
 * paging) matches now. The caller names the number it saw in `expected`; another number is refused
 * with `selection_changed`. Runs as a background job with one result per row.
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

/** The actions of every resource that can be enabled and disabled. */
export const switches = ['enable', 'disable'] as const;
