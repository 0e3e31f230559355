import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, integer, time } from './fields.ts';
import { office } from './roles.ts';
import { settingNames } from './settings.ts';
import type { SettingName } from './settings.ts';

const base = '/api/arco/settings';
const name = z.enum(settingNames as [SettingName, ...SettingName[]], 'invalid');
/** Checked against the setting it is for (settings.ts). */
const value = z.union([
  z.number(),
  z.string().check(z.maxLength(20, 'too_long')),
  z.array(z.string().check(z.maxLength(20, 'too_long'))).check(z.maxLength(40, 'too_long')),
]);

/** A money limit that is to be raised: takes effect at `effective_at`, or at once when a second person confirms it. */
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
  /** 0: nobody has set it, it has its default. */
  version: z.int(),
  updated_at: z.nullable(time),
  /** Who set it last; null: the default, or a command. */
  username: z.nullable(z.string()),
  raise: z.nullable(raise),
});
export type SettingRow = z.infer<typeof row>;

export const listSettings = endpoint({
  method: 'GET',
  path: base,
  roles: ['super'],
  summary: 'The network’s settings, each with the raise that waits.',
  input: z.object({}),
  output: z.object({ items: z.array(row) }),
});

/** A money limit that rises keeps its value and answers the raise that now waits; anything else is changed at once. A waiting raise of it ends either way. */
export const editSetting = endpoint({
  method: 'PATCH',
  path: `${base}/{name}`,
  roles: ['super'],
  summary: 'Change one setting.',
  input: z.object({ name, value, version: integer(0, 2_147_483_647) }),
  output: row,
});

/** What one person may move without a second one, for the dialogs that move it. Fen. */
export const moneyLimits = endpoint({
  method: 'GET',
  path: '/api/arco/settings/limits',
  roles: office,
  summary: 'The money limits of one person.',
  input: z.object({}),
  output: z.object({ given_alone_limit: z.int(), top_up_limit: z.int(), top_up_day_limit: z.int() }),
});

const decision = (what: 'confirm' | 'cancel', summary: string) =>
  endpoint({ method: 'POST', path: `${base}/raises/{id}/${what}`, roles: office, summary, input: z.object({ id }), output: z.object({ id: z.int() }) });
export const confirmRaise = decision('confirm', 'Let a raised money limit take effect now; never by the one who raised it.');
export const cancelRaise = decision('cancel', 'Withdraw a raised money limit before it takes effect.');
