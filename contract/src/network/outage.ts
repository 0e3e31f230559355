import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './outage.schema.ts';

/**
 * Carrier accounts whose calls fail. Only super and admin see their id and name. `waiting` counts
 * the caller's parcels whose outcome is open.
 */
export const carrierOutages = endpoint<typeof schemas.carrierOutages>({
  method: 'GET',
  path: '/api/arco/outages',
  roles: everyone,
  summary: 'Carrier accounts that are down, since when, and how many orders wait for them.',
});
