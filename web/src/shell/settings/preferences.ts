import { readPreferences, writePreference } from '@waystation/contract/people/preferences.ts';
import { call } from '#base/call.ts';
import { readOnce } from '#base/query.ts';
import { changeSettings, readSettings, settingsStore } from '#base/settings-store.ts';

const name = 'settings';
/**
 * The settings are sent after this number of milliseconds without a further change, because a
 * slider makes many changes.
 */
const settle = 800;

/**
 * Makes the settings follow the user to other devices. The server's copy is applied once after
 * login, and later changes are sent to the server. Local storage is read first, so that nothing
 * waits for the network.
 */
export const followPreferences = async (): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let applying = false;
  let chosen = false;
  settingsStore.subscribe((value) => {
    if (applying) return;
    chosen = true;
    clearTimeout(timer);
    // A failure is harmless. The settings are stored locally, and the next change sends all of
    // them.
    timer = setTimeout(() => void call(writePreference, { name, value }).catch(() => null), settle);
  });
  const stored = await readOnce(readPreferences, {}).then(
    ({ values }) => values[name],
    () => undefined,
  );
  // If the user has changed a setting meanwhile, that change is newer than the stored settings.
  if (stored === undefined || stored === null || chosen) return;
  applying = true;
  changeSettings(readSettings(stored));
  applying = false;
};
