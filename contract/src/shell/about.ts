import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './about.schema.ts';
export type { About } from './about.schema.ts';

/** Public information about the server, shown on the login page and in the footer. */
export const about = endpoint<typeof schemas.about, 'public'>({
  method: 'GET',
  path: '/api/arco/about',
  roles: 'public',
  summary: 'Version, whether this is the demo network, and how long a session lives.',
});
