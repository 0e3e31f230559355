import * as z from 'zod/mini';
import { roles } from '#base/roles.ts';
import { withSchemas } from '#base/endpoint.ts';
import * as endpoints from './about.ts';

export type About = z.infer<typeof schemas.about.output>;

export const schemas = {
  about: {
    input: z.object({}),
    output: z.object({
      version: z.string(),
      demo: z.boolean(),
      /**
       * True: the demo can be used, but its parcels in transit are still being sent to the
       * simulator.
       */
      demo_catching_up: z.boolean(),
      /** True: parcels are ordered with the simulated carrier, not with a real carrier. */
      simulated: z.boolean(),
      /** A session ends after `idle_minutes` without a call, and always after `absolute_hours`. */
      session: z.object({ idle_minutes: z.int(), absolute_hours: z.int() }),
      /** True: invitation links can be mailed. */
      mail: z.boolean(),
      /**
       * The demo accounts; empty outside demo mode. The passwords are readable because these
       * accounts are only examples.
       */
      accounts: z.array(
        z.object({ username: z.string(), role: z.enum(roles), password: z.string() }),
      ),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
