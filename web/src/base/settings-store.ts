import { createStore } from 'zustand/vanilla';
import { local, readJson } from './storage.ts';

/**
 * All settings of the settings drawer (requirements §2, §9). The copied JSON uses the same names.
 */
export interface Settings {
  navbar: boolean;
  menu: boolean;
  footer: boolean;
  tabBar: boolean;
  theme: 'light' | 'dark' | 'system';
  colorWeak: boolean;
  /** The theme colour as `#RRGGBB`. */
  themeColor: string;
  /** The width of the menu in pixels, 160–400. */
  menuWidth: number;
  menuCollapse: boolean;
  menuFromServer: boolean;
  /** The height of a table row: 36 px for comfortable, 32 px for compact. */
  density: 'comfortable' | 'compact';
  /** True if every second row of a table has a different background. */
  zebra: boolean;
  /**
   * True if shortcuts of a single key without a modifier work. Some users must be able to switch
   * them off.
   */
  singleKeys: boolean;
  /** True if a sound is played for a found scan, a refusal and a finished action. */
  sounds: boolean;
}

export const settingsVersion = '1.0.1';
export const defaultThemeColor = '#165DFF';
export const menuWidths = { min: 160, max: 400 } as const;

export const defaultSettings: Settings = {
  navbar: true,
  menu: true,
  footer: true,
  tabBar: true,
  theme: 'system',
  colorWeak: false,
  themeColor: defaultThemeColor,
  menuWidth: 220,
  menuCollapse: false,
  menuFromServer: false,
  density: 'comfortable',
  zebra: false,
  singleKeys: true,
  sounds: false,
};

export const settingsKey = 'waystation-settings';

const allowed: { [K in keyof Settings]: (value: unknown) => boolean } = {
  navbar: (value) => typeof value === 'boolean',
  menu: (value) => typeof value === 'boolean',
  footer: (value) => typeof value === 'boolean',
  tabBar: (value) => typeof value === 'boolean',
  theme: (value) => value === 'light' || value === 'dark' || value === 'system',
  colorWeak: (value) => typeof value === 'boolean',
  themeColor: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  menuWidth: (value) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= menuWidths.min &&
    value <= menuWidths.max,
  menuCollapse: (value) => typeof value === 'boolean',
  menuFromServer: (value) => typeof value === 'boolean',
  density: (value) => value === 'comfortable' || value === 'compact',
  zebra: (value) => typeof value === 'boolean',
  singleKeys: (value) => typeof value === 'boolean',
  sounds: (value) => typeof value === 'boolean',
};
const names = Object.keys(defaultSettings) as (keyof Settings)[];

/**
 * Returns the settings in `stored`. An unknown setting is left out, and an invalid value is
 * replaced by its default.
 */
export const readSettings = (stored: unknown): Settings => {
  if (typeof stored !== 'object' || stored === null) return defaultSettings;
  const values = stored as Record<string, unknown>;
  return {
    ...defaultSettings,
    ...Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(values, name) && allowed[name](values[name]))
        .map((name) => [name, values[name]]),
    ),
  };
};

export const settingsStore = createStore<Settings>(() =>
  readSettings(readJson(local, settingsKey)),
);

/** Immediately applies and stores the changed settings. An invalid value is ignored. */
export const changeSettings = (patch: Partial<Settings>): void => {
  const good = names.filter((name) => name in patch && allowed[name](patch[name]));
  settingsStore.setState(Object.fromEntries(good.map((name) => [name, patch[name]])));
  local.write(settingsKey, settingsJson());
};

export const resetSettings = (): void => changeSettings(defaultSettings);

/** The settings as JSON, for the button "copy settings" and for storage. */
export const settingsJson = (): string =>
  JSON.stringify({ ...settingsStore.getState(), version: settingsVersion }, null, 2);
