/** What a scanner types: it is recognised by its pace and read by the position of its keys, so that the input method of the focused field has no part in it. */

export interface ScannedKey {
  code: string;
  timeStamp: number;
  shiftKey: boolean;
}

/** Milliseconds between two keys of a scanner, at most; no hand is that fast for eight keys. */
const pace = 35;
const leastCharacters = 8;
/** The address in a label's QR code among them. */
const mostCharacters = 200;

/** The signs of numbers and addresses on a US keyboard, with Shift behind it. */
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

/** The character of a key of a scanner that is set to a US keyboard; null for a key that no number has. */
const characterOf = ({ code, shiftKey }: Pick<ScannedKey, 'code' | 'shiftKey'>): string | null => {
  if (code === 'NumpadSubtract') return '-';
  if (Object.hasOwn(signs, code)) return signs[code]!.charAt(shiftKey ? 1 : 0);
  return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1] ?? null;
};

/** A scanner ends a number with Enter, or is set to end it with Tab. */
const endsScan = (code: string): boolean => code === 'Enter' || code === 'NumpadEnter' || code === 'Tab';

export interface Burst {
  /** `started`: the first key of what may be a scan. `read`: its Enter or Tab came, and `text` is the number. */
  state: 'started' | 'going' | 'none' | 'read';
  text: string;
}

/** Follows keys one by one. */
export const burstReader = (): ((key: ScannedKey) => Burst) => {
  let text = '';
  let at = Number.NEGATIVE_INFINITY;
  return (key) => {
    // A scanner presses Shift before a capital.
    if (key.code.startsWith('Shift')) return { state: text === '' ? 'none' : 'going', text };
    const isFast = key.timeStamp - at <= pace;
    at = key.timeStamp;
    if (endsScan(key.code)) {
      const read = isFast && text.length >= leastCharacters ? text : '';
      text = '';
      return { state: read === '' ? 'none' : 'read', text: read };
    }
    const character = characterOf(key);
    if (character === null) {
      text = '';
      return { state: 'none', text };
    }
    const goesOn = isFast && text !== '' && text.length < mostCharacters;
    text = goesOn ? text + character : character;
    return { state: goesOn ? 'going' : 'started', text };
  };
};

type Field = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: Element | null): element is Field => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** Gives a field the value it had before a scan ran into it, as if its user had typed that. */
const restore = (field: Field, value: string): void => {
  if (field.value === value) return;
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/**
 * Listens for scans wherever the focus is, before everybody else; the returned function stops it. A scan that ran into a field is taken out of it again:
 * its first keys look like a hand's, and what an input method was composing ends with the field's focus.
 */
export const listenForScans = (onScan: (text: string) => void): (() => void) => {
  const read = burstReader();
  let before: { field: Field; value: string } | null = null;
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const { activeElement } = document;
    const { state, text } = read(event);
    if (state === 'started') before = isField(activeElement) ? { field: activeElement, value: activeElement.value } : null;
    if (state !== 'read') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const typedInto = before;
    before = null;
    if (typedInto === null) return onScan(text);
    typedInto.field.blur();
    // The browser writes what was being composed into the field after this event.
    setTimeout(() => {
      restore(typedInto.field, typedInto.value);
      onScan(text);
    });
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
};

/** Marks a field that takes scans: there the Tab of a scanner is an Enter. Elsewhere a scanner's Tab goes to the next field. */
export const takesScans = { 'data-takes-scans': '' } as const;

const pressEnter = (field: HTMLInputElement): void => {
  const enter = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true });
  // The browser submits the form of a real Enter only.
  if (field.dispatchEvent(enter)) field.form?.requestSubmit();
};

/** Makes the Tab behind a scan into a field of `takesScans` an Enter; the returned function stops it. */
export const listenForScannedTabs = (): (() => void) => {
  const read = burstReader();
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const { state } = read(event);
    const { target } = event;
    if (state !== 'read' || event.code !== 'Tab' || event.shiftKey || !(target instanceof HTMLInputElement) || target.dataset['takesScans'] === undefined)
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressEnter(target);
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
};
