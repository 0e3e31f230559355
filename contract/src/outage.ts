import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { time } from './fields.ts';
import { everyone } from './roles.ts';

/** Carrier accounts that fail their calls; id and name are the office's to know, `waiting` counts parcels of the caller's scope whose outcome is open. */
export const carrierOutages = endpoint({
  method: 'GET',
  path: '/api/arco/outages',
  roles: everyone,
  summary: 'Carrier accounts that are down, since when, and how many orders wait for them.',
  input: z.object({}),
  output: z.object({
    items: z.array(z.object({ merchant_id: z.nullable(z.int()), provider: z.string(), name: z.nullable(z.string()), since: time, waiting: z.int() })),
  }),
});
