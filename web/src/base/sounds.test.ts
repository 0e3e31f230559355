import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeSettings } from './settings-store.ts';
import { playSound } from './sounds.ts';
import { tonesOf } from './tones.ts';

const started: number[] = [];

/** The part of the browser's audio interface that the tones use. */
class Audio {
  currentTime = 10;
  destination = {};
  resume = (): Promise<void> => Promise.resolve();
  createOscillator = () => {
    const frequency = { value: 0 };
    return {
      frequency,
      connect: <T>(next: T): T => next,
      start: () => started.push(frequency.value),
      stop: () => {},
    };
  };
  createGain = () => ({
    gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
    connect: <T>(next: T): T => next,
  });
}

afterEach(() => {
  changeSettings({ sounds: false });
  started.length = 0;
  vi.unstubAllGlobals();
});

describe('sounds', () => {
  it('sounds are off until the user switches them on', async () => {
    vi.stubGlobal('AudioContext', Audio);
    playSound('scanned');
    await vi.dynamicImportSettled();
    expect(started).toEqual([]);
  });

  it('the sounds of a scan, a refusal and a finished action are different', async () => {
    vi.stubGlobal('AudioContext', Audio);
    changeSettings({ sounds: true });
    for (const sound of ['scanned', 'refused', 'done'] as const) {
      started.length = 0;
      playSound(sound);
      await vi.waitFor(() => expect(started).toEqual(tonesOf[sound].map(({ pitch }) => pitch)));
    }
  });
});
