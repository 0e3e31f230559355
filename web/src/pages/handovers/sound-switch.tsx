import { useStore } from 'zustand';
import { changeSettings, settingsStore } from '#base/settings-store.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';

/** Sounds of scans, the same setting as in the settings drawer. */
export const SoundSwitch = () => {
  const { t } = useTexts();
  const on = useStore(settingsStore, ({ sounds }) => sounds);
  return (
    <Button aria-pressed={on} onClick={() => changeSettings({ sounds: !on })}>
      {t(on ? 'handovers.sounds_on' : 'handovers.sounds_off')}
    </Button>
  );
};
