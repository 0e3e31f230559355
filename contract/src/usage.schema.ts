import * as z from 'zod/mini';
import { flag, id } from './fields.schema.ts';
import { usages } from './usage.ts';
import type { UsedBy } from './usage.ts';

/**
 * Who uses a row, read before it is disabled; users that count zero are left out. `names` are the first few, where they have names; `more`: 1 where only the newest
 * were looked at, so that there may be more.
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

/** Of `GET <base>/{id}/usage`. */
export const usageSchemas = { input: z.object({ id }), output: usage };
