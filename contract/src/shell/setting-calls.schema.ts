import * as z from 'zod/mini';
import { settingNames } from './settings.ts';
import type { SettingName } from './settings.ts';
import { id, integer, time } from '#base/fields.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { mostInteger, mostSettingTexts, settingTextLength } from '#base/limits.ts';
import * as endpoints from './setting-calls.ts';

const name = z.enum(settingNames as [SettingName, ...SettingName[]], 'invalid');
/** The rules of the setting `name` (settings.ts) are checked in addition. */
const value = z.union([
  z.number(),
  z.string().check(z.maxLength(settingTextLength, 'too_long')),
  z
    .array(z.string().check(z.maxLength(settingTextLength, 'too_long')))
    .check(z.maxLength(mostSettingTexts, 'too_long')),
]);

/**
 * A requested raise of a money limit, or a requested shorter retention of evidence. It takes effect
 * at `effective_at`, or immediately when a second person confirms it.
 */
const raise = z.object({
  id: z.int(),
  amount_after: z.int(),
  account_id: z.int(),
  username: z.string(),
  at: time,
  effective_at: time,
});
export type SettingRaise = z.infer<typeof raise>;

const row = z.object({
  name,
  value,
  /** 0: the setting still has its default value. */
  version: z.int(),
  updated_at: z.nullable(time),
  /** The person who set the value last; null if it is the default, or if a command set it. */
  username: z.nullable(z.string()),
  raise: z.nullable(raise),
});
export type SettingRow = z.infer<typeof row>;

const decision = { input: z.object({ id }), output: z.object({ id: z.int() }) };

export const schemas = {
  listSettings: {
    input: z.object({}),
    output: z.object({ items: z.array(row) }),
  },
  editSetting: {
    input: z.object({ name, value, version: integer(0, mostInteger) }),
    output: row,
  },
  moneyLimits: {
    input: z.object({}),
    output: z.object({
      given_alone_limit: z.int(),
      top_up_limit: z.int(),
      top_up_day_limit: z.int(),
    }),
  },
  paymentAccount: {
    input: z.object({}),
    output: z.object({ text: z.string(), updated_at: z.nullable(time) }),
  },
  confirmRaise: decision,
  cancelRaise: decision,
};

export const calls = withSchemas(endpoints, schemas);
