import * as z from 'zod/mini';
import { id, text } from './fields.schema.ts';
import { withSchemas } from './endpoint.ts';
import { noteLength } from './limits.ts';
import * as endpoints from './alert.ts';

export const schemas = {
  closeAlert: {
    input: z.object({ id, reason: z.optional(text(0, noteLength)) }),
    output: z.object({ id: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
