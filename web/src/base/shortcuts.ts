import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import { isSingle, written } from './keys.ts';
import { settingsStore } from './settings-store.ts';

export interface Shortcut {
  /** The keys of the shortcut in the notation of keys.ts. */
  keys: string;
  /** The description that is shown in the list of shortcuts under `?`. */
  label: string;
  run: (event: KeyboardEvent) => void;
  /** True if the shortcut runs only once while the key is held down. */
  once?: boolean;
  /** True if the shortcut also works while a dialog or drawer is open. */
  inDialog?: boolean;
  /**
   * True if the shortcut also works while the user types. This is permitted only for function keys
   * and keys with a modifier.
   */
  whileTyping?: boolean;
  /**
   * True if the shortcut works but is not listed under `?`. The list shows it only once for all
   * rows.
   */
  unlisted?: boolean;
}

interface Layer {
  kind: 'shell' | 'page';
  list: readonly Shortcut[];
}

/**
 * All registered groups of shortcuts, the newest last. The shortcuts of a page take precedence over
 * the shortcuts of the shell.
 */
export const useShortcutLayers = create<{ layers: readonly Layer[] }>(() => ({ layers: [] }));

const register = (layer: Layer): (() => void) => {
  useShortcutLayers.setState(({ layers }) => ({ layers: [...layers, layer] }));
  return () =>
    useShortcutLayers.setState(({ layers }) => ({ layers: layers.filter((one) => one !== layer) }));
};

/**
 * Registers the shortcuts of a page or of a part of it, and lists them under `?`. They work only
 * while it is shown and the user is not typing. They are registered together with the drawn
 * content, so that a key acts on the visible content.
 */
export const useShortcuts = (list: readonly Shortcut[], kind: Layer['kind'] = 'page'): void => {
  useLayoutEffect(() => register({ kind, list }), [kind, list]);
};

const notText = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !notText.has(target.type);
};

/** True if the focused control itself handles Enter or Space. They are not shortcuts then. */
const belongsToControl = (event: KeyboardEvent): boolean =>
  (event.key === 'Enter' || event.key === ' ') &&
  event.target instanceof Element &&
  event.target.closest(
    'a, button, summary, [role=button], [role=option], [role=menuitem], [role=switch]',
  ) !== null;

/** True if a dialog is visible. A closed dialog may also be in the document. */
const dialogOpen = (): boolean =>
  [...document.querySelectorAll('[role=dialog][aria-modal=true]:not([data-closed])')].some(
    (dialog) => dialog.checkVisibility(),
  );

const byPriority = (): Shortcut[] => {
  const { layers } = useShortcutLayers.getState();
  const latest = layers.toReversed();
  return [
    ...latest.filter((layer) => layer.kind === 'page'),
    ...latest.filter((layer) => layer.kind === 'shell'),
  ].flatMap((layer) => layer.list);
};

const usable = (shortcut: Shortcut, typing: boolean, inDialog: boolean): boolean => {
  if (inDialog && !shortcut.inDialog) return false;
  if (isSingle(shortcut.keys)) return !typing && settingsStore.getState().singleKeys;
  return !typing || shortcut.whileTyping === true || shortcut.inDialog === true;
};

const sequencePause = 1200;
/**
 * The limit in milliseconds between two keys. A scanner is faster than this, and a person is
 * slower.
 */
const burst = 35;

/**
 * Recognises the keys of a scanner. The returned function returns true if a key belongs to a scan.
 * `onBegin` is called when the second key comes at a scanner's pace.
 */
const scanDetector = (onBegin: () => void, onScan: (text: string) => void) => {
  let scanned = '';
  let scannedAt = 0;
  return (event: KeyboardEvent): boolean => {
    const fast = event.timeStamp - scannedAt <= burst;
    scannedAt = event.timeStamp;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const text = fast ? scanned : '';
      scanned = '';
      if (text.length < 8) return false;
      onScan(text);
      return true;
    }
    if (event.key.length !== 1 || event.repeat) return false;
    scanned = fast ? scanned + event.key : event.key;
    if (scanned.length > 1) onBegin();
    return scanned.length > 2;
  };
};

/**
 * Listens for keys on the document. `onScan` gets each scan that was made outside a field. Returns
 * a function that stops listening.
 */
export const listenForKeys = (onScan: (text: string) => void): (() => void) => {
  let prefix = '';
  let prefixAt = 0;
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const cancelWaiting = (): void => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  const noteScan = scanDetector(cancelWaiting, onScan);
  const find = (event: KeyboardEvent, typing: boolean): Shortcut | null => {
    const key = written(event);
    const inDialog = dialogOpen();
    const list = byPriority().filter((shortcut) => usable(shortcut, typing, inDialog));
    const whole =
      prefix !== '' && event.timeStamp - prefixAt <= sequencePause ? `${prefix} ${key}` : key;
    prefix = '';
    const found = list.find((shortcut) => shortcut.keys === whole) ?? null;
    if (!found && list.some((shortcut) => shortcut.keys.startsWith(`${whole} `))) {
      prefix = whole;
      prefixAt = event.timeStamp;
    }
    return found;
  };
  const isKey = (event: KeyboardEvent): boolean =>
    !event.defaultPrevented &&
    !event.isComposing &&
    !['Shift', 'Control', 'Alt', 'Meta'].includes(event.key);
  // Runs before all other key handlers. Otherwise the Enter at the end of a scan would open the
  // focused row.
  const onScanKey = (event: KeyboardEvent): void => {
    if (
      !isKey(event) ||
      isTyping(event.target) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !noteScan(event)
    )
      return;
    prefix = '';
    event.preventDefault();
    event.stopPropagation();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isKey(event)) return;
    const typing = isTyping(event.target);
    const found = belongsToControl(event) ? null : find(event, typing);
    if (!found) return;
    event.preventDefault();
    if (event.repeat && found.once) return;
    if (isSingle(found.keys) && event.key.length === 1 && !event.repeat) {
      cancelWaiting();
      waiting = setTimeout(() => found.run(event), burst + 5);
    } else found.run(event);
  };
  document.addEventListener('keydown', onScanKey, { capture: true });
  document.addEventListener('keydown', onKey);
  return () => {
    cancelWaiting();
    document.removeEventListener('keydown', onScanKey, { capture: true });
    document.removeEventListener('keydown', onKey);
  };
};
