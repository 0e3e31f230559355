import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './alert.schema.ts';

/**
 * A user has checked the alert and states the result. If it is raised again, the alert is open
 * again. Closing a closed alert changes nothing.
 */
export const closeAlert = endpoint<typeof schemas.closeAlert>({
  method: 'POST',
  path: '/api/arco/alerts/{id}/close',
  roles: office,
  summary: 'Close an alert that somebody has looked at.',
});
