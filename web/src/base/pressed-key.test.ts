import { expect, it } from 'vitest';
import { beginningOf, pressedKey } from './pressed-key.ts';

const processed = (code: string) => ({ key: 'Process', code });

it('a key pressed during Chinese input has the same name as without an input method', () => {
  expect(
    ['ArrowDown', 'Tab', 'NumpadEnter', 'Delete', 'F2'].map((code) => pressedKey(processed(code))),
  ).toEqual(['ArrowDown', 'Tab', 'Enter', 'Delete', 'F2']);
  expect(pressedKey(processed('KeyZ'))).toBe('z');
  expect(pressedKey({ key: 'ArrowUp', code: 'ArrowUp' })).toBe('ArrowUp');
});

it('during Chinese input, a character key begins to edit a cell with an empty value, and a key such as Shift does not', () => {
  expect(['KeyW', 'Digit1', 'Numpad7', ''].map((code) => beginningOf(processed(code)))).toEqual([
    '',
    '',
    '',
    '',
  ]);
  expect(
    ['ShiftLeft', 'ControlRight', 'CapsLock', 'ArrowDown', 'F8'].map((code) =>
      beginningOf(processed(code)),
    ),
  ).toEqual([null, null, null, null, null]);
  expect(beginningOf({ key: '5', code: 'Digit5' })).toBe('5');
  expect(beginningOf({ key: 'Shift', code: 'ShiftLeft' })).toBeNull();
});
