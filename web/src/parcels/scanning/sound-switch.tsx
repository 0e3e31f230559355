import { useStore } from 'zustand';
import { changeSettings, settingsStore } from '#base/settings-store.ts';
import { Button } from '#ui/button.tsx';
import { useHandoverWords } from '#parcels/handover-words.ts';

/** The switch for the scan sounds. The settings drawer has a switch for the same setting. */
export const SoundSwitch = () => {
  const say = useHandoverWords();
  const on = useStore(settingsStore, ({ sounds }) => sounds);
  return (
    <Button aria-pressed={on} onClick={() => changeSettings({ sounds: !on })}>
      {say(on ? 'sounds_on' : 'sounds_off')}
    </Button>
  );
};
