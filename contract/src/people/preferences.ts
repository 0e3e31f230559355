import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './preferences.schema.ts';

export const readPreferences = endpoint<typeof schemas.readPreferences>({
  method: 'GET',
  path: '/api/arco/preferences',
  roles: everyone,
  summary: 'All preferences of the caller: name → JSON value.',
});

/**
 * The last written value is stored without a version check, because a preference belongs to only
 * one person.
 */
export const writePreference = endpoint<typeof schemas.writePreference>({
  method: 'POST',
  path: '/api/arco/preferences',
  roles: everyone,
  bodyLimit: 32 * 1024,
  summary: 'Keep one preference of the caller; null forgets it.',
});
