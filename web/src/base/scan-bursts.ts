/**
 * Recognises a barcode scanner by the speed of its typing. It reads the physical position of each
 * key, so that an active input method has no influence.
 */

export interface ScannedKey {
  code: string;
  timeStamp: number;
  shiftKey: boolean;
  /**
   * The element that has the focus. It may change during a scan if the page still handles the
   * previous scan.
   */
  target?: EventTarget | null;
}

/**
 * The maximum number of milliseconds between two keys of a scanner. Nobody can type eight keys so
 * fast by hand.
 */
const pace = 35;
const leastCharacters = 8;
/**
 * If this many keys came at a scanner's pace and the focus then changed, the number was cut. The
 * rest of the number is then not read.
 */
const leastFast = 4;
/**
 * The longest pause in milliseconds that a scanner makes within a number. Radio scanners make such
 * pauses.
 */
const longestHalt = 300;
/** The maximum number of characters of a scan. It is enough for the URL in a label's QR code. */
const mostCharacters = 200;

/**
 * The characters of the keys other than letters and digits on a US keyboard, without and with
 * Shift. Only characters that occur in numbers and URLs are listed.
 */
const signs: Record<string, string> = {
  Minus: '-_',
  Slash: '/?',
  Period: '..',
  Semicolon: ';:',
  Equal: '=+',
  Digit2: '2@',
  Digit3: '3#',
  Digit5: '5%',
  Digit7: '7&',
};

/**
 * The character of a key on a US keyboard, for which scanners are set. Null for a key that does not
 * occur in numbers.
 */
const characterOf = ({ code, shiftKey }: Pick<ScannedKey, 'code' | 'shiftKey'>): string | null => {
  if (code === 'NumpadSubtract') return '-';
  if (Object.hasOwn(signs, code)) return signs[code]!.charAt(shiftKey ? 1 : 0);
  if (shiftKey && code.startsWith('Digit')) return null;
  return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1] ?? null;
};

/**
 * True if a key ends a scan. A scanner ends a number with Enter, or with Tab if it is configured
 * so.
 */
const endsScan = (code: string): boolean =>
  code === 'Enter' || code === 'NumpadEnter' || code === 'Tab';

export interface Burst {
  /**
   * `started`: this key may begin a scan. `going`: the scan continues. `none`: this is no scan.
   * `read`: Enter or Tab ended the scan, and `text` is the number.
   */
  state: 'started' | 'going' | 'none' | 'read';
  text: string;
}

/**
 * Returns a function that is called for each key and returns whether the keys so far form a scan.
 */
export const burstReader = (): ((key: ScannedKey) => Burst) => {
  let text = '';
  /**
   * The number of keys in `text` since the last pause. Without this number, the end of a scanned
   * number could be read as a whole number.
   */
  let fast = 0;
  let at = Number.NEGATIVE_INFINITY;
  /**
   * True after a character that cannot be read. The characters after it must not be read as a
   * number.
   */
  let isSpoilt = false;
  let target: EventTarget | null | undefined;
  return (key) => {
    // Scanners press Shift before a capital letter.
    if (key.code.startsWith('Shift')) return { state: text === '' ? 'none' : 'going', text };
    const halt = key.timeStamp - at;
    const isFast = halt <= pace;
    at = key.timeStamp;
    if (halt > longestHalt) isSpoilt = false;
    // A user cannot move to another field at a scanner's pace. After a slower change of the field,
    // the text typed before it is therefore complete.
    if (key.target !== target && !isFast) {
      isSpoilt = fast >= leastFast && text !== '';
      text = '';
    }
    target = key.target;
    if (endsScan(key.code)) {
      const read = isFast && !isSpoilt && fast >= leastCharacters ? text : '';
      text = '';
      isSpoilt = false;
      return { state: read === '' ? 'none' : 'read', text: read };
    }
    const character = characterOf(key);
    if (character === null || isSpoilt || text.length === mostCharacters) {
      isSpoilt = true;
      text = '';
      return { state: 'none', text };
    }
    const goesOn = halt <= longestHalt && text !== '';
    text = goesOn ? text + character : character;
    fast = goesOn && isFast ? fast + 1 : 1;
    return { state: goesOn ? 'going' : 'started', text };
  };
};

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: Element | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/**
 * Restores the value that the field had before the scan. It sends the same event as when a user
 * types.
 */
const restore = (field: Field, value: string): void => {
  if (field.value === value) return;
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/**
 * The function that receives every scan while its page is shown. The general listener then receives
 * no scan.
 */
let taker: ((text: string) => void) | null = null;

/** Sends all scans to `onScan` until the returned function is called. */
export const takeScans = (onScan: (text: string) => void): (() => void) => {
  taker = onScan;
  return () => {
    if (taker === onScan) taker = null;
  };
};

/**
 * Listens for scans anywhere in the page, before all other listeners. Returns a function that stops
 * listening. The first keys of a scan still reach the focused field. After the scan, the field
 * loses the focus and gets back its earlier value.
 */
export const listenForScans = (onScan: (text: string) => void): (() => void) => {
  const read = burstReader();
  /**
   * The fields into which the keys of a burst were typed. For each field, the map contains the
   * value before the first of these keys.
   */
  let before = new Map<Field, string>();
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const { activeElement } = document;
    const { state, text } = read(event);
    if (state === 'started') before = new Map();
    if ((state === 'started' || state === 'going') && isField(activeElement))
      before.set(activeElement, before.get(activeElement) ?? activeElement.value);
    if (state !== 'read') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const typedInto = before;
    before = new Map();
    if (typedInto.size === 0) return (taker ?? onScan)(text);
    if (isField(activeElement) && typedInto.has(activeElement)) activeElement.blur();
    // The browser writes the composed text into the field only after this event.
    setTimeout(() => {
      for (const [field, value] of typedInto) restore(field, value);
      (taker ?? onScan)(text);
    });
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
};

/**
 * Marks a field that accepts scans. In such a field, the Tab of a scanner acts as Enter. In other
 * fields, Tab moves to the next field.
 */
export const takesScans = { 'data-takes-scans': '' } as const;

const pressEnter = (field: HTMLInputElement): void => {
  const enter = new KeyboardEvent('keydown', {
    key: 'Enter',
    code: 'Enter',
    bubbles: true,
    cancelable: true,
  });
  // The browser submits a form only after a real press of Enter, so the form is submitted here.
  if (field.dispatchEvent(enter)) field.form?.requestSubmit();
};

/**
 * Makes the Tab after a scan act as Enter, if the scan was typed into a field with `takesScans`.
 * Returns a function that stops listening.
 */
export const listenForScannedTabs = (): (() => void) => {
  const read = burstReader();
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const { state } = read(event);
    const { target } = event;
    if (
      state !== 'read' ||
      event.code !== 'Tab' ||
      event.shiftKey ||
      !(target instanceof HTMLInputElement) ||
      target.dataset['takesScans'] === undefined
    )
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressEnter(target);
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
};
