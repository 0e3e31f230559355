export type Sound = 'scanned' | 'refused' | 'done';

interface Tone {
  /** The pitch of the tone in hertz. */
  pitch: number;
  /** The duration of the tone in seconds. */
  long: number;
}

/**
 * The tones of each sound: a scan is one short high tone, a refusal is two low tones, and a
 * finished action has rising tones. Users can distinguish them without looking at the screen.
 */
export const tonesOf: Record<Sound, readonly Tone[]> = {
  scanned: [{ pitch: 1_320, long: 0.08 }],
  refused: [
    { pitch: 220, long: 0.18 },
    { pitch: 180, long: 0.28 },
  ],
  done: [
    { pitch: 880, long: 0.08 },
    { pitch: 1_175, long: 0.12 },
  ],
};

let context: AudioContext | null = null;

/** Plays the tones one after another. A browser without audio plays nothing. */
export const play = (sound: Sound): void => {
  context ??= new AudioContext();
  void context.resume();
  let at = context.currentTime;
  for (const { pitch, long } of tonesOf[sound]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.2, at);
    // Otherwise the abrupt end of the tone would make a click.
    volume.gain.exponentialRampToValueAtTime(0.001, at + long);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + long);
    at += long;
  }
};
