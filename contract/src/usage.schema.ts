import * as z from 'zod/mini';
import { id } from './fields.schema.ts';
import { usages } from './usage.ts';
import type { UsedBy } from './usage.ts';

/** Who uses a row, read before it is disabled; users that count zero are left out. `names` are the first few, where they have names. */
export const usage = z.object({
  items: z.array(z.object({ what: z.enum(Object.keys(usages) as [UsedBy, ...UsedBy[]]), count: z.int(), names: z.optional(z.array(z.string())) })),
});
export type Usage = z.infer<typeof usage>;

/** Of `GET <base>/{id}/usage`. */
export const usageSchemas = { input: z.object({ id }), output: usage };
