import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import * as endpoints from './preferences.ts';

/**
 * The name of a user's preference, which is stored for all of the user's devices: `settings` for
 * the settings drawer, and separate names for columns and views.
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
