import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './address-calls.schema.ts';

export const parseAddress = endpoint<typeof schemas.parseAddress>({
  method: 'POST',
  path: '/api/arco/address/parse',
  roles: everyone,
  key: 'order',
  summary: 'People found in a pasted text, each field with how sure it is.',
});

export const checkPlace = endpoint<typeof schemas.checkPlace>({
  method: 'GET',
  path: '/api/arco/address/place',
  roles: everyone,
  summary:
    'Whether province, city and county fit each other, and the places that may be meant where they do not.',
});
