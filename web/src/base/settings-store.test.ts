import { beforeEach, describe, expect, it } from 'vitest';
import {
  changeSettings,
  defaultSettings,
  readSettings,
  resetSettings,
  settingsJson,
  settingsKey,
  settingsStore,
  settingsVersion,
} from './settings-store.ts';
import { local } from './storage.ts';

beforeEach(resetSettings);

describe('the settings', () => {
  it('the settings of the web console have the default values of requirements §2 and §9', () => {
    expect(defaultSettings).toMatchObject({
      navbar: true,
      menu: true,
      footer: true,
      tabBar: true,
      colorWeak: false,
      themeColor: '#165DFF',
      menuWidth: 220,
      menuFromServer: false,
    });
    expect(settingsVersion).toBe('1.0.1');
  });

  it('a changed setting of the web console applies immediately, is stored in the browser and is read back', () => {
    changeSettings({ menuWidth: 300, theme: 'dark' });
    expect(settingsStore.getState()).toMatchObject({ menuWidth: 300, theme: 'dark', navbar: true });
    expect(readSettings(JSON.parse(local.read(settingsKey)!))).toEqual(settingsStore.getState());
  });

  it('an invalid value leaves the setting unchanged', () => {
    changeSettings({
      menuWidth: 9999,
      themeColor: 'red',
      theme: 'pink' as 'dark',
      navbar: 'yes' as unknown as boolean,
      footer: false,
    });
    expect(settingsStore.getState()).toEqual({ ...defaultSettings, footer: false });
  });

  it('invalid values in stored settings of an older or damaged version are replaced by defaults, and valid values are kept', () => {
    expect(
      readSettings({
        menuWidth: 260,
        theme: 'sepia',
        navbar: false,
        unknown: 1,
        __proto__: { menu: false },
      }),
    ).toEqual({
      ...defaultSettings,
      menuWidth: 260,
      navbar: false,
    });
    for (const rubbish of [null, undefined, 7, 'x', []])
      expect(readSettings(rubbish)).toEqual(defaultSettings);
  });

  it('the settings are copied as JSON together with their version', () => {
    expect(JSON.parse(settingsJson())).toEqual({ ...defaultSettings, version: '1.0.1' });
  });
});
