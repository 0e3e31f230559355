/**
 * Collects keys that are pressed after the palette is opened and before its field has the focus.
 * The first opening takes up to a second, because it loads a file.
 */
interface EarlyKeys {
  text: string;
  /** True if Enter was pressed after this text. */
  entered: boolean;
}

const none: EarlyKeys = { text: '', entered: false };
/**
 * The maximum time in milliseconds for which keys are collected if the palette's file cannot be
 * loaded.
 */
const longestMs = 10_000;

let kept = none;
let stop: (() => void) | null = null;

/** The kept text after one more key, and whether Enter was pressed. Null if the key is not kept. */
export const withKey = (
  { text, entered }: EarlyKeys,
  { key, isTaken }: { key: string; isTaken: boolean },
): EarlyKeys | null => {
  if (isTaken) return null;
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join(''), entered: false };
  if (key === 'Enter') return { text, entered: text !== '' };
  return [...key].length === 1 ? { text: entered ? text : text + key, entered } : null;
};

/**
 * Records the pressed keys until the palette reads them, Escape is pressed, or the returned
 * function is called. Escape also calls `onEscape`.
 */
export const keepEarlyKeys = (onEscape: () => void): (() => void) => {
  stop?.();
  kept = none;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onEscape();
    const isTaken = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    const next = event.key === 'Escape' ? none : withKey(kept, { key: event.key, isTaken });
    if (next === null) return;
    kept = next;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKey, { capture: true });
  const timer = setTimeout(() => stop?.(), longestMs);
  stop = () => {
    stop = null;
    kept = none;
    clearTimeout(timer);
    window.removeEventListener('keydown', onKey, { capture: true });
  };
  return stop;
};

/** Returns the kept keys. No further keys are kept, because the search field now receives them. */
export const takeEarlyKeys = (): EarlyKeys => {
  const taken = kept;
  stop?.();
  return taken;
};
