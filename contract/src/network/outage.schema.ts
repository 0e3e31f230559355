import * as z from 'zod/mini';
import { time } from '#base/fields.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import * as endpoints from './outage.ts';

export const schemas = {
  carrierOutages: {
    input: z.object({}),
    output: z.object({
      items: z.array(
        z.object({
          merchant_id: z.nullable(z.int()),
          provider: z.string(),
          name: z.nullable(z.string()),
          since: time,
          waiting: z.int(),
        }),
      ),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
