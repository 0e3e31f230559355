import { expect, test } from 'vitest';
import { withKey } from './early-keys.ts';

const typed = (...keys: string[]) =>
  keys.reduce((kept, key) => withKey(kept, { key, isTaken: false }) ?? kept, {
    text: '',
    entered: false,
  });

test('letters, digits and Chinese typed before the command palette is drawn are kept in their order', () => {
  expect(typed('m', 'H', '7', '王', ' ')).toEqual({ text: 'mH7王 ', entered: false });
});

test('before the command palette is shown, Backspace removes the last typed character, and characters after Enter are ignored', () => {
  expect(typed('a', 'b', 'Backspace')).toEqual({ text: 'a', entered: false });
  expect(typed('a', 'Enter', 'b')).toEqual({ text: 'a', entered: true });
  expect(typed('Enter', 'a')).toEqual({ text: 'a', entered: false });
});

test('shortcuts, arrow keys and keys of an input method are not kept for the command palette', () => {
  expect(withKey({ text: 'a', entered: false }, { key: 'k', isTaken: true })).toBeNull();
  for (const key of ['ArrowDown', 'Tab', 'Shift', 'F8', 'Process'])
    expect(withKey({ text: 'a', entered: false }, { key, isTaken: false })).toBeNull();
});
