import * as z from 'zod/mini';
import { withSchemas } from './endpoint.ts';
import * as endpoints from './preferences.ts';

/** What a user set up for themselves, kept over devices: the settings drawer under `settings`, later columns and views under names of their own. */
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
