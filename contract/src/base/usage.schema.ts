import * as z from 'zod/mini';
import { flag, id } from './fields.schema.ts';
import { usages } from './usage.ts';
import type { UsedBy } from './usage.ts';

/**
 * The objects that use a row; users read them before they disable the row. Kinds with a count of
 * zero are left out. `names`: the first few objects, if they have names. `more` 1: only the newest
 * were read, so there may be more.
 */
export const usage = z.object({
  items: z.array(
    z.object({
      what: z.enum(Object.keys(usages) as [UsedBy, ...UsedBy[]]),
      count: z.int(),
      more: z.optional(flag),
      names: z.optional(z.array(z.string())),
    }),
  ),
});
export type Usage = z.infer<typeof usage>;

/** The schemas of `GET <base>/{id}/usage`. */
export const usageSchemas = { input: z.object({ id }), output: usage };
