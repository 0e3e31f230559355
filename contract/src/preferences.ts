import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { everyone } from './roles.ts';

/** What a user set up for themselves, kept over devices: the settings drawer under `settings`, later columns and views under names of their own. */
const name = z.string().check(z.regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'invalid'));

export const readPreferences = endpoint({
  method: 'GET',
  path: '/api/arco/preferences',
  roles: everyone,
  summary: 'All preferences of the caller: name → JSON value.',
  input: z.object({}),
  output: z.object({ values: z.record(z.string(), z.unknown()) }),
});

/** The last writer wins: a preference is one person's own. */
export const writePreference = endpoint({
  method: 'POST',
  path: '/api/arco/preferences',
  roles: everyone,
  bodyLimit: 32 * 1024,
  summary: 'Keep one preference of the caller; null forgets it.',
  input: z.object({ name, value: z.unknown() }),
  output: z.object({}),
});
