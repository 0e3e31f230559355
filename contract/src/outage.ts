import { endpoint } from './endpoint.ts';
import { everyone } from './roles.ts';
import type { schemas } from './outage.schema.ts';

/** Carrier accounts that fail their calls; id and name are the office's to know, `waiting` counts parcels of the caller's scope whose outcome is open. */
export const carrierOutages = endpoint<typeof schemas.carrierOutages>({
  method: 'GET',
  path: '/api/arco/outages',
  roles: everyone,
  summary: 'Carrier accounts that are down, since when, and how many orders wait for them.',
});
