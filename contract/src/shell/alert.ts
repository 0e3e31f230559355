import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './alert.schema.ts';

/**
 * Somebody has looked at what was raised, and says what came of it; raised again, it is open
 * again. Closing what is closed changes nothing.
 */
export const closeAlert = endpoint<typeof schemas.closeAlert>({
  method: 'POST',
  path: '/api/arco/alerts/{id}/close',
  roles: office,
  summary: 'Close an alert that somebody has looked at.',
});
