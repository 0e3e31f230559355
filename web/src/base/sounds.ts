import { settingsStore } from './settings-store.ts';
import type { Sound } from './tones.ts';

/** Plays a sound if the user has switched sounds on. Sounds are off by default. */
export const playSound = (sound: Sound): void => {
  if (settingsStore.getState().sounds)
    void import('./tones.ts').then(
      ({ play }) => play(sound),
      () => {},
    );
};
