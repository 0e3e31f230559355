import * as z from 'zod/mini';
import { bulkLimit } from './bulk-endpoint.ts';
import { id, integer, text } from './fields.schema.ts';
import { cancelReasonLength, mostMatched } from './limits.ts';

type Fields = Record<string, z.ZodMiniType>;

const filterOf = (filters: Fields) => {
  const { page: _, page_size: _size, cursor: _cursor, sort: _sort, ...own } = filters;
  return z
    .record(z.string(), z.unknown())
    .check(
      z.refine((values) => Object.keys(values).every((name) => name in own), { error: 'invalid' }),
    );
};

/**
 * The selected rows: those with these ids, or all rows that a filter matches. `filters` is the
 * input of the list.
 */
export const chosenRows = (filters: Fields) => ({
  ids: z.optional(
    z.array(id).check(z.minLength(1, 'required'), z.maxLength(bulkLimit, 'too_long')),
  ),
  filter: z.optional(filterOf(filters)),
});

/** The values that an action sets for every row: the values of a station's price. */
export const bulkValues = z
  .record(z.string(), z.union([z.int(), z.null()]))
  .check(z.refine((values) => Object.keys(values).length > 0, { error: 'required' }));

/** The schemas of `POST /api/arco/<list>/bulk`; `filters` are the input of the list. */
export const bulkSchemas = <A extends string>(
  actions: readonly [A, ...A[]],
  filters: Fields,
  reasonLength = cancelReasonLength,
) => ({
  input: z.object({
    action: z.enum(actions, 'invalid'),
    ...chosenRows(filters),
    expected: z.optional(integer(0, mostMatched)),
    reason: z.optional(text(0, reasonLength)),
    values: z.optional(bulkValues),
  }),
  output: z.object({ job_id: z.int(), total: z.int() }),
});
