import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, text } from './fields.ts';
import { office } from './roles.ts';

/** Somebody has looked at what was raised, and says what came of it; raised again, it is open again. Closing what is closed changes nothing. */
export const closeAlert = endpoint({
  method: 'POST',
  path: '/api/arco/alerts/{id}/close',
  roles: office,
  summary: 'Close an alert that somebody has looked at.',
  input: z.object({ id, reason: z.optional(text(0, 200)) }),
  output: z.object({ id: z.int() }),
});
