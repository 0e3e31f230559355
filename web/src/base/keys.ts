/**
 * How keys are written: `n`, `?`, `Enter`, `mod+k` (Ctrl or ⌘), `alt+1`, `shift+x`, and `g w` for
 * g, then w.
 */

export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
  shiftKey?: boolean;
}

/** Writes one key press in the notation for shortcuts. */
export const written = (press: KeyPress): string => {
  // On some keyboards the Alt key produces another character. The position of the key is therefore
  // used.
  const placed = press.altKey ? /^(?:Digit|Key)(\w)$/.exec(press.code ?? '')?.[1] : undefined;
  const key = (placed ?? press.key).length === 1 ? (placed ?? press.key).toLowerCase() : press.key;
  const isLetter = /^[a-z]$/.test(key);
  return [
    (press.ctrlKey || press.metaKey) && 'mod',
    press.altKey && 'alt',
    // The character "?" already includes Shift. Shift is therefore written only for letters and for
    // named keys.
    press.shiftKey && (isLetter || key.length > 1) && 'shift',
    key === ' ' ? 'Space' : key,
  ]
    .filter(Boolean)
    .join('+');
};

/**
 * True if the shortcut needs no modifier key such as Ctrl. Users can switch such shortcuts off, and
 * typing must not run them.
 */
export const isSingle = (keys: string): boolean =>
  !/(?:mod|alt)\+/.test(keys) && !/^(?:shift\+)?F\d+$/.test(keys);

const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '');
const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/**
 * The keys to draw, in groups that are pressed one after another. For example, `g w` becomes
 * [['G'], ['W']].
 */
export const keyCaps = (keys: string): string[][] =>
  keys
    .split(' ')
    .map((step) =>
      step
        .split(/(?<=.)\+/)
        .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    );

/** Writes a shortcut in the format of `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string =>
  keys
    .split(' ')[0]!
    .replace('mod', isMac ? 'Meta' : 'Control')
    .replace('alt', 'Alt')
    .replace('shift', 'Shift');
