import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { roles } from './roles.ts';

/** What anyone may know before logging in: shown on the login page and in the footer. */
export const about = endpoint({
  method: 'GET',
  path: '/api/arco/about',
  roles: 'public',
  summary: 'Version, whether this is the demo network, and how long a session lives.',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    demo: z.boolean(),
    /** Parcels go to the simulated carrier, not to a real one. */
    simulated: z.boolean(),
    /** A session ends after so many minutes without a call, and after so many hours in any case. */
    session: z.object({ idle_minutes: z.int(), absolute_hours: z.int() }),
    /** Only in demo, else empty. Password in the clear: these accounts are examples. */
    accounts: z.array(z.object({ username: z.string(), role: z.enum(roles), password: z.string() })),
  }),
});
export type About = z.infer<typeof about.output>;
