import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './alert.schema.ts';

/**
 * Closes an alert, after a user has checked it, with the result of the check. If the alert is
 * raised again later, it is open again. Closing a closed alert changes nothing.
 */
export const closeAlert = endpoint<typeof schemas.closeAlert>({
  method: 'POST',
  path: '/api/arco/alerts/{id}/close',
  roles: office,
  summary: 'Close an alert that somebody has looked at.',
});
