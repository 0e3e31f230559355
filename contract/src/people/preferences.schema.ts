import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import * as endpoints from './preferences.ts';

/**
 * A user's own preferences, stored over devices: the settings drawer under `settings`, columns and
 * views under names of their own.
 */
const name = z.string().check(z.regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'invalid'));

export const schemas = {
  readPreferences: {
    input: z.object({}),
    output: z.object({ values: z.record(z.string(), z.unknown()) }),
  },
  writePreference: {
    input: z.object({ name, value: z.unknown() }),
    output: z.object({}),
  },
};

export const calls = withSchemas(endpoints, schemas);
