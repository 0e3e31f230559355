import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './outage.schema.ts';

/**
 * Carrier accounts with failing calls; id and name are for the office alone, `waiting` counts
 * parcels of the caller's scope whose outcome is open.
 */
export const carrierOutages = endpoint<typeof schemas.carrierOutages>({
  method: 'GET',
  path: '/api/arco/outages',
  roles: everyone,
  summary: 'Carrier accounts that are down, since when, and how many orders wait for them.',
});
