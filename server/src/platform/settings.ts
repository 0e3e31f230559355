import { settingSchema } from '@waystation/contract/settings.schema.ts';
import { settingNames, settings } from '@waystation/contract/settings.ts';
import type { AnySettingValue, SettingName, SettingValue } from '@waystation/contract/settings.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';

export type SettingValues = { [N in SettingName]: SettingValue<N> };

/** Throws where the stored value is none the setting may have: what was written past the screen must not be guessed at. */
const checked = (name: SettingName, stored: unknown): AnySettingValue => {
  if (stored === undefined) return settings[name].default;
  const parsed = settingSchema(name).safeParse(stored);
  if (!parsed.success) throw new Error(`setting ${name} holds ${JSON.stringify(stored)}, which is not one of its values`);
  return parsed.data;
};

/** One setting of the network as it now stands; its default where nobody has set it. */
export const readSetting = async <N extends SettingName>(tx: Tx, name: N): Promise<SettingValue<N>> => {
  const [row] = await rowsAtOnce(tx, sql<RowOf<'settings', 'value'>>`select value from settings where name = ${name}`);
  return checked(name, row?.value) as SettingValue<N>;
};

/** All settings in one query. */
export const readSettings = async (tx: Tx): Promise<SettingValues> => {
  const { rows } = await sql<RowOf<'settings', 'name' | 'value'>>`select name, value from settings where name = any(${settingNames}::text[])`.execute(tx);
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.fromEntries(settingNames.map((name) => [name, checked(name, stored.get(name))])) as SettingValues;
};
