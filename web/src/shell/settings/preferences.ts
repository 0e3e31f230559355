import { readPreferences, writePreference } from '@waystation/contract/preferences.ts';
import { call } from '#base/call.ts';
import { readOnce } from '#base/query.ts';
import { changeSettings, readSettings, settingsStore } from '#base/settings-store.ts';

const name = 'settings';
/** Milliseconds of quiet before a change is sent: a slider moves often. */
const settle = 800;

/**
 * The settings follow the user to other devices: what the server keeps is applied once after login, later changes are sent there.
 * Local storage stays the first source, so that nothing waits for the network.
 */
export const followPreferences = async (): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let applying = false;
  let chosen = false;
  settingsStore.subscribe((value) => {
    if (applying) return;
    chosen = true;
    clearTimeout(timer);
    // A failure costs nothing here: the settings stand locally, and the next change sends them whole.
    timer = setTimeout(() => void call(writePreference, { name, value }).catch(() => null), settle);
  });
  const stored = await readOnce(readPreferences, {}).then(
    ({ values }) => values[name],
    () => undefined,
  );
  // What the user chose meanwhile is newer.
  if (stored === undefined || stored === null || chosen) return;
  applying = true;
  changeSettings(readSettings(stored));
  applying = false;
};
