import { settingSchema } from '@waystation/contract/shell/settings.schema.ts';
import { settingNames, settings } from '@waystation/contract/shell/settings.ts';
import type {
  AnySettingValue,
  SettingName,
  SettingValue,
} from '@waystation/contract/shell/settings.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';

export type SettingValues = { [N in SettingName]: SettingValue<N> };

/**
 * Returns the stored value, or the default if no value is stored. Throws if the stored value is
 * invalid: only a write that bypassed the screen can store such a value, and the default would be a
 * guess.
 */
const checked = (name: SettingName, stored: unknown): AnySettingValue => {
  if (stored === undefined) return settings[name].default;
  const parsed = settingSchema(name).safeParse(stored);
  if (!parsed.success)
    throw new Error(
      `setting ${name} holds ${JSON.stringify(stored)}, which is not one of its values`,
    );
  return parsed.data;
};

/** Returns the present value of one setting, or its default if none is stored. */
export const readSetting = async <N extends SettingName>(
  work: Work,
  name: N,
): Promise<SettingValue<N>> => {
  const [row] = await rowsAtOnce(
    work,
    sql<RowOf<'settings', 'value'>>`select value
    from settings where name = ${name}`,
  );
  return checked(name, row?.value) as SettingValue<N>;
};

/** Reads all settings with one query. */
export const readSettings = async (work: Work): Promise<SettingValues> => {
  const { rows } = await sql<RowOf<'settings', 'name' | 'value'>>`select name, value
    from settings where name = any(${settingNames}::text[])`.execute(work.tx);
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    settingNames.map((name) => [name, checked(name, stored.get(name))]),
  ) as SettingValues;
};

/** The codes of a list of fee codes, which are separated by white space, commas or semicolons. */
export const feeCodesIn = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .toUpperCase()
      .split(/[\s,，、;；]+/)
      .filter((code) => code !== ''),
  );
