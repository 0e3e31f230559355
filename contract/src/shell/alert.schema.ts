import * as z from 'zod/mini';
import { id, text } from '#base/fields.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { noteLength } from '#base/limits.ts';
import * as endpoints from './alert.ts';

export const schemas = {
  closeAlert: {
    input: z.object({ id, reason: z.optional(text(0, noteLength)) }),
    output: z.object({ id: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
